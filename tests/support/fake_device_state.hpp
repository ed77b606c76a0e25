// fake_device_state.hpp: streams as queues of deferred work, events as numbered points in them. Of fake_device.cpp
// only.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "support/fake_device.hpp"

// The handles are only declared by the library; here they get a body.
struct CUmemPoolHandle_st {
  int device = 0;
  std::uint64_t keep_bytes = 0;
};
struct CUevent_st {
  int device = 0;
  std::uint64_t recorded = 0;  // points enqueued
  std::uint64_t done = 0;      // points reached
  CUstream_st* stream = nullptr;
};
struct CUstream_st {
  struct operation {
    std::function<void()> work;
    CUevent_st* wait_for = nullptr;  // runs only when this event has reached `point`, which lies in `awaited`
    std::uint64_t point = 0;
    CUstream_st* awaited = nullptr;
  };
  int device = 0;
  bool destroyed = false;
  std::deque<operation> queue;
};

namespace cuphoton::xdr::test {

inline device::decompression_engine fake_engine;  // what find_engine answers
inline thread_local int fake_last_error = 0;      // of the calling thread, as CUDA keeps it

struct fake_device::state {
  struct block {
    std::size_t length_bytes = 0;
    int device = 0;
    bool usable = false;  // the stream has reached the allocation
  };

  mutable std::mutex mutex;
  std::mt19937 random;
  int devices = 2;
  bool code = true;
  std::uint64_t memory_bytes = std::uint64_t{1} << 32;
  std::uint64_t used_bytes = 0;
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t all_calls = 0;
  struct planted {
    device_fault fault;
    std::uint64_t seen = 0;
  };
  std::vector<planted> faults;
  int sticky = 0;
  std::uint64_t after_loss = 0;
  std::uint64_t violations = 0;
  std::string first;
  std::set<device::stream_handle> streams;  // destroyed ones stay until their queue is empty
  std::set<device::event_handle> events;
  std::vector<std::unique_ptr<CUevent_st>> dead_events;  // waits may still name them
  std::set<device::pool_handle> pools;
  std::map<std::uint8_t*, block> blocks;
  std::map<std::uint8_t*, std::size_t> pinned;
  std::map<const void*, kernel_function> kernels;

  void violate(const std::string& what) {
    if (violations++ == 0) first = what;
  }
  /// What happens to this call: 0 and false where it works.
  int judge(const char* name, bool* effect) {
    ++all_calls;
    ++counts[name];
    if (sticky != 0) {
      if (after_loss++ == 0 && first.empty()) first = std::string(name) + " after the loss";
      return fake_last_error = sticky;
    }
    int error = 0;
    for (planted& each : faults) {
      if (!each.fault.call.empty() && each.fault.call != name) continue;
      ++each.seen;
      if (error != 0) continue;
      if (each.seen == each.fault.first || (each.fault.for_ever && each.seen > each.fault.first)) {
        error = each.fault.error;
        // A call that makes something has either made it or failed.
        const std::string made = name;
        *effect = each.fault.effect && made != "allocate" && made != "pinned_allocate" && !made.ends_with("_create");
        if (each.fault.sticky) sticky = error;
      }
    }
    if (error != 0) fake_last_error = error;
    return error;
  }

  template <class Map>
  static auto holder(Map& map, const void* memory) {
    auto* key = const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(memory));
    auto found = map.upper_bound(key);
    return found == map.begin() ? map.end() : std::prev(found);
  }
  bool on_device(const void* memory, std::size_t length, const char* what) {
    const auto found = holder(blocks, memory);
    const auto* bytes = static_cast<const std::uint8_t*>(memory);
    if (found == blocks.end() || bytes + length > found->first + found->second.length_bytes) {
      violate(std::string(what) + ": no live device memory");
      return false;
    }
    if (!found->second.usable) violate(std::string(what) + ": device memory before its allocation in stream order");
    return true;
  }
  bool in_pinned(const void* memory, std::size_t length, const char* what) {
    const auto found = holder(pinned, memory);
    const auto* bytes = static_cast<const std::uint8_t*>(memory);
    if (found == pinned.end() || bytes + length > found->first + found->second) {
      violate(std::string(what) + ": host memory that is not pinned");
      return false;
    }
    return true;
  }

  void enqueue(device::stream_handle stream, std::function<void()> work) {
    stream->queue.push_back({std::move(work), nullptr, 0, nullptr});
  }
  bool can_run(device::stream_handle stream) const {
    if (stream->queue.empty()) return false;
    const CUstream_st::operation& next = stream->queue.front();
    return next.wait_for == nullptr || next.wait_for->done >= next.point;
  }
  void run_one(device::stream_handle stream) {
    auto work = std::move(stream->queue.front().work);
    stream->queue.pop_front();
    if (work) work();
    if (stream->destroyed && stream->queue.empty()) {
      streams.erase(stream);
      delete stream;
    }
  }
  /// The stream that must move on for `stream` to move on.
  device::stream_handle blocker(device::stream_handle stream) const {
    while (!can_run(stream)) stream = stream->queue.front().awaited;
    return stream;
  }
  void step_any() {
    std::vector<device::stream_handle> ready;
    for (const device::stream_handle each : streams) {
      if (can_run(each)) ready.push_back(each);
    }
    if (!ready.empty()) run_one(ready[random() % ready.size()]);
  }
  /// Runs work until `reached`, half of the times no more than `stream` needs, else streams at random.
  template <class Reached>
  void run_until(device::stream_handle stream, Reached reached) {
    const bool lazy = random() % 2 == 0;
    while (!reached()) {
      if (lazy) {
        run_one(blocker(stream));
      } else {
        step_any();
      }
    }
  }
};

}  // namespace cuphoton::xdr::test
