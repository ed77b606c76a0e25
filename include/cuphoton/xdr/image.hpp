// image.hpp: an owning array of pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <cuphoton/xdr/receipt.hpp>
#include <cuphoton/xdr/stream.hpp>
#include <cuphoton/xdr/types.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Pixels in C order, native-endian, in host or device memory. Movable; the memory is freed with the object. Device
/// arrays that the library hands out are complete: no stream has to be waited for. The other way round, the library
/// knows no stream of the caller: what the caller has enqueued on a device array must be done before the object ends.
class image {
 public:
  /// Uninitialised host memory for `extents`. Throws error{out_of_memory}.
  image(pixel_type type, const shape& extents);
  /// Takes over device memory of `device` that holds the array; `memory` frees it.
  image(pixel_type type, const shape& extents, std::shared_ptr<std::uint8_t> memory, int device);

  image(image&&) noexcept = default;
  image& operator=(image&&) noexcept = default;
  // No copies: they would share the pixels without saying so.

  pixel_type type() const noexcept { return type_; }
  const shape& extents() const noexcept { return extents_; }
  memory_space space() const noexcept { return space_; }
  /// CUDA device of a device array, -1 for host memory.
  int device() const noexcept { return device_; }
  std::size_t size_bytes() const noexcept { return size_bytes_; }
  /// First pixel, in the memory that space() names.
  std::uint8_t* data() noexcept { return data_.get(); }
  const std::uint8_t* data() const noexcept { return data_.get(); }
  /// The pixels of a host array; empty for a device array, whose bytes the host cannot touch.
  std::span<std::uint8_t> bytes() noexcept { return {data_.get(), host_bytes()}; }
  std::span<const std::uint8_t> bytes() const noexcept { return {data_.get(), host_bytes()}; }
  const receipt& facts() const noexcept { return facts_; }
  void set_facts(receipt facts) { facts_ = std::move(facts); }

  /// BSCALE, BZERO and BLANK / ZBLANK of the HDU, applied or not.
  double scale = 1.0;
  double zero = 0.0;
  std::optional<std::int64_t> null_value;

 private:
  std::size_t host_bytes() const noexcept { return space_ == memory_space::host ? size_bytes_ : 0; }

  pixel_type type_;
  shape extents_;
  std::size_t size_bytes_;
  memory_space space_ = memory_space::host;
  int device_ = -1;
  std::shared_ptr<std::uint8_t> data_;
  receipt facts_;
};

/// The same pixels and facts in host memory of their own. Changes that `after` holds at the time of the call, a stream
/// of a device array's device, are in the copy. Throws error{out_of_memory, device_failed, device_lost}, and
/// {unsupported} for a device array in a forked child.
image copy_to_host(const image& pixels, stream_view after = {});

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
