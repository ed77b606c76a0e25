// pinned.cpp: the life of a slot: free -> held -> (copy enqueued) in flight -> free. A slot's bytes change hands only
// after its event is known to be done.
#include "device/pinned.hpp"

#include <utility>

#include <cuphoton/xdr/error.hpp>

#include "base/checked.hpp"
#include "device/cuda_errors.hpp"
#include "device/stream.hpp"

namespace cuphoton::xdr::device {
namespace {

void* allocate_pinned(std::size_t length_bytes) {
  void* memory = nullptr;
  call("allocate pinned host memory", &api_table::pinned_allocate, &memory, length_bytes);
  return memory;
}

std::size_t ring_bytes(std::size_t slots, std::size_t slot_bytes) {
  const auto product = checked_multiply(slots, slot_bytes);
  if (product.value_or(0) == 0) {
    throw error(errc::invalid_argument, {}, "a ring of pinned memory needs at least one slot of one byte");
  }
  return *product;
}

}  // namespace

pinned_buffer::pinned_buffer(std::size_t length_bytes)
    : memory_(allocate_pinned(length_bytes)), length_bytes_(length_bytes) {}

ring_slot::ring_slot(ring_slot&& other) noexcept
    : ring_(std::exchange(other.ring_, nullptr)),
      index_(other.index_),
      in_use_(other.in_use_),
      stream_(other.stream_) {}

ring_slot::~ring_slot() {
  if (ring_ == nullptr) return;
  // An error is on its way already, or the caller chose not to look. What counts is that nobody gets the bytes early.
  if (in_use_) drain(stream_);
  ring_->give_back(index_, false);
}

std::uint8_t* ring_slot::data() const noexcept {
  return ring_->memory_.data() + index_ * ring_->slot_bytes_;
}

std::size_t ring_slot::size_bytes() const noexcept {
  return ring_->slot_bytes_;
}

void ring_slot::copy_to(void* device_memory, std::size_t offset_bytes, std::size_t length_bytes, stream_handle stream) {
  require_device("copy to the device");
  in_use_ = true;  // before the call: an error does not tell whether the copy was enqueued
  stream_ = stream;
  call("copy to the device", &api_table::copy, device_memory, data() + offset_bytes, length_bytes,
       copy_kind::pinned_to_device, stream);
}

void ring_slot::copy_from(const void* device_memory, std::size_t length_bytes, stream_handle stream) {
  require_device("copy from the device");
  in_use_ = true;
  stream_ = stream;
  call("copy from the device", &api_table::copy, data(), device_memory, length_bytes, copy_kind::device_to_host,
       stream);
}

void ring_slot::wait() {
  if (!in_use_) return;
  event& copied = ring_->events_[index_];
  copied.record(stream_);
  copied.synchronize();
  in_use_ = false;
}

void ring_slot::release() {
  if (in_use_) ring_->events_[index_].record(stream_);  // where this throws, the destructor waits for the stream
  std::exchange(ring_, nullptr)->give_back(index_, in_use_);
}

pinned_ring::pinned_ring(std::size_t slots, std::size_t slot_bytes)
    : slot_bytes_(slot_bytes), memory_(ring_bytes(slots, slot_bytes)), events_(slots) {
  free_.reserve(slots);
  in_flight_.reserve(slots);
  for (std::size_t index = slots; index-- > 0;) free_.push_back(index);
}

pinned_ring::~pinned_ring() {
  for (const std::size_t index : in_flight_) {
    for (int attempt = 0; attempt < 2 && !is_lost(); ++attempt) {
      const int failed = api().event_synchronize(events_[index].get());
      if (failed == cuda_success) break;
      note_error(failed);
      if (attempt == 1) declare_lost();  // the copy may still run: its memory is leaked, with all that follows
    }
  }
}

ring_slot pinned_ring::acquire() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !free_.empty() || !in_flight_.empty() || is_lost(); });
  require_device("use a slot of the ring");
  if (!free_.empty()) {
    const std::size_t index = free_.back();
    free_.pop_back();
    return ring_slot(*this, index);
  }
  const std::size_t index = in_flight_.front();
  in_flight_.erase(in_flight_.begin());
  lock.unlock();
  try {
    events_[index].synchronize();
  } catch (...) {
    give_back(index, true);  // its copy may still run
    throw;
  }
  return ring_slot(*this, index);
}

std::size_t pinned_ring::returned() const {
  const std::scoped_lock lock(mutex_);
  return free_.size() + in_flight_.size();
}

void pinned_ring::give_back(std::size_t index, bool in_flight) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    if (in_flight) {
      in_flight_.push_back(index);
    } else {
      free_.push_back(index);
    }
  }
  // All of them: after a loss every waiting thread has to see it.
  changed_.notify_all();
}

}  // namespace cuphoton::xdr::device
