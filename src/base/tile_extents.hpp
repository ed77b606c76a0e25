// tile_extents.hpp: the shape of a tile as decoders see it. Most codecs only count pixels; HCOMPRESS_1 is
// two-dimensional, and what its stream claims must be what the tile is.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/types.hpp>

#include "base/hd.hpp"

namespace cuphoton::xdr {

/// A tile as a matrix, pixels row after row.
struct tile_extents {
  std::uint64_t rows = 1;     // product of all other axes
  std::uint64_t columns = 0;  // along the column_axis of the grid

  /// `pixels` side by side: for whoever only counts. Implicit on purpose.
  XDR_HD constexpr tile_extents(std::uint64_t pixels) : columns(pixels) {}
  XDR_HD constexpr tile_extents(std::uint64_t row_count, std::uint64_t column_count)
      : rows(row_count), columns(column_count) {}
  XDR_HD constexpr std::uint64_t pixels() const { return rows * columns; }
};

/// The fastest axis along which tiles of `tile_shape` have more than one pixel; the last one where there is none.
/// Of a grid, not of a tile: tiles that are clipped to one pixel at an edge keep their columns.
inline int column_axis(const shape& tile_shape) {
  for (int axis = tile_shape.rank - 1; axis >= 0; --axis) {
    if (tile_shape[axis] > 1) return axis;
  }
  return tile_shape.rank - 1;
}

}  // namespace cuphoton::xdr
