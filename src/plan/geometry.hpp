// geometry.hpp: which tiles of a grid meet a section. Pure arithmetic on grids that hold their invariants.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/plan.hpp>

#include "base/tile_extents.hpp"

namespace cuphoton::xdr {

/// Tiles that hold pixels of a section: along each axis `extent` of them. Where the step is longer than a tile, each
/// pixel of the section has a tile to itself, with others between; else they are neighbours.
struct section_tiles {
  int rank = 0;
  std::array<std::int64_t, max_rank> first_pixel{};  // of the section, from the grid's first
  std::array<std::int64_t, max_rank> pitch{};        // pixels from one of these tiles to the next, at least a tile
  std::array<std::int64_t, max_rank> tile{};
  std::array<std::int64_t, max_rank> extent{};

  /// Calls f(row of the table) for each, the fastest axis first; stops where f returns false.
  template <class F>
  void for_each(const shape& counts, F&& f) const;
};
section_tiles tiles_meeting(const tile_grid& grid, const strided_box& section);
std::int64_t tile_count(const section_tiles& tiles);
/// Whether every pixel of the section lies in an image of `extents` and its steps are 1 or more. Any numbers will do.
bool lies_inside(const strided_box& section, const shape& extents) noexcept;
/// Whether `tile` holds a pixel of the section.
bool meets(const box& tile, const strided_box& section) noexcept;
/// Row of the table of the tile with these coordinates.
std::uint64_t tile_index_at(const shape& counts, const std::array<std::int64_t, max_rank>& coordinates) noexcept;
/// The pixels `tile` of a tile of `grid` as decoders see them.
tile_extents extents_of(const tile_grid& grid, const box& tile);
/// Moves `coordinates` to the next cell of `cells`, fastest axis first; false behind the last one.
bool advance(std::array<std::int64_t, max_rank>& coordinates, const box& cells) noexcept;

template <class F>
void section_tiles::for_each(const shape& counts, F&& f) const {
  const box cells{rank, {}, extent};
  if (pixel_count(cells) == 0) return;
  auto cell = cells.start;
  do {
    auto at = cell;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis) {
      at[axis] = (first_pixel[axis] + cell[axis] * pitch[axis]) / tile[axis];
    }
    if (!f(tile_index_at(counts, at))) return;
  } while (advance(cell, cells));
}

}  // namespace cuphoton::xdr
