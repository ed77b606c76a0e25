// pinned.hpp: pinned host memory, and the small ring of pinned slots through which bytes travel to and from the device.
// The ring is small on purpose: it then stays in the last-level cache (docs/performance.md).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "device/event.hpp"
#include "device/owned.hpp"

namespace cuphoton::xdr::device {

/// Host memory that the device copies from and to at full speed. Costs about 0.5 ms per MiB to make: never inside a
/// load. Nothing may be in flight on it when it ends.
class pinned_buffer {
 public:
  /// `length_bytes` >= 1. Throws error{out_of_memory, device_failed, device_lost}.
  explicit pinned_buffer(std::size_t length_bytes);
  std::uint8_t* data() const noexcept { return static_cast<std::uint8_t*>(memory_.get()); }
  std::size_t size_bytes() const noexcept { return length_bytes_; }

 private:
  owned<void*, &api_table::pinned_release> memory_;
  std::size_t length_bytes_;
};

class pinned_ring;

/// One slot of a ring, held by one thread. However it ends, the slot goes back: free at once where no copy was
/// enqueued, else when its copy has run.
class ring_slot {
 public:
  ring_slot(ring_slot&& other) noexcept;
  ring_slot& operator=(ring_slot&&) = delete;
  ~ring_slot();

  std::uint8_t* data() const noexcept;
  std::size_t size_bytes() const noexcept;
  /// Enqueues the copy of `length_bytes` of the slot, from `offset_bytes` on, to the device, or into its beginning from
  /// it. One stream for all copies of
  /// a slot while it is held. Throws error{device_failed, device_lost}; the slot then counts as in use by `stream`.
  void copy_to(void* device_memory, std::size_t offset_bytes, std::size_t length_bytes, stream_handle stream);
  void copy_from(const void* device_memory, std::size_t length_bytes, stream_handle stream);
  /// Waits for the copies that were enqueued; the slot's bytes may then be read, and it is free when it ends.
  void wait();
  /// Gives the slot back and reports what a destructor could not. Nothing else may be called afterwards.
  void release();

 private:
  friend class pinned_ring;
  ring_slot(pinned_ring& ring, std::size_t index) noexcept : ring_(&ring), index_(index) {}

  pinned_ring* ring_;
  std::size_t index_;
  bool in_use_ = false;  // a copy was enqueued on stream_ and not waited for
  stream_handle stream_ = nullptr;
};

/// Thread-safe. All its streams belong to the device that is current when it is made.
class pinned_ring {
 public:
  /// `slots` >= 1, `slot_bytes` >= 1. Throws error{out_of_memory, device_failed, device_lost}.
  pinned_ring(std::size_t slots, std::size_t slot_bytes);
  /// Waits for the copies in flight. No slot may be held.
  ~pinned_ring();
  pinned_ring(const pinned_ring&) = delete;
  pinned_ring& operator=(const pinned_ring&) = delete;

  /// Blocks until a slot is free: waits for the copy that was enqueued first, or for a thread that holds one. A thread
  /// that holds a slot must not acquire another one. Throws error{device_failed, device_lost}.
  ring_slot acquire();
  std::size_t slots() const noexcept { return events_.size(); }
  std::size_t slot_bytes() const noexcept { return slot_bytes_; }
  /// Slots that no thread holds, those with a copy in flight among them.
  std::size_t returned() const;

 private:
  friend class ring_slot;
  void give_back(std::size_t index, bool in_flight) noexcept;

  std::size_t slot_bytes_;
  pinned_buffer memory_;
  std::vector<event> events_;  // one a slot
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> free_;       // most recently used last: it is the one that lies in the cache
  std::vector<std::size_t> in_flight_;  // copies enqueued, oldest first; like free_ never longer than the ring
};

}  // namespace cuphoton::xdr::device
