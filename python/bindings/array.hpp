// array.hpp: pixels as Python sees them, and the memory of other people's arrays as a target.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "bind.hpp"

namespace cuphoton::xdr::python {

/// An array that Python holds; exported views share it. Complete when it is made: no consumer has to wait for a stream.
struct array_handle {
  std::shared_ptr<image> pixels;
};

/// A copy in host memory; made without the interpreter's lock.
std::shared_ptr<image> host_copy(const std::shared_ptr<image>& pixels);
/// .numpy() .cupy() .torch() .jax() and __array__.
void bind_conversions(nb::class_<array_handle>& type);

/// Memory that a caller offers as `out=`: its owner must outlive the call.
struct target_memory {
  std::uint8_t* data = nullptr;
  pixel_type type = pixel_type::u8;
  shape extents;
  memory_space space = memory_space::host;
  int device = 0;
};
/// By __cuda_array_interface__, the buffer protocol or __dlpack__, in this order. Throws error{invalid_argument} for
/// what is no array, is read-only or is not in C order.
class target_view {
 public:
  explicit target_view(nb::object array);
  ~target_view();
  target_view(const target_view&) = delete;
  target_view& operator=(const target_view&) = delete;
  const target_memory& memory() const { return memory_; }

 private:
  bool take_cuda_interface(nb::handle array);
  bool take_buffer(nb::handle array);
  void take_dlpack(nb::handle array);

  target_memory memory_;
  std::optional<Py_buffer> buffer_;
  nb::object capsule_;
};

}  // namespace cuphoton::xdr::python
