// placement.hpp: which pixel of a tile goes where in the delivered section, for one launch. No arrays in the shared
// functions: a kernel walks the axes with scalars, so nothing goes to local memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuphoton/xdr/plan.hpp>

#include "base/hd.hpp"
#include "base/tile_extents.hpp"

namespace cuphoton::xdr {

/// Grid and section, axes merged where tile, grid and section span the faster one whole: row tiles of a whole image are
/// one axis, and every tile one run. A step along the fastest axis makes runs of single pixels.
struct placement_grid {
  int rank = 1;  // 1 to 16, slowest first
  std::int64_t area_start[max_rank] =
      {};  // of the grid, from the section's start: negative where the grid begins first
  std::int64_t area_extent[max_rank] = {};
  std::int64_t tile_extent[max_rank] = {};
  std::int64_t tile_count[max_rank] = {};
  std::int64_t section_extent[max_rank] = {};
  std::int64_t section_step[max_rank] = {};
  // The column_axis by itself: merging hides it.
  std::uint64_t column_stride = 1;  // tile numbers from one tile to its neighbour along that axis
  std::uint64_t column_tiles = 1;
  std::int64_t column_tile_extent = 1;
  std::int64_t column_area_extent = 1;
};
static_assert(std::is_trivially_copyable_v<placement_grid>);

/// For a grid that satisfies the plan's invariants and a section with pixels.
placement_grid make_placement(const tile_grid& grid, const strided_box& section);

/// Pixels of tile `tile_index`.
XDR_HD inline std::uint64_t pixels_of(const placement_grid& grid, std::uint64_t tile_index) {
  std::uint64_t pixels = 1;
  for (int axis = grid.rank - 1; axis >= 0; --axis) {
    const auto count = static_cast<std::uint64_t>(grid.tile_count[axis]);
    const std::int64_t first = static_cast<std::int64_t>(tile_index % count) * grid.tile_extent[axis];
    tile_index /= count;
    const std::int64_t left = grid.area_extent[axis] - first;
    pixels *= static_cast<std::uint64_t>(left < grid.tile_extent[axis] ? left : grid.tile_extent[axis]);
  }
  return pixels;
}

/// The same as a matrix.
XDR_HD inline tile_extents extents_of(const placement_grid& grid, std::uint64_t tile_index) {
  const std::uint64_t along = tile_index / grid.column_stride % grid.column_tiles;
  const std::int64_t left = grid.column_area_extent - static_cast<std::int64_t>(along) * grid.column_tile_extent;
  const auto columns = static_cast<std::uint64_t>(left < grid.column_tile_extent ? left : grid.column_tile_extent);
  return {pixels_of(grid, tile_index) / columns, columns};
}

/// Pixels first .. end of a tile lie side by side in the section from `target` on, or (target < 0) outside it.
struct placed_run {
  std::uint64_t end = 0;
  std::int64_t target = -1;
};

/// The run that begins with pixel `first` of tile `tile_index`; `first` < pixels_of.
XDR_HD inline placed_run locate(const placement_grid& grid, std::uint64_t tile_index, std::uint64_t first) {
  placed_run run;
  std::uint64_t index = first;
  std::int64_t target = 0;
  std::int64_t stride = 1;
  bool inside = true;
  for (int axis = grid.rank - 1; axis >= 0; --axis) {
    const auto count = static_cast<std::uint64_t>(grid.tile_count[axis]);
    const std::int64_t begin = static_cast<std::int64_t>(tile_index % count) * grid.tile_extent[axis];
    tile_index /= count;
    const std::int64_t left = grid.area_extent[axis] - begin;
    const std::int64_t extent = left < grid.tile_extent[axis] ? left : grid.tile_extent[axis];
    const auto in_tile = static_cast<std::int64_t>(index % static_cast<std::uint64_t>(extent));
    index /= static_cast<std::uint64_t>(extent);
    std::int64_t at = grid.area_start[axis] + begin + in_tile;  // from the section's first pixel
    const std::int64_t step = grid.section_step[axis];
    std::int64_t passed = 0;  // pixels since the last one of the section
    if (step != 1 && at >= 0) {
      passed = at % step;
      at /= step;
    }
    if (axis == grid.rank - 1) {  // the run ends with the row or where it enters or leaves
      std::int64_t length = extent - in_tile;
      std::int64_t border = at < 0 ? -at : grid.section_extent[axis] - at;
      if (step != 1 && at >= 0 && border > 0) border = passed == 0 ? 1 : step - passed;
      if (border > 0 && border < length) length = border;
      run.end = first + static_cast<std::uint64_t>(length);
    }
    inside = inside && at >= 0 && at < grid.section_extent[axis] && passed == 0;
    target += at * stride;
    stride *= grid.section_extent[axis];
  }
  if (inside) run.target = target;
  return run;
}

}  // namespace cuphoton::xdr
