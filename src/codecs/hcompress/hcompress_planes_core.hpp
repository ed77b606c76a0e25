// hcompress_planes_core.hpp: bits -> coefficients of the transform. Four quadrants (sums, two mixed ones, differences
// of differences), each plane after plane from the top one, a plane as one bit of each 2 x 2 cell:
//
//   0   written directly: 4 bits for each cell in raster order
//   15  a quadtree: one symbol for the whole plane; a one in it makes one more symbol for that quarter, down to the
//       cells, level after level. The symbols of a level come in reverse raster order
//
//   After them 0000 and the rest of that byte, then a sign bit for each coefficient that is not zero, in raster order.
//
// Where a plane or a level begins is known once all before it was decoded, so lanes share planes and levels: 32 cells
// at a time find out which of them take a symbol, one reading of the stream serves all lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/hd.hpp"
#include "codecs/hcompress/hcompress_bits_core.hpp"
#include "codecs/hcompress/hcompress_header_core.hpp"

#define XDR_FILE_ID 8

namespace cuphoton::xdr {

/// Calls body(first item, how many, their bits by `predicate`) for every 32 of `count` items, in order, until it
/// returns false. The predicates of some groups are evaluated ahead, so that lanes wait for memory once for all.
template <class Lanes, class Predicate, class Body>
XDR_HD bool for_each_choice(Lanes& lanes, int count, Predicate predicate, Body body) {
  constexpr int ahead = 4;
  const auto size_at = [&](int first) { return count - first < 32 ? count - first : 32; };  // < 1 behind the end
  for (int base = 0; base < count; base += 32 * ahead) {
    std::uint32_t chosen[ahead];
    for (int k = 0; k < ahead; ++k) {
      const int first = base + 32 * k;
      chosen[k] = lanes.choose(size_at(first), [&](int item) { return predicate(first + item); });
    }
    for (int k = 0; k < ahead && base + 32 * k < count; ++k) {
      if (!body(base + 32 * k, size_at(base + 32 * k), chosen[k])) return false;
    }
  }
  return true;
}

/// Part of the coefficients. May have no row or no column, where the tile is a line.
template <class Word>
struct hcompress_quadrant {
  Word* first;
  std::uint32_t stride;
  std::uint32_t rows;
  std::uint32_t columns;
  int planes;

  XDR_HD int cell_rows() const { return static_cast<int>(hcompress_halved(rows, 1)); }
  XDR_HD int cell_columns() const { return static_cast<int>(hcompress_halved(columns, 1)); }

