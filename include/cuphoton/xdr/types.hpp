// types.hpp: the words every other header uses: pixel types, shapes, boxes, codecs.
// Plain data; no FITS header, no file, no device. FITS order (NAXIS1 fastest) never appears here:
// shapes are row-major, slowest axis first, as in NumPy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Type of one pixel, stored or delivered. Arrays in memory are always native-endian.
enum class pixel_type : std::uint8_t { u8, i8, i16, u16, i32, u32, i64, u64, f32, f64 };

/// Bytes of one pixel: 1, 2, 4 or 8.
int size_bytes(pixel_type type) noexcept;
/// NumPy's name of the type ("uint16", "float32", ...).
std::string_view name(pixel_type type) noexcept;
std::optional<pixel_type> pixel_type_from_name(std::string_view text) noexcept;
bool is_floating(pixel_type type) noexcept;

/// The tile codecs of FITS 4.0 §10.4; `none` is NOCOMPRESS, fallback tiles and plain images.
/// Which of them this build decodes is the business of the codec table, not of this list.
enum class codec_id : std::uint8_t { none, gzip_1, gzip_2, rice_1, hcompress_1, plio_1 };

enum class memory_space : std::uint8_t { host, device };

/// Most axes an image may have here. FITS allows 999, NumPy 64; nobody was seen to write over 9.
inline constexpr int max_rank = 16;

/// Extents of an array in pixels, slowest axis first. Rank 0 means "no pixels" (an empty HDU).
struct shape {
  int rank = 0;
  std::array<std::int64_t, max_rank> extent{};

  std::int64_t operator[](int axis) const { return extent[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](int axis) { return extent[static_cast<std::size_t>(axis)]; }
  bool operator==(const shape&) const = default;
};

/// Pixels start[axis] <= i < start[axis] + extent[axis].
struct box {
  int rank = 0;
  std::array<std::int64_t, max_rank> start{};
  std::array<std::int64_t, max_rank> extent{};

  bool operator==(const box&) const = default;
};

/// A section: pixels start[axis] + i * step[axis] for 0 <= i < extent[axis], as start:stop:step in NumPy.
struct strided_box {
  int rank = 0;
  std::array<std::int64_t, max_rank> start{};
  std::array<std::int64_t, max_rank> extent{};  // pixels that are delivered
  std::array<std::int64_t, max_rank> step{};    // >= 1 along each of the `rank` axes

  strided_box() = default;
  strided_box(const box& pixels) noexcept;  // not explicit: a box is a section with unit steps
  bool operator==(const strided_box&) const = default;
};

/// Product of the extents; 0 for rank 0. Throws error{invalid_argument} where it passes 2^63 - 1.
std::int64_t pixel_count(const shape& extents);
std::int64_t pixel_count(const box& area);
std::int64_t pixel_count(const strided_box& section);
/// The box that holds the whole image.
box whole(const shape& extents) noexcept;
shape shape_of(const box& area) noexcept;
shape shape_of(const strided_box& section) noexcept;
/// The smallest box that holds the section's pixels. For a section that lies inside an image.
box bounds_of(const strided_box& section) noexcept;
/// "4096x512"; "-" for rank 0.
std::string to_string(const shape& extents);
/// "0:10,5:20", slowest axis first; "0:9:2" where a step is not 1 (the stop lies behind the last pixel).
std::string to_string(const box& area);
std::string to_string(const strided_box& section);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
