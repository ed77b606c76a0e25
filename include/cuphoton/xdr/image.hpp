// image.hpp: an owning array of pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <cuphoton/xdr/receipt.hpp>
#include <cuphoton/xdr/types.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Pixels in C order, native-endian, in host memory. Movable; the memory is freed with the object.
class image {
 public:
  /// Uninitialised memory for `extents`. Throws error{out_of_memory}.
  image(pixel_type type, const shape& extents);

  pixel_type type() const noexcept { return type_; }
  const shape& extents() const noexcept { return extents_; }
  memory_space space() const noexcept { return memory_space::host; }
  std::span<std::uint8_t> bytes() noexcept { return {data_.get(), size_bytes_}; }
  std::span<const std::uint8_t> bytes() const noexcept { return {data_.get(), size_bytes_}; }
  const receipt& facts() const noexcept { return facts_; }
  void set_facts(receipt facts) { facts_ = std::move(facts); }

  /// BSCALE, BZERO and BLANK / ZBLANK of the HDU, applied or not.
  double scale = 1.0;
  double zero = 0.0;
  std::optional<std::int64_t> null_value;

 private:
  struct release {
    void operator()(std::uint8_t* memory) const noexcept;
  };
  pixel_type type_;
  shape extents_;
  std::size_t size_bytes_;
  std::unique_ptr<std::uint8_t, release> data_;
  receipt facts_;
};

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
