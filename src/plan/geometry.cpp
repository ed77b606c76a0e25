// geometry.cpp: tile numbers, boxes and their meetings. Every product here was bounded when the plan was built or
// validated.
#include "plan/geometry.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace cuphoton::xdr {

shape tile_counts(const tile_grid& grid) {
  shape counts{grid.area.rank, {}};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(counts.rank); ++axis) {
    counts.extent[axis] = divide_up(grid.area.extent[axis], std::max<std::int64_t>(grid.tile_shape.extent[axis], 1));
  }
  return counts;
}

box tile_box(const tile_grid& grid, std::uint64_t tile_index) {
  const shape counts = tile_counts(grid);
  box tile{counts.rank, {}, {}};
  for (int i = counts.rank - 1; i >= 0; --i) {
    const auto axis = static_cast<std::size_t>(i);
    const auto along = static_cast<std::uint64_t>(std::max<std::int64_t>(counts.extent[axis], 1));
    const auto first = static_cast<std::int64_t>(tile_index % along) * grid.tile_shape.extent[axis];
    tile_index /= along;
    tile.start[axis] = grid.area.start[axis] + first;
    tile.extent[axis] = std::min(grid.tile_shape.extent[axis], grid.area.extent[axis] - first);
  }
  return tile;
}

section_tiles tiles_meeting(const tile_grid& grid, const strided_box& section) {
  section_tiles tiles;
  tiles.rank = section.rank;
  if (pixel_count(section) == 0 || pixel_count(grid.area) == 0) return tiles;
  const box bounds = bounds_of(section);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
    const std::int64_t tile = grid.tile_shape.extent[axis];
    const std::int64_t from = section.start[axis] - grid.area.start[axis];
    const bool neighbours = section.step[axis] <= tile;
    tiles.first_pixel[axis] = from;
    tiles.tile[axis] = tile;
    tiles.pitch[axis] = neighbours ? tile : section.step[axis];
    tiles.extent[axis] = neighbours ? (from + bounds.extent[axis] - 1) / tile - from / tile + 1 : section.extent[axis];
  }
  return tiles;
}

std::int64_t tile_count(const section_tiles& tiles) {
  return pixel_count(box{tiles.rank, {}, tiles.extent});
}

bool lies_inside(const strided_box& section, const shape& extents) noexcept {
  if (section.rank != extents.rank) return false;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
    const std::int64_t start = section.start[axis];
    const std::int64_t count = section.extent[axis];
    if (start < 0 || start > extents.extent[axis] || count < 0 || section.step[axis] < 1) return false;
    const std::int64_t room = extents.extent[axis] - start;
    if (count > 0 && (room == 0 || count - 1 > (room - 1) / section.step[axis])) return false;
  }
  return true;
}

bool meets(const box& tile, const strided_box& section) noexcept {
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
    const std::int64_t before = std::max<std::int64_t>(tile.start[axis] - section.start[axis], 0);
    const std::int64_t step = section.step[axis];
    const std::int64_t first = before / step + (before % step != 0 ? 1 : 0);  // of the section, not before the tile
    if (first >= section.extent[axis]) return false;
    if (section.start[axis] + first * step >= tile.start[axis] + tile.extent[axis]) return false;
  }
  return true;
}

std::uint64_t tile_index_at(const shape& counts, const std::array<std::int64_t, max_rank>& coordinates) noexcept {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(counts.rank); ++axis) {
    index = index * static_cast<std::uint64_t>(counts.extent[axis]) + static_cast<std::uint64_t>(coordinates[axis]);
  }
  return index;
}

tile_extents extents_of(const tile_grid& grid, const box& tile) {
  const int axis = column_axis(grid.tile_shape);
  const auto columns = axis < 0 ? 0 : static_cast<std::uint64_t>(tile.extent[static_cast<std::size_t>(axis)]);
  const auto pixels = static_cast<std::uint64_t>(pixel_count(tile));
  return columns == 0 ? tile_extents(pixels) : tile_extents(pixels / columns, columns);
}

bool advance(std::array<std::int64_t, max_rank>& coordinates, const box& cells) noexcept {
  for (int i = cells.rank - 1; i >= 0; --i) {
    const auto axis = static_cast<std::size_t>(i);
    if (++coordinates[axis] < cells.start[axis] + cells.extent[axis]) return true;
    coordinates[axis] = cells.start[axis];
  }
  return false;
}

}  // namespace cuphoton::xdr
