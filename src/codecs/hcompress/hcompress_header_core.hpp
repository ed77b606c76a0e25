// hcompress_header_core.hpp: the 25 bytes before the bits of an HCOMPRESS_1 stream (FITS 4.0 §10.4.4), and what follows
// from them: how wide the arithmetic must be and how much memory a tile needs.
//
//   dd 99 · rows, columns, scale: 32 bits each · sum of the pixels: 64 bits · planes of the quadrants: 3 bytes
//   All big-endian. The first count is of the quadrant of sums, the second of the two mixed ones, the third of the
//   last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"
#include "base/tile_extents.hpp"

#define XDR_FILE_ID 7

namespace cuphoton::xdr {

inline constexpr std::uint64_t hcompress_header_bytes = 25;
inline constexpr int hcompress_most_planes = 62;  // the magnitude of a coefficient that 64 bits hold, with room

inline constexpr std::uint64_t hcompress_most_pixels =
    (std::uint64_t{1} << 31) - 256;  // counted in 31 bits, with room for a step of all lanes behind the last

struct hcompress_header {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::int32_t scale = 0;  // coefficients were divided by it, where it is over 1
  std::int64_t sum = 0;
  int planes[3] = {};
};

/// ceil(value / 2^shift), `shift` <= 31.
XDR_HD constexpr std::uint32_t hcompress_halved(std::uint32_t value, int shift) {
  return static_cast<std::uint32_t>((std::uint64_t{value} + (std::uint64_t{1} << shift) - 1) >> shift);
}
/// Smallest number of halvings that make one of `rows` x `columns`.
XDR_HD constexpr int hcompress_levels(std::uint32_t rows, std::uint32_t columns) {
  const std::uint32_t longest = rows > columns ? rows : columns;
  int levels = 0;
  while ((std::uint64_t{1} << levels) < longest) ++levels;
  return levels;
}

/// The stream's shape must be the tile's: no reader may believe it. A line may be written lying or standing.
XDR_HD inline verdict check_hcompress_shape(std::int32_t rows, std::int32_t columns, const tile_extents& extents,
                                            std::uint64_t room_bytes) {
  XDR_CHECK(rows >= 1 && columns >= 1, tile_status::bad_data);
  const std::uint64_t pixels = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  XDR_CHECK(pixels >= extents.pixels(), tile_status::output_short);
  XDR_CHECK(pixels <= extents.pixels(), tile_status::output_long);
  const bool line = (rows == 1 || columns == 1) && (extents.rows == 1 || extents.columns == 1);
  XDR_CHECK(line || static_cast<std::uint64_t>(columns) == extents.columns, tile_status::bad_data);
  XDR_CHECK(pixels >= 2, tile_status::bad_data);  // the transform of one pixel loses a bit: nobody writes it
  XDR_CHECK(pixels <= room_bytes / sizeof(std::int32_t) && pixels <= hcompress_most_pixels, tile_status::output_long);
  return {};
}

XDR_HD inline verdict parse_hcompress_header(byte_view tile, const tile_extents& extents, std::uint64_t room_bytes,
                                             hcompress_header& header) {
  XDR_CHECK(tile.length_bytes >= hcompress_header_bytes, tile_status::truncated);
  XDR_CHECK(tile.data[0] == 0xdd && tile.data[1] == 0x99, tile_status::bad_data);
  const auto rows = load_be<std::int32_t>(tile.data + 2);
  const auto columns = load_be<std::int32_t>(tile.data + 6);
  XDR_TRY(check_hcompress_shape(rows, columns, extents, room_bytes));
  header.rows = static_cast<std::uint32_t>(rows);
  header.columns = static_cast<std::uint32_t>(columns);
  header.scale = load_be<std::int32_t>(tile.data + 10);
  XDR_CHECK(header.scale >= 0, tile_status::bad_data);
  header.sum = load_be<std::int64_t>(tile.data + 14);
  for (int i = 0; i < 3; ++i) {
    header.planes[i] = tile.data[22 + i];
    XDR_CHECK(header.planes[i] <= hcompress_most_planes, tile_status::bad_data);
  }
  return {};
}

/// Whether 32 bits hold everything that the inverse transform computes. With M the largest coefficient, H the sum and
/// 2^L >= both extents, a level's sums stay below K = H + 3 M + 5 * 2^L, since (|h0| + 3 M + 5 * 2^L) / 2 <= K where
/// |h0| <= K; what lies between stays below 2 K. Smoothing adds scale / 2 to M and multiplies K by less than 128.
XDR_HD inline bool hcompress_fits_32_bits(const hcompress_header& header, bool smooth) {
  int planes = 0;
  for (int i = 0; i < 3; ++i) planes = header.planes[i] > planes ? header.planes[i] : planes;
  const std::int64_t scale = header.scale > 1 ? header.scale : 1;
  const std::int64_t most_sum = std::int64_t{1} << 31;
  if (planes > 29 || scale > most_sum / 2 || header.sum > most_sum || header.sum < -most_sum) return false;
  const std::int64_t coefficient = (std::int64_t{1} << planes) * scale + (smooth ? scale / 2 : 0);
  const std::int64_t sum = (header.sum < 0 ? -header.sum : header.sum) * scale;
  const std::int64_t largest =
      sum + 3 * coefficient + (std::int64_t{5} << hcompress_levels(header.rows, header.columns));
  return largest < std::int64_t{1} << (smooth ? 24 : 30);
}

/// What decoding one tile needs beside its result. `Word` is std::uint32_t or std::uint64_t: bits of signed numbers, so
/// that hostile streams wrap around instead of overflowing.
template <class Word>
struct hcompress_memory {
  Word* coefficients;     // rows x columns
  Word* halves;           // sums of every other level, from half the extents on
  Word* quarters;         // those of the levels between
  std::uint8_t* cells;    // last grid of a quadtree, and every other one before it
  std::uint8_t* parents;  // the grids between
};

/// For tiles of `rows` x `columns`, under 2^31 pixels. Never less for more pixels of the same shape.
XDR_HD constexpr std::uint64_t hcompress_memory_bytes(std::uint32_t rows, std::uint32_t columns, std::uint64_t word) {
  std::uint64_t area[4] = {};  // at 1, 1/2, 1/4 and 1/8 of the extents
  for (int shift = 0; shift < 4; ++shift) {
    area[shift] = std::uint64_t{hcompress_halved(rows, shift)} * hcompress_halved(columns, shift);
  }
  return word * (area[0] + area[1] + area[2]) + area[2] + area[3];
}

template <class Word>
XDR_HD hcompress_memory<Word> place_hcompress_memory(std::uint8_t* bytes, std::uint32_t rows, std::uint32_t columns) {
  const auto area = [&](int shift) {
    return std::size_t{hcompress_halved(rows, shift)} * hcompress_halved(columns, shift);
  };
  hcompress_memory<Word> memory;
  memory.coefficients = reinterpret_cast<Word*>(bytes);
  memory.halves = memory.coefficients + area(0);
  memory.quarters = memory.halves + area(1);
  memory.cells = reinterpret_cast<std::uint8_t*>(memory.quarters + area(2));
  memory.parents = memory.cells + area(2);
  return memory;
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
