// tile_queue.hpp: warps that take tiles from a queue until none is left, each with a slot of device memory to decode
// into: as many slots as there are warps at work at once, however many tiles there are. A codec gives its kernel and
// what one slot takes. The order of `group.tiles` is the order of work: the caller puts the longest first.
#pragma once

#include <algorithm>
#include <cstdint>

#include <cuphoton/xdr/error.hpp>

#include "base/hd.hpp"
#include "base/gpu_arch.hpp"
#include "device/launch.hpp"
#include "restore/device_group.hpp"
#include "restore/epilogue.hpp"
#include "restore/findings_device.hpp"

namespace cuphoton::xdr {

/// As a kernel takes it. A block is one warp: few tiles spread over all multiprocessors, and a finished warp frees its
/// place at once.
struct tile_queue {
  static constexpr unsigned block_threads = 32;
  static constexpr std::uint64_t alignment = 256;  // of slots; the counter lies in front of them

  std::uint32_t* next = nullptr;  // count + blocks stays below 2^32
  std::uint8_t* slots = nullptr;
  std::uint64_t slot_bytes = 0;

  __device__ std::uint8_t* slot() const { return slots + blockIdx.x * slot_bytes; }
  /// The next tile, the same in all lanes; group.count or more where none is left.
  __device__ std::uint32_t take() const {
    std::uint32_t tile = 0;
    if (threadIdx.x == 0) tile = atomicAdd(next, 1U);
    return __shfl_sync(0xffffffffU, tile, 0);
  }
};

/// `result`: what decoding said. Stored for the group; true where there are pixels to restore.
__device__ inline bool store_result(const device_group& group, std::uint32_t tile, tile_result result) {
  const bool decoded = result.status == tile_status::ok;
  const bool restorable = decoded && element_width_fits(group.rule, result.element_bytes);
  if (decoded && !restorable) result.status = tile_status::bad_data;
  if (threadIdx.x == 0) group.results[tile] = result;  // now: fewer registers are live while pixels are restored
  return restorable;
}

/// After restoring; the slot may be written again.
__device__ inline void close_tile(const device_group& group, std::uint32_t tile, std::uint32_t findings) {
  findings = or_over_warp(findings);
  __syncwarp();
  if (threadIdx.x == 0) add_findings(group, findings, group.results[tile]);
}

XDR_HD constexpr std::uint64_t round_to_slots(std::uint64_t bytes) {
  return (bytes + tile_queue::alignment - 1) / tile_queue::alignment * tile_queue::alignment;
}

/// What `kernel` needs for `group` with slots of `slot_bytes` (rounded), all of them at most `most_bytes`, or one. Asks
/// the device how many blocks run at once.
inline std::uint64_t queue_scratch_bytes(const device_group& group, const void* kernel, std::uint64_t slot_bytes,
                                         std::uint64_t most_bytes) {
  constexpr auto what = "ask how many tiles are decoded at once";
  int blocks = 0;
  int number = 0;
  device::properties properties;
  device::call(what, &device::api_table::blocks_per_multiprocessor, &blocks, kernel,
               static_cast<int>(tile_queue::block_threads), std::size_t{0});
  device::call(what, &device::api_table::get_device, &number);
  device::call(what, &device::api_table::get_properties, &properties, number);
  const std::uint64_t resident = static_cast<std::uint64_t>(std::max(blocks, 1)) *
                                 static_cast<std::uint64_t>(std::max(properties.multiprocessors, 1));
  const std::uint64_t fitting = std::max<std::uint64_t>(most_bytes / slot_bytes, 1);
  return tile_queue::alignment + slot_bytes * std::min({resident, fitting, std::uint64_t{std::max(group.count, 1U)}});
}

/// Enqueues `kernel(group, queue)` with a fresh queue in `scratch`.
inline void launch_queue(void (*kernel)(device_group, tile_queue), const device_group& group, void* scratch,
                         std::uint64_t scratch_bytes, std::uint64_t slot_bytes, CUstream_st* stream) {
  if (scratch_bytes < tile_queue::alignment + slot_bytes) {
    throw error(errc::internal, {}, "no scratch memory for a tile");
  }
  const std::uint64_t slots =
      std::min<std::uint64_t>((scratch_bytes - tile_queue::alignment) / slot_bytes, group.count);
  auto* const bytes = static_cast<std::uint8_t*>(scratch);
  device::call("reset the queue of tiles", &device::api_table::fill, bytes, 0, std::size_t{tile_queue::alignment},
               stream);
  device::launch_shape shape;
  shape.grid_x = static_cast<unsigned>(std::min<std::uint64_t>(slots, 0x7fffffffU));
  shape.block = tile_queue::block_threads;
  device::launch(kernel, shape, stream, group,
                 tile_queue{reinterpret_cast<std::uint32_t*>(bytes), bytes + tile_queue::alignment, slot_bytes});
}

}  // namespace cuphoton::xdr
