// stream.cpp: see stream.hpp.
#include "device/stream.hpp"

#include "device/cuda_errors.hpp"

namespace cuphoton::xdr::device {

stream::stream() {
  stream_handle made = nullptr;
  call("create a stream", &api_table::stream_create, &made);
  handle_ = decltype(handle_)(made);
}

void stream::synchronize() const {
  call("wait for a stream", &api_table::stream_synchronize, get());
}

void stream::wait(const event& point) const {
  call("order two streams", &api_table::stream_wait, get(), point.get());
}

void drain(stream_handle work) noexcept {
  for (int attempt = 0; attempt < 2 && !is_lost(); ++attempt) {
    const int error = api().stream_synchronize(work);
    if (error == cuda_success) return;
    note_error(error);
  }
  declare_lost();
}

}  // namespace cuphoton::xdr::device
