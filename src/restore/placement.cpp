// placement.cpp: see placement.hpp.
#include "restore/placement.hpp"

namespace cuphoton::xdr {

namespace {

std::int64_t tiles_along(const tile_grid& grid, std::size_t axis) {
  const std::int64_t tile = grid.tile_shape.extent[axis];
  const std::int64_t area = grid.area.extent[axis];
  return area / tile + (area % tile != 0 ? 1 : 0);
}

void place_columns(const tile_grid& grid, placement_grid& placement) {
  const int columns = column_axis(grid.tile_shape);
  for (int axis = grid.area.rank - 1; axis > columns; --axis) {
    placement.column_stride *= static_cast<std::uint64_t>(tiles_along(grid, static_cast<std::size_t>(axis)));
  }
  const auto axis = static_cast<std::size_t>(columns);
  placement.column_tiles = static_cast<std::uint64_t>(tiles_along(grid, axis));
  placement.column_tile_extent = grid.tile_shape.extent[axis];
  placement.column_area_extent = grid.area.extent[axis];
}

}  // namespace

placement_grid make_placement(const tile_grid& grid, const strided_box& section) {
  placement_grid merged;
  int rank = 0;  // axes of `merged`, fastest first while it is built
  const auto push = [&](std::size_t axis) {
    const std::int64_t tile = grid.tile_shape.extent[axis];
    const std::int64_t area = grid.area.extent[axis];
    const std::int64_t wanted = section.extent[axis];
    if (rank > 0) {
      const int faster = rank - 1;
      const bool spanned = merged.tile_count[faster] == 1 && merged.area_start[faster] == 0 &&
                           merged.area_extent[faster] == merged.section_extent[faster] &&
                           merged.section_step[faster] == 1 && section.step[axis] == 1;
      if (spanned) {
        const std::int64_t row = merged.area_extent[faster];
        merged.area_start[faster] = (grid.area.start[axis] - section.start[axis]) * row;
        merged.area_extent[faster] = area * row;
        merged.tile_extent[faster] = tile * row;
        merged.tile_count[faster] = tiles_along(grid, axis);
        merged.section_extent[faster] = wanted * row;
        return;
      }
    }
    merged.area_start[rank] = grid.area.start[axis] - section.start[axis];
    merged.area_extent[rank] = area;
    merged.tile_extent[rank] = tile;
    merged.tile_count[rank] = tiles_along(grid, axis);
    merged.section_extent[rank] = wanted;
    merged.section_step[rank] = section.step[axis];
    ++rank;
  };
  for (int axis = grid.area.rank - 1; axis >= 0; --axis) push(static_cast<std::size_t>(axis));
  merged.rank = rank;
  place_columns(grid, merged);
  for (int i = 0, j = rank - 1; i < j; ++i, --j) {
    for (auto* values : {merged.area_start, merged.area_extent, merged.tile_extent, merged.tile_count,
                         merged.section_extent, merged.section_step}) {
      const std::int64_t held = values[i];
      values[i] = values[j];
      values[j] = held;
    }
  }
  return merged;
}

}  // namespace cuphoton::xdr
