// summary.cu: one atomic operation for each bad tile; good tiles cost a load.
#include "engine/summary.hpp"

#include <algorithm>

#include "base/gpu_arch.hpp"
#include "device/launch.hpp"

namespace cuphoton::xdr {
namespace {

constexpr unsigned block_threads = 256;

__global__ void reduce(const tile_record* tiles, const tile_result* results, std::uint32_t count,
                       std::uint32_t first_result, run_summary* summary) {
  std::uint32_t surplus = 0;
  for (std::uint32_t tile = blockIdx.x * block_threads + threadIdx.x; tile < count; tile += gridDim.x * block_threads) {
    const tile_result& result = results[tile];
    surplus += result.surplus_input ? 1U : 0U;
    if (result.status == tile_status::ok) continue;
    const std::uint64_t key = std::uint64_t{tiles[tile].tile_index} << 32 | (first_result + tile);
    atomicMin(reinterpret_cast<unsigned long long*>(&summary->worst), key);
  }
  surplus = sum_over_warp(surplus);
  if ((threadIdx.x & 31U) == 0 && surplus != 0) atomicAdd(&summary->surplus_tiles, surplus);
}

/// Whole words, padding too: none_cuda.cu compares the last one.
__global__ void preset_all(std::uint32_t* words, std::uint32_t count, run_summary* summary) {
  static_assert(sizeof(tile_result) == 24 && offsetof(tile_result, status) == 20);
  const std::uint64_t all = std::uint64_t{count} * 6;
  for (std::uint64_t word = blockIdx.x * block_threads + threadIdx.x; word < all; word += gridDim.x * block_threads) {
    words[word] = word % 6 == 5 ? static_cast<std::uint32_t>(tile_status::not_run) : 0U;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *summary = run_summary{};
}

}  // namespace

void preset(tile_result* results, std::uint32_t count, run_summary* summary, device::stream_handle stream) {
  device::launch_shape shape;
  shape.grid_x = std::clamp((count + 42) / 43, 1U, 1024U);  // 43 results of six words a block
  shape.block = block_threads;
  device::launch(&preset_all, shape, stream, reinterpret_cast<std::uint32_t*>(results), count, summary);
}

void summarize(const device_group& group, std::uint32_t first_result, run_summary* summary,
               device::stream_handle stream) {
  device::launch_shape shape;
  shape.grid_x = std::min((group.count + block_threads - 1) / block_threads, 1024U);
  shape.block = block_threads;
  device::launch(&reduce, shape, stream, group.tiles, static_cast<const tile_result*>(group.results), group.count,
                 first_result, summary);
}

}  // namespace cuphoton::xdr
