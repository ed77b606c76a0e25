// stream.hpp: a CUDA stream of our own, and how to wait for one whose work may have failed.
#pragma once

#include "device/event.hpp"
#include "device/owned.hpp"

namespace cuphoton::xdr::device {

/// Never ordered by the legacy default stream. Belongs to the device that is current when it is made. Destroying it
/// does not wait: what was enqueued still runs.
class stream {
 public:
  /// Throws error{device_failed, device_lost, out_of_memory}, as all members do.
  stream();
  void synchronize() const;
  /// Later work of this stream starts after the point that `point` holds now.
  void wait(const event& point) const;
  stream_handle get() const noexcept { return handle_.get(); }

 private:
  owned<stream_handle, &api_table::stream_destroy> handle_;
};

/// Waits until everything on `work` has run. Where that cannot be learned, even at the second attempt, the context
/// counts as lost: memory that the work may still touch is then never freed or used again. For ways out after an error.
void drain(stream_handle work) noexcept;

}  // namespace cuphoton::xdr::device
