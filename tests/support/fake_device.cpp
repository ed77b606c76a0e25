// fake_device.cpp: the functions of the table of fake_device.hpp.
#include "support/fake_device.hpp"

#include <cstdlib>
#include <cstring>

#include "device/context.hpp"
#include "device/cuda_errors.hpp"
#include "support/fake_device_state.hpp"

namespace cuphoton::xdr::test {
namespace {

thread_local int current = 0;     // device of the calling thread
fake_device* in_force = nullptr;  // the one whose table is in force

}  // namespace

/// The functions of the table. Each one takes the fake's lock: nothing here is parallel, all of it thread-safe.
struct fake_calls {
  using state = fake_device::state;
  static state& self() { return *in_force->state_; }

  /// Runs `work(state)`, unless a fault says otherwise.
  template <class Work>
  static int made(const char* name, Work work) {
    state& it = self();
    const std::scoped_lock lock(it.mutex);
    bool effect = false;
    const int error = it.judge(name, &effect);
    if (error != 0 && !effect) return error;
    const int own = work(it);
    if (error == 0 && own != 0) fake_last_error = own;
    return error != 0 ? error : own;
  }
  static void same_device(state& it, int device, const char* what) {
    if (device != current) it.violate(std::string(what) + ": another device is current on this thread");
  }
  static bool known(state& it, device::stream_handle stream, const char* what) {
    if (stream != nullptr && it.streams.contains(stream) && !stream->destroyed) return true;
    it.violate(std::string(what) + ": no such stream (or the default stream)");
    return false;
  }
  static bool known(state& it, device::event_handle event, const char* what) {
    if (it.events.contains(event)) return true;
    it.violate(std::string(what) + ": no such event");
    return false;
  }

