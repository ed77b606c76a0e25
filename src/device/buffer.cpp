// buffer.cpp: see buffer.hpp.
#include "device/buffer.hpp"

#include <utility>

namespace cuphoton::xdr::device {

buffer::buffer(pool& from, std::size_t length_bytes, stream_handle stream)
    : pool_(&from),
      memory_(length_bytes == 0 ? nullptr : from.allocate(length_bytes, stream)),
      length_bytes_(length_bytes),
      stream_(stream) {}

buffer::buffer(buffer&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      memory_(std::exchange(other.memory_, nullptr)),
      length_bytes_(std::exchange(other.length_bytes_, 0)),
      stream_(std::exchange(other.stream_, nullptr)) {}

buffer& buffer::operator=(buffer&& other) noexcept {
  buffer taken(std::move(other));
  std::swap(pool_, taken.pool_);
  std::swap(memory_, taken.memory_);
  std::swap(length_bytes_, taken.length_bytes_);
  std::swap(stream_, taken.stream_);
  return *this;
}

buffer::~buffer() {
  if (memory_ != nullptr) pool_->release(memory_, length_bytes_, stream_);
}

}  // namespace cuphoton::xdr::device
