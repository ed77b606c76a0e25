// gzip_cuda.cu: GZIP_1 and GZIP_2 on the device, a warp for each tile: all lanes decode the same symbol, copies and
// table builds are dealt to the lanes, and the warp that inflated a tile restores its pixels in the same launch.
#include "codecs/gzip/gzip_cuda.hpp"

#include "base/gpu_arch.hpp"
#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"
#include "restore/device_run.hpp"
#include "restore/tile_queue.hpp"

namespace cuphoton::xdr {
namespace {

// The hardware's limit: 64 registers a thread and 7 KB of shared memory must be enough.
constexpr unsigned blocks_per_multiprocessor = resident_blocks(32);
constexpr std::uint64_t most_slot_bytes = std::uint64_t{4} << 30;  // of all slots; tiles over 1 MB run on fewer warps
static_assert(sizeof(gzip_workspace) + 1024 <= 7 * 1024);          // the system takes 1 KiB of each block

/// 8 KiB that stay in the first-level cache while a tile is summed up: the room in shared memory is worth more.
const __device__ crc32_tables device_crc32_tables = make_crc32_tables();

/// Not inlined: compiled once for all kernels below.
__device__ __noinline__ tile_result inflate_tile(const std::uint8_t* bytes, std::uint32_t length_bytes,
                                                 std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes,
                                                 bool verify_crc32) {
  __shared__ gzip_workspace work;
  short_warp_lanes lanes;
  return decode_gzip_tile<word_reader, held_output<short_warp_lanes>>(
      lanes, work, device_crc32_tables, {bytes, length_bytes}, pixels, room, room_bytes, verify_crc32);
}

template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(tile_queue::block_threads, blocks_per_multiprocessor)
    inflate_tiles(const __grid_constant__ device_group group, const tile_queue queue) {
  std::uint8_t* const room = queue.slot();
  for (std::uint32_t tile = queue.take(); tile < group.count; tile = queue.take()) {
    const tile_record& record = group.tiles[tile];
    const std::uint64_t pixels = pixels_of(group.placement, record.tile_index);
    const tile_result result = inflate_tile(group.arena + record.offset_bytes, record.length_bytes, pixels, room,
                                            pixels * group.capacity_bytes_per_pixel, group.verify_crc32);
    if (!store_result(group, tile, result)) continue;

    std::uint32_t findings = found_nothing;
    const tile_target place = find_target(group.placement, group.tiles[tile].tile_index, pixels);
    restore_pixels<Mode, Output, 1>(group, tile, place, {room, pixels, group.layout}, result.element_bytes, 0, pixels,
                                    threadIdx.x, tile_queue::block_threads, findings);
    close_tile(group, tile, findings);
  }
}

std::uint64_t slot_bytes_of(const device_group& group) {
  return round_to_slots(group.largest_tile_pixels * group.capacity_bytes_per_pixel + raw_slack_bytes);
}

std::uint64_t scratch_bytes(const device_group& group) {
  const void* kernel = nullptr;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    kernel = reinterpret_cast<const void*>(&inflate_tiles<Mode, Output>);
  });
  return queue_scratch_bytes(group, kernel, slot_bytes_of(group), most_slot_bytes);
}

void decode(const device_group& group, void* scratch, std::uint64_t scratch_bytes, CUstream_st* stream) {
  if (group.count == 0) return;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    launch_queue(&inflate_tiles<Mode, Output>, group, scratch, scratch_bytes, slot_bytes_of(group), stream);
  });
}

}  // namespace

const device_codec gzip_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
