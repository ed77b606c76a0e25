// context.hpp: what the library keeps for one device from the first load to the end of the process: memory pool, pinned
// ring and work slots. Everything that is expensive to make is made here, never inside a load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/spin.hpp"
#include "device/buffer.hpp"
#include "device/event.hpp"
#include "device/pinned.hpp"
#include "device/pool.hpp"
#include "device/stream.hpp"

namespace cuphoton::xdr::device {

/// Makes a device current for the calling thread, and the earlier one again when it ends. Every thread that makes a
/// stream, event or launch needs one; worker threads too.
class current_device {
 public:
  /// Throws error{device_failed, device_lost}.
  explicit current_device(int device);
  ~current_device();
  current_device(const current_device&) = delete;
  current_device& operator=(const current_device&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

/// The streams of one load: kernels run on `work`, bytes travel on `copy`. All events are spare points of order: they
/// may be recorded again once the wait for them was enqueued.
struct work_slot {
  stream work;
  stream copy;
  event arena_ready;  // work is here: memory it allocated may be copied to
  event copied;       // copy is here: the bytes have arrived
  event entered;      // see follow
  event finished;     // see lead

  /// Later work of both streams starts after everything that is on `other` now (a caller's stream).
  void follow(stream_handle other);
  /// Later work of `other` starts after everything that is on `work` now.
  void lead(stream_handle other);
};

class device_context;

/// A work slot that one load has to itself; it goes back when this ends. What is still enqueued on it simply runs
/// before the next load's work.
class work_lease {
 public:
  work_lease(work_lease&&) noexcept = default;
  work_lease& operator=(work_lease&&) = delete;
  ~work_lease();
  work_slot& operator*() const noexcept { return *slot_; }
  work_slot* operator->() const noexcept { return slot_.get(); }

 private:
  friend class device_context;
  work_lease(device_context& context, std::unique_ptr<work_slot> slot) noexcept
      : context_(&context), slot_(std::move(slot)) {}
  device_context* context_;
  std::unique_ptr<work_slot> slot_;
};

struct context_options {
  std::size_t ring_slots = 12;                      // 24 MiB: they stay in the last-level cache
  std::size_t slot_bytes = std::size_t{2} << 20;    // one copy
  std::size_t part_bytes = std::size_t{128} << 10;  // of a slot, read by one thread; more than a slot: a whole slot
  std::uint64_t keep_bytes = 0;                     // idle device memory; 0: a quarter of the device, at most 16 GiB
  std::size_t work_slots = 4;                       // made at once; more loads at the same time make more, once
};

/// Threads that read into a device unless the caller says otherwise: 12, or one for each core of the process if fewer.
unsigned reader_threads() noexcept;

/// May be used from several threads at once. Nothing of it may be held when it ends.
class device_context {
 public:
  /// Throws error{invalid_argument} where there is no such device, {device_failed} where there is none at all or this
  /// build has no code for it, {out_of_memory, device_lost}.
  explicit device_context(int device, const context_options& options = {});
  /// Waits for what is enqueued.
  ~device_context();
  device_context(const device_context&) = delete;
  device_context& operator=(const device_context&) = delete;

  int device() const noexcept { return device_; }
  const properties& about() const noexcept { return about_; }
  pool& memory() noexcept { return memory_; }
  pinned_ring& ring() noexcept { return ring_; }
  /// What one thread reads into a slot at once, >= 1; several threads fill a slot.
  std::size_t part_bytes() const noexcept { return part_bytes_; }
  /// Passed by threads that enqueue copies of slots, one at a time.
  spin_gate& copy_gate() noexcept { return copy_gate_; }
  /// A slot that nobody uses. Makes one only where more loads run at the same time than ever before.
  work_lease acquire_slot();
  /// Work slots that were made so far: as many as loads ever ran at the same time, or options.work_slots.
  std::size_t slots_made() const;
  /// Grows the pool to `bytes` and keeps that much: later loads that need no more ask the driver for nothing.
  void warm(std::uint64_t bytes);

 private:
  friend class work_lease;
  void give_back(std::unique_ptr<work_slot> slot) noexcept;

  int device_;
  properties about_;
  pool memory_;
  pinned_ring ring_;
  std::size_t part_bytes_;
  spin_gate copy_gate_;
  mutable std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<work_slot>> free_;  // room for all that were made
};

/// The process's context for `device`, made by the first call; never destroyed, since the driver may be gone first.
/// Throws as the constructor, and error{unsupported} in a child process that was forked after a context was made:
/// CUDA does not work there. A failed attempt is forgotten: the next call tries again.
device_context& context_for(int device);
/// The context that `context_for` made, or nullptr.
device_context* find_context(int device) noexcept;
/// Tests only: destroys all contexts and forgets what limit_device_pools asked for.
void forget_contexts() noexcept;

}  // namespace cuphoton::xdr::device