  /// Puts bits into the coefficients of cell (row, column): a byte each of `bytes`, the top one for the upper left,
  /// then upper right, lower left, lower right. What lies outside is dropped.
  XDR_HD void put(int row, int column, std::uint32_t bytes, int lowest_plane) const {
    const auto y = 2 * static_cast<std::uint32_t>(row);
    const auto x = 2 * static_cast<std::uint32_t>(column);
    Word* const upper = first + std::size_t{y} * stride + x;
    const bool right = x + 1 < columns;
    upper[0] |= Word{bytes >> 24} << lowest_plane;
    if (right) upper[1] |= Word{(bytes >> 16) & 255U} << lowest_plane;
    if (y + 1 >= rows) return;
    Word* const lower = upper + stride;
    lower[0] |= Word{(bytes >> 8) & 255U} << lowest_plane;
    if (right) lower[1] |= Word{bytes & 255U} << lowest_plane;
  }
};

/// The four bits of a cell, a byte each.
XDR_HD constexpr std::uint32_t spread_nybble(std::uint32_t nybble) {
  return (nybble * 0x204081U) & 0x01010101U;  // copies 7 bits apart
}

/// Directly written planes from `plane` down, whose first begins at `at`: as many as follow one another, up to 8, in
/// one pass over the cells. `plane` becomes the next one.
template <class Lanes, class Input, class Word>
XDR_HD verdict put_direct_planes(Lanes& lanes, const Input& input, const hcompress_quadrant<Word>& quadrant,
                                 std::uint64_t& at, int& plane) {
  const int rows = quadrant.cell_rows();
  const int columns = quadrant.cell_columns();
  const std::uint64_t plane_bits = 4 * static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
  XDR_CHECK(plane_bits <= input.length_bits() - at, tile_status::truncated);
  const std::uint64_t first = at;
  const std::uint64_t distance = plane_bits + 4;  // a format between two
  at += plane_bits;
  int run = 1;
  const int most = plane < 7 ? plane + 1 : 8;  // a byte of put() holds 8
  while (run < most && distance <= input.length_bits() - at && input.nybble(at) == 0) {
    at += distance;
    ++run;
  }
  plane -= run;
  for (int row = 0; row < rows; ++row) {
    const std::uint64_t row_at = first + 4 * static_cast<std::uint64_t>(row) * static_cast<std::uint64_t>(columns);
    lanes.phase(columns, [&](int column) {
      std::uint64_t cell_at = row_at + 4 * static_cast<std::uint64_t>(column);
      std::uint32_t bytes = 0;
      for (int k = 0; k < run; ++k, cell_at += distance) bytes = bytes << 1 | spread_nybble(input.nybble(cell_at));
      quadrant.put(row, column, bytes, plane + 1);
    });
  }
  return {};
}

/// Cells of one level of a quadtree, a nybble each.
struct hcompress_grid {
  std::uint8_t* cells;
  int rows;
  int columns;
};

/// The symbols of one level: `child` from `parent`.
template <class Lanes, class Input>
XDR_HD void read_quadtree_level(Lanes& lanes, const Input& input, const hcompress_codes& codes,
                                const hcompress_grid& parent, const hcompress_grid& child, std::uint64_t& at) {
  for (int row = child.rows - 1; row >= 0; --row) {
    const std::uint8_t* const above = parent.cells + std::size_t(row >> 1) * std::size_t(parent.columns);
    std::uint8_t* const cells = child.cells + std::size_t(row) * std::size_t(child.columns);
    const int last = child.columns - 1;
    const int left_bit = (row & 1) != 0 ? 1 : 3;  // of the parent's nybble
    for_each_choice(
        lanes, child.columns,
        [&](int item) {
          const int column = last - item;
          return ((above[column >> 1] >> (left_bit - (column & 1))) & 1) != 0;
        },
        [&](int begin, int count, std::uint32_t chosen) {
          const hcompress_symbols symbols = read_symbols(input, codes, count_bits(chosen), at);
          lanes.phase_ranked(count, chosen, [&](int item, bool mine, int rank) {
            cells[last - begin - item] = mine ? symbols.get(rank) : std::uint8_t{0};
          });
          return true;
        });
  }
}

/// A plane that is a quadtree, whose first symbol is at `at`.
template <class Lanes, class Input, class Word>
XDR_HD verdict put_quadtree_plane(Lanes& lanes, const Input& input, const hcompress_codes& codes,
                                  const hcompress_memory<Word>& memory, const hcompress_quadrant<Word>& quadrant,
                                  std::uint64_t& at, int plane) {
  const std::uint8_t root = read_symbols(input, codes, 1, at).get(0);
  XDR_CHECK(at <= input.length_bits(), tile_status::truncated);
  if (root == 0) return {};
  const int levels = hcompress_levels(quadrant.rows, quadrant.columns);
  hcompress_grid grid{levels % 2 == 1 || levels == 0 ? memory.cells : memory.parents, 1, 1};
  lanes.phase(1, [&](int) { grid.cells[0] = root; });
  for (int level = levels - 1; level > 0; --level) {
    const hcompress_grid child{level % 2 == 1 ? memory.cells : memory.parents,
                               static_cast<int>(hcompress_halved(quadrant.rows, level)),
                               static_cast<int>(hcompress_halved(quadrant.columns, level))};
    read_quadtree_level(lanes, input, codes, grid, child, at);
    XDR_CHECK(at <= input.length_bits(), tile_status::truncated);
    grid = child;
  }
  for (int row = 0; row < quadrant.cell_rows(); ++row) {
    const std::uint8_t* const cells = grid.cells + std::size_t(row) * std::size_t(grid.columns);
    lanes.phase(quadrant.cell_columns(), [&](int column) {
      if (cells[column] != 0) quadrant.put(row, column, spread_nybble(cells[column]), plane);
    });
  }
  return {};
}

template <class Lanes, class Input, class Word>
XDR_HD verdict read_quadrant(Lanes& lanes, const Input& input, const hcompress_codes& codes,
                             const hcompress_memory<Word>& memory, const hcompress_quadrant<Word>& quadrant,
                             std::uint64_t& at) {
  for (int plane = quadrant.planes - 1; plane >= 0;) {
    XDR_CHECK(input.length_bits() - at >= 4, tile_status::truncated);
    const std::uint32_t format = input.nybble(at);
    at += 4;
    if (format == 0) {
      XDR_TRY(put_direct_planes(lanes, input, quadrant, at, plane));
      continue;
    }
    XDR_CHECK(format == 15, tile_status::bad_data);
    XDR_TRY(put_quadtree_plane(lanes, input, codes, memory, quadrant, at, plane));
    --plane;
  }
  return {};
}

/// Gives `count` magnitudes their signs and their scale.
template <class Lanes, class Input, class Word>
XDR_HD verdict read_signs(Lanes& lanes, const Input& input, Word* coefficients, int count, Word scale,
                          std::uint64_t& at) {
  const bool all_there = for_each_choice(
      lanes, count, [&](int item) { return coefficients[item] != 0; },
      [&](int begin, int size, std::uint32_t chosen) {
        const auto signs = static_cast<std::uint64_t>(count_bits(chosen));
        if (signs > input.length_bits() - at) return false;
        lanes.phase_ranked(size, chosen, [&](int item, bool mine, int rank) {
          if (!mine) return;
          const Word value = coefficients[begin + item] * scale;
          coefficients[begin + item] = input.bit(at + static_cast<std::uint64_t>(rank)) ? Word{0} - value : value;
        });
        at += signs;
        return true;
      });
  XDR_CHECK(all_there, tile_status::truncated);
  return {};
}

/// All coefficients; that of the sum is not among them. `at` begins behind the header and ends behind the last bit.
template <class Lanes, class Input, class Word>
XDR_HD verdict read_coefficients(Lanes& lanes, const Input& input, const hcompress_codes& codes,
                                 const hcompress_header& header, const hcompress_memory<Word>& memory,
                                 std::uint64_t& at) {
  const int count = static_cast<int>(header.rows * header.columns);
  lanes.phase(count, [&](int item) { memory.coefficients[item] = 0; });
  const std::uint32_t upper = hcompress_halved(header.rows, 1);
  const std::uint32_t left = hcompress_halved(header.columns, 1);
  for (int i = 0; i < 4; ++i) {
    const bool lower_half = i >= 2;
    const bool right_half = i % 2 == 1;
    const hcompress_quadrant<Word> quadrant{
        memory.coefficients + (lower_half ? std::size_t{upper} * header.columns : 0) + (right_half ? left : 0),
        header.columns, lower_half ? header.rows - upper : upper, right_half ? header.columns - left : left,
        header.planes[(lower_half ? 1 : 0) + (right_half ? 1 : 0)]};
    XDR_TRY(read_quadrant(lanes, input, codes, memory, quadrant, at));
  }
  XDR_CHECK(input.length_bits() - at >= 4, tile_status::truncated);
  XDR_CHECK(input.nybble(at) == 0, tile_status::bad_data);
  at = (at + 4 + 7) / 8 * 8;
  return read_signs(lanes, input, memory.coefficients, count, static_cast<Word>(header.scale > 1 ? header.scale : 1),
                    at);
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
