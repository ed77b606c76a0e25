// summary.hpp: the results of all tiles of a group reduced on the device to what the host has to look at.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/api.hpp"
#include "restore/device_group.hpp"

namespace cuphoton::xdr {

inline constexpr std::uint64_t no_bad_tile = ~std::uint64_t{0};

/// Preset to these values before the first group.
struct run_summary {
  std::uint64_t worst = no_bad_tile;  // number of the lowest bad tile << 32 | its place in all groups' results
  std::uint32_t surplus_tiles = 0;
  std::uint32_t findings = 0;  // pixel_findings
};
static_assert(sizeof(run_summary) == 16);
static_assert(std::is_trivially_copyable_v<run_summary>);

/// Enqueues the presetting of `count` results to tile_result{} and of `summary`. Throws error{device_failed,
/// device_lost}.
void preset(tile_result* results, std::uint32_t count, run_summary* summary, device::stream_handle stream);
/// Enqueues the reduction of `group` into `summary` (device memory); `first_result` is the place of the group's first
/// result among all groups'. Throws error{device_failed, device_lost}.
void summarize(const device_group& group, std::uint32_t first_result, run_summary* summary,
               device::stream_handle stream);

}  // namespace cuphoton::xdr
