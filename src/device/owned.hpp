// owned.hpp: a handle of the table and the call that frees it. What streams, events and pools have in common.
#pragma once

#include <utility>

#include "device/api.hpp"

namespace cuphoton::xdr::device {

/// Frees its handle exactly once, never throws while doing so, and frees nothing after the context was lost.
template <class Handle, int (*api_table::*Free)(Handle)>
class owned {
 public:
  owned() = default;
  explicit owned(Handle handle) noexcept : handle_(handle) {}
  owned(owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  owned& operator=(owned&& other) noexcept {
    owned taken(std::move(other));  // before the old handle is freed: an assignment to itself frees nothing
    std::swap(handle_, taken.handle_);
    return *this;
  }
  ~owned() {
    if (handle_ != Handle{}) call_free(Free, handle_);
  }

  Handle get() const noexcept { return handle_; }

 private:
  Handle handle_{};
};

}  // namespace cuphoton::xdr::device
