// buffer.hpp: device memory with an owner, allocated and freed in the order of a stream.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/pool.hpp"

namespace cuphoton::xdr::device {

/// Work on another stream than its own must be ordered against that one by events: behind the allocation, and before
/// the buffer ends. After a loss the memory is leaked on purpose.
class buffer {
 public:
  /// Holds nothing.
  buffer() = default;
  /// `from` must outlive the buffer. Length 0 allocates nothing. Throws as pool::allocate.
  buffer(pool& from, std::size_t length_bytes, stream_handle stream);
  buffer(buffer&& other) noexcept;
  buffer& operator=(buffer&& other) noexcept;
  ~buffer();

  std::uint8_t* data() const noexcept { return static_cast<std::uint8_t*>(memory_); }
  std::size_t size_bytes() const noexcept { return length_bytes_; }
  /// The stream on which it will be freed.
  stream_handle stream() const noexcept { return stream_; }
  /// From now on it is freed on `stream`, which the caller has ordered behind all earlier use.
  void set_stream(stream_handle stream) noexcept { stream_ = stream; }

 private:
  pool* pool_ = nullptr;
  void* memory_ = nullptr;
  std::size_t length_bytes_ = 0;
  stream_handle stream_ = nullptr;
};

}  // namespace cuphoton::xdr::device
