// findings_device.hpp: what restoring found out about a tile's pixels, put to its verdict and its group. Device code
// only.
#pragma once

#include <cstdint>

#include "restore/device_group.hpp"
#include "restore/epilogue.hpp"

namespace cuphoton::xdr {

/// By one thread of each tile; `result` is the tile's own, in registers or in memory.
__device__ inline void add_findings(const device_group& group, std::uint32_t findings, tile_result& result) {
  if ((findings & found_out_of_range) != 0) result.status = tile_status::out_of_range;
  const std::uint32_t of_group = findings & ~static_cast<std::uint32_t>(found_out_of_range);
  if (of_group != 0) atomicOr(group.findings, of_group);
}

/// The same where an element width that does not fit the rule (element_width_fits) comes out only now.
__device__ inline void conclude(const device_group& group, bool fits, std::uint32_t findings, tile_result& result) {
  if (result.status != tile_status::ok) return;
  if (!fits) {
    result.status = tile_status::bad_data;
  } else {
    add_findings(group, findings, result);
  }
}

}  // namespace cuphoton::xdr
