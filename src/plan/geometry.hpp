// geometry.hpp: which tiles of a grid meet a section. Pure arithmetic on grids that hold their invariants.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/plan.hpp>

#include "base/tile_extents.hpp"

namespace cuphoton::xdr {

/// Tiles of `grid` that meet `section`, as a box in tile coordinates. Empty where the section holds no pixel.
box tiles_meeting(const tile_grid& grid, const box& section);
/// Row of the table of the tile with these coordinates.
std::uint64_t tile_index_at(const shape& counts, const std::array<std::int64_t, max_rank>& coordinates) noexcept;
/// The pixels `tile` of a tile of `grid` as decoders see them.
tile_extents extents_of(const tile_grid& grid, const box& tile);
/// Common pixels; an extent of 0 where there are none.
box intersect(const box& a, const box& b) noexcept;
/// Moves `coordinates` to the next cell of `cells`, fastest axis first; false behind the last one.
bool advance(std::array<std::int64_t, max_rank>& coordinates, const box& cells) noexcept;

}  // namespace cuphoton::xdr
