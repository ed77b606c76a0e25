// placement.hpp: which runs of a tile's pixels go where in the section. Rows that continue one another in both are one
// run.
#pragma once

#include <array>
#include <cstdint>

#include <cuphoton/xdr/types.hpp>

#include "plan/geometry.hpp"

namespace cuphoton::xdr {

/// Calls f(first pixel of the tile, first pixel of the section, pixels) for each run; stops early where f returns
/// false.
template <class F>
void for_each_run(const box& tile, const box& section, F&& f) {
  const box common = intersect(tile, section);
  // Axes split .. rank - 1 are whole in tile, section and common part, so a run spans them and axis split - 1.
  int split = common.rank - 1;
  std::int64_t run = split >= 0 ? common.extent[static_cast<std::size_t>(split)] : 0;
  while (split > 0) {
    const auto axis = static_cast<std::size_t>(split);
    if (tile.extent[axis] != common.extent[axis] || section.extent[axis] != common.extent[axis]) break;
    run *= common.extent[axis - 1];
    --split;
  }
  box cells{split, common.start, common.extent};  // the axes outside the runs
  if (pixel_count(common) == 0) return;
  auto at = common.start;
  do {
    std::uint64_t in_tile = 0;
    std::uint64_t in_section = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(common.rank); ++axis) {
      in_tile = in_tile * static_cast<std::uint64_t>(tile.extent[axis]) +
                static_cast<std::uint64_t>(at[axis] - tile.start[axis]);
      in_section = in_section * static_cast<std::uint64_t>(section.extent[axis]) +
                   static_cast<std::uint64_t>(at[axis] - section.start[axis]);
    }
    if (!f(in_tile, in_section, static_cast<std::uint64_t>(run))) return;
  } while (advance(at, cells));
}

}  // namespace cuphoton::xdr
