// device_group.hpp: tiles of one codec and recipe in device memory, as a kernel takes them: one launch.
#pragma once

#include <cstdint>
#include <type_traits>

#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/status.hpp>

#include "base/raw_layout.hpp"
#include "restore/epilogue.hpp"
#include "restore/placement.hpp"

namespace cuphoton::xdr {

/// Bytes behind the arena's last compressed byte that may be read (never used): kernels load whole words.
inline constexpr std::uint64_t arena_slack_bytes = 256;

/// All pointers are device memory. The caller has preset every result to not_run and keeps all alive until the stream
/// is done.
struct device_group {
  const std::uint8_t* arena = nullptr;        // 256-byte aligned; compressed bytes, then arena_slack_bytes
  const tile_record* tiles = nullptr;         // offset_bytes counts from `arena`
  const std::int64_t* null_values = nullptr;  // one for each tile, or nullptr: `null_value` for all
  tile_result* results = nullptr;             // one for each tile, in the order of `tiles`
  std::uint32_t* findings = nullptr;          // pixel_findings of all tiles but found_out_of_range, or-ed
  std::uint32_t count = 0;
  std::uint32_t capacity_bytes_per_pixel = 4;
  std::int64_t null_value = 0;
  std::uint64_t largest_tile_pixels = 0;
  std::uint32_t largest_tile_bytes = 0;  // compressed
  codec_parameters parameters;
  raw_layout layout = raw_layout::big_endian;  // of the codec's row
  pixel_rule rule;
  placement_grid placement;
  std::uint8_t* out = nullptr;  // the section, in the output type
  bool verify_crc32 = true;
};
static_assert(std::is_trivially_copyable_v<device_group>);
static_assert(sizeof(device_group) <= 2048);  // a kernel parameter, of 4 KiB at most

XDR_HD inline tile_rule rule_of(const device_group& group, std::uint32_t tile) {
  const tile_record& record = group.tiles[tile];
  return {record.quant_scale, record.quant_zero,
          group.null_values != nullptr ? group.null_values[tile] : group.null_value};
}

}  // namespace cuphoton::xdr