  static int device_count(int* count) {
    return made("device_count", [&](state& it) { return *count = it.devices, 0; });
  }
  static int get_properties(device::properties* out, int device) {
    return made("get_properties", [&](state& it) {
      *out = {"fake device " + std::to_string(device), 9, 0, 132, it.memory_bytes};
      return 0;
    });
  }
  static int get_device(int* device) {
    return made("get_device", [&](state&) { return *device = current, 0; });
  }
  static int set_device(int device) {
    return made("set_device", [&](state& it) {
      if (device < 0 || device >= it.devices) return device::cuda_invalid_device;
      current = device;
      return 0;
    });
  }
  static int has_code(bool* yes, int) {
    return made("has_code", [&](state& it) { return *yes = it.code, 0; });
  }
  static int memory_info(std::size_t* free_bytes, std::size_t* total_bytes) {
    return made("memory_info", [&](state& it) {
      *total_bytes = it.memory_bytes;
      *free_bytes = it.memory_bytes - it.used_bytes;
      return 0;
    });
  }
  static int pool_create(device::pool_handle* pool, int device, std::uint64_t keep_bytes) {
    return made("pool_create", [&](state& it) {
      *pool = new CUmemPoolHandle_st{device, keep_bytes};
      it.pools.insert(*pool);
      return 0;
    });
  }
  static int pool_keep(device::pool_handle pool, std::uint64_t keep_bytes) {
    return made("pool_keep", [&](state&) { return pool->keep_bytes = keep_bytes, 0; });
  }
  static int pool_destroy(device::pool_handle pool) {
    return made("pool_destroy", [&](state& it) {
      if (it.pools.erase(pool) == 0) return it.violate("pool_destroy: no such pool"), 0;
      delete pool;
      return 0;
    });
  }
  static int pool_trim(device::pool_handle) {
    return made("pool_trim", [](state&) { return 0; });
  }
  static int allocate(void** memory, std::size_t length, device::pool_handle pool, device::stream_handle stream) {
    return made("allocate", [&](state& it) {
      if (!it.pools.contains(pool)) it.violate("allocate: no such pool");
      if (!known(it, stream, "allocate")) return device::cuda_invalid_handle;
      if (it.used_bytes + length > it.memory_bytes) return device::cuda_memory_allocation;
      it.used_bytes += length;
      auto* bytes = static_cast<std::uint8_t*>(std::malloc(length));
      std::memset(bytes, 0xCD, length);
      it.blocks[bytes] = {length, stream->device, false};
      it.enqueue(stream, [&it, bytes] { it.blocks[bytes].usable = true; });
      *memory = bytes;
      return 0;
    });
  }
  static int release(void* memory, device::stream_handle stream) {
    return made("release", [&](state& it) {
      if (!known(it, stream, "release")) return device::cuda_invalid_handle;
      it.enqueue(stream, [&it, bytes = static_cast<std::uint8_t*>(memory)] {
        const auto found = it.blocks.find(bytes);
        if (found == it.blocks.end()) return it.violate("release: no live device memory");
        it.used_bytes -= found->second.length_bytes;
        it.blocks.erase(found);
        std::free(bytes);
      });
      return 0;
    });
  }
  static int pinned_allocate(void** memory, std::size_t length) {
    return made("pinned_allocate", [&](state& it) {
      auto* bytes = static_cast<std::uint8_t*>(std::malloc(length));
      std::memset(bytes, 0xEE, length);
      it.pinned[bytes] = length;
      *memory = bytes;
      return 0;
    });
  }
  static int pinned_release(void* memory) {
    return made("pinned_release", [&](state& it) {
      if (it.pinned.erase(static_cast<std::uint8_t*>(memory)) == 0) return it.violate("pinned_release: unknown"), 0;
      std::free(memory);
      return 0;
    });
  }
  static int copy(void* to, const void* from, std::size_t length, device::copy_kind kind,
                  device::stream_handle stream) {
    return made("copy", [&](state& it) {
      if (!known(it, stream, "copy")) return device::cuda_invalid_handle;
      same_device(it, stream->device, "copy");
      const bool pinned = kind == device::copy_kind::pinned_to_device ? it.in_pinned(from, length, "copy")
                          : kind == device::copy_kind::device_to_host ? it.in_pinned(to, length, "copy")
                                                                      : true;
      if (!pinned) return device::cuda_invalid_handle;
      const auto apart = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
      if (kind == device::copy_kind::pinned_to_device && apart % 16 != 0) ++it.counts["slow copy"];
      it.enqueue(stream, [&it, to, from, length, kind] {
        const bool there = kind == device::copy_kind::device_to_host ? it.in_pinned(to, length, "late copy")
                                                                     : it.on_device(to, length, "late copy");
        const bool here = kind == device::copy_kind::pinned_to_device ? it.in_pinned(from, length, "late copy")
                                                                      : it.on_device(from, length, "late copy");
        if (there && here) std::memcpy(to, from, length);
      });
      return 0;
    });
  }
  static int fill(void* memory, int byte, std::size_t length, device::stream_handle stream) {
    return made("fill", [&](state& it) {
      if (!known(it, stream, "fill")) return device::cuda_invalid_handle;
      it.enqueue(stream, [&it, memory, byte, length] {
        if (it.on_device(memory, length, "late fill")) std::memset(memory, byte, length);
      });
      return 0;
    });
  }
  static int stream_create(device::stream_handle* stream) {
    return made("stream_create", [&](state& it) {
      *stream = new CUstream_st{current, false, {}};
      it.streams.insert(*stream);
      return 0;
    });
  }
  static int stream_destroy(device::stream_handle stream) {
    return made("stream_destroy", [&](state& it) {
      if (!known(it, stream, "stream_destroy")) return 0;
      stream->destroyed = true;  // what was enqueued still runs
      if (stream->queue.empty()) {
        it.streams.erase(stream);
        delete stream;
      }
      return 0;
    });
  }
  static int stream_synchronize(device::stream_handle stream) {
    return made("stream_synchronize", [&](state& it) {
      if (known(it, stream, "stream_synchronize")) it.run_until(stream, [&] { return stream->queue.empty(); });
      return 0;
    });
  }
  static int stream_wait(device::stream_handle stream, device::event_handle event) {
    return made("stream_wait", [&](state& it) {
      if (!known(it, stream, "stream_wait") || !known(it, event, "stream_wait")) return device::cuda_invalid_handle;
      if (event->done < event->recorded) stream->queue.push_back({nullptr, event, event->recorded, event->stream});
      return 0;
    });
  }
  static int event_create(device::event_handle* event) {
    return made("event_create", [&](state& it) {
      *event = new CUevent_st{current, 0, 0, nullptr};
      it.events.insert(*event);
      return 0;
    });
  }
  static int event_destroy(device::event_handle event) {
    return made("event_destroy", [&](state& it) {
      if (!known(it, event, "event_destroy")) return 0;
      it.events.erase(event);
      it.dead_events.emplace_back(event);
      return 0;
    });
  }
  static int event_record(device::event_handle event, device::stream_handle stream) {
    return made("event_record", [&](state& it) {
      if (!known(it, stream, "event_record") || !known(it, event, "event_record")) return device::cuda_invalid_handle;
      if (event->device != stream->device) it.violate("event_record: event and stream of different devices");
      const std::uint64_t point = ++event->recorded;
      event->stream = stream;
      it.enqueue(stream, [event, point] { event->done = std::max(event->done, point); });
      return 0;
    });
  }
  static int event_synchronize(device::event_handle event) {
    return made("event_synchronize", [&](state& it) {
      if (!known(it, event, "event_synchronize")) return 0;
      const std::uint64_t point = event->recorded;
      if (event->done < point) it.run_until(event->stream, [&] { return event->done >= point; });
      return 0;
    });
  }
  static int event_query(device::event_handle event, bool* done) {
    return made("event_query", [&](state& it) {
      it.step_any();
      return *done = event->done >= event->recorded, 0;
    });
  }
  static int launch(const void* kernel, const device::launch_shape& shape, void** arguments,
                    device::stream_handle stream) {
    return made("launch", [&](state& it) {
      if (!known(it, stream, "launch")) return device::cuda_invalid_handle;
      same_device(it, stream->device, "launch");
      const auto found = it.kernels.find(kernel);
      if (found == it.kernels.end()) return device::cuda_invalid_device_function;
      it.enqueue(stream, found->second(shape, arguments));
      return 0;
    });
  }
  static int shared_limit(const void*, unsigned) {
    return made("shared_limit", [](state&) { return 0; });
  }
  static int blocks_per_multiprocessor(int* blocks, const void*, int, std::size_t) {
    return made("blocks_per_multiprocessor", [&](state&) { return *blocks = 2, 0; });
  }
};

namespace {

const device::api_table fake_table{
    .driver_version = [](int* version) { return *version = 13000, 0; },
    .runtime_version = [](int* version) { return *version = 13000, 0; },
    .device_count = fake_calls::device_count,
    .get_properties = fake_calls::get_properties,
    .get_device = fake_calls::get_device,
    .set_device = fake_calls::set_device,
    .has_code = fake_calls::has_code,
    .memory_info = fake_calls::memory_info,
    .pool_create = fake_calls::pool_create,
    .pool_keep = fake_calls::pool_keep,
    .pool_destroy = fake_calls::pool_destroy,
    .pool_trim = fake_calls::pool_trim,
    .allocate = fake_calls::allocate,
    .release = fake_calls::release,
    .pinned_allocate = fake_calls::pinned_allocate,
    .pinned_release = fake_calls::pinned_release,
    .copy = fake_calls::copy,
    .fill = fake_calls::fill,
    .stream_create = fake_calls::stream_create,
    .stream_destroy = fake_calls::stream_destroy,
    .stream_synchronize = fake_calls::stream_synchronize,
    .stream_wait = fake_calls::stream_wait,
    .event_create = fake_calls::event_create,
    .event_destroy = fake_calls::event_destroy,
    .event_record = fake_calls::event_record,
    .event_synchronize = fake_calls::event_synchronize,
    .event_query = fake_calls::event_query,
    .launch = fake_calls::launch,
    .shared_limit = fake_calls::shared_limit,
    .blocks_per_multiprocessor = fake_calls::blocks_per_multiprocessor,
    .find_engine = [](device::decompression_engine* out, int) { return *out = fake_engine, 0; },
    .engine_reaches = [](bool* yes, const void*) { return *yes = fake_engine.inflates, 0; },
    .last_error = [] { return std::exchange(fake_last_error, 0); },
    .error_text = [](int) -> const char* { return "an error of the fake device"; },
};

}  // namespace

fake_device::fake_device(std::uint32_t seed, int devices) : state_(std::make_unique<state>()) {
  device::forget_contexts();  // of a real GPU, by its own table, where an earlier test of the same program loaded on it
  state_->random.seed(seed);
  state_->devices = devices;
  in_force = this;
  fake_last_error = 0;
  fake_engine = {};
  current = 0;
  device::replace_api(&fake_table);
}

fake_device::~fake_device() {
  clear_faults();
  device::forget_contexts();
  device::replace_api(nullptr);
  device::forget_loss();
  in_force = nullptr;
  // What a lost device leaked on purpose.
  for (const device::stream_handle each : state_->streams) delete each;
  for (const device::event_handle each : state_->events) delete each;
  for (const device::pool_handle each : state_->pools) delete each;
  for (const auto& each : state_->blocks) std::free(each.first);
  for (const auto& each : state_->pinned) std::free(each.first);
}

void fake_device::plant(const device_fault& fault) {
  const std::scoped_lock lock(state_->mutex);
  state_->faults.push_back({fault, 0});
}
void fake_device::clear_faults() {
  const std::scoped_lock lock(state_->mutex);
  state_->faults.clear();
}
std::uint64_t fake_device::calls(const std::string& call) const {
  const std::scoped_lock lock(state_->mutex);
  if (call.empty()) return state_->all_calls;
  const auto found = state_->counts.find(call);
  return found == state_->counts.end() ? 0 : found->second;
}
live_objects fake_device::live() const {
  const std::scoped_lock lock(state_->mutex);
  // Destroyed streams may still have work that frees memory: it runs before anything is counted.
  for (bool ran = true; ran;) {
    ran = false;
    for (const device::stream_handle each : state_->streams) {
      if (each->destroyed && state_->can_run(each)) {
        state_->run_one(each);
        ran = true;
        break;
      }
    }
  }
  return {state_->streams.size(), state_->events.size(), state_->pools.size(), state_->blocks.size(),
          state_->pinned.size()};
}
void fake_device::set_memory_bytes(std::uint64_t bytes) {
  const std::scoped_lock lock(state_->mutex);
  state_->memory_bytes = bytes;
}
void fake_device::set_engine(const device::decompression_engine& engine) {
  fake_engine = engine;
}

void fake_device::set_code(bool present) {
  const std::scoped_lock lock(state_->mutex);
  state_->code = present;
}
std::uint64_t fake_device::violations() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->violations;
}
std::string fake_device::first_violation() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->first;
}
std::uint64_t fake_device::calls_after_loss() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->after_loss;
}
int fake_device::pending_error() const {
  return fake_last_error;
}
void fake_device::add_kernel(const void* kernel, kernel_function function) {
  const std::scoped_lock lock(state_->mutex);
  state_->kernels[kernel] = std::move(function);
}

}  // namespace cuphoton::xdr::test
