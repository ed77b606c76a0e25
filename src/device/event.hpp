// event.hpp: a point in a stream's work that a host thread or another stream can wait for.
#pragma once

#include "device/owned.hpp"

namespace cuphoton::xdr::device {

/// Created once and recorded many times: whoever waits gets the latest point that was recorded before the wait was
/// asked for. Belongs to the device that is current when it is made.
class event {
 public:
  /// Throws error{device_failed, device_lost, out_of_memory}, as all members do.
  event();
  /// The point behind everything that was enqueued on `stream` so far.
  void record(stream_handle stream);
  /// Blocks the calling thread. Returns at once where nothing was recorded.
  void synchronize() const;
  bool is_done() const;
  event_handle get() const noexcept { return handle_.get(); }

 private:
  owned<event_handle, &api_table::event_destroy> handle_;
};

}  // namespace cuphoton::xdr::device
