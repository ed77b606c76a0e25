// gzip_cuda.cu: GZIP_1 and GZIP_2 on the device, a warp for each tile: all lanes decode the same symbol, copies and
// table builds are dealt to the lanes, and the warp that inflated a tile restores its pixels in the same launch.
#include "codecs/gzip/gzip_cuda.hpp"

#include <algorithm>

#include <cuphoton/xdr/error.hpp>

#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"
#include "device/launch.hpp"
#include "restore/device_run.hpp"

namespace cuphoton::xdr {
namespace {

// A block is one warp: few tiles spread over all multiprocessors, and a finished warp frees its place at once.
constexpr unsigned block_threads = 32;
// The hardware's limit: 64 registers a thread and 7 KB of shared memory must be enough.
constexpr unsigned blocks_per_multiprocessor = 32;
constexpr std::uint64_t queue_bytes = 256;  // in front of the slots, which stay aligned
constexpr std::uint64_t slot_alignment = 256;
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

/// Warps take tiles from `queue` until none is left; each decodes into its own slot. The order of `group.tiles` is the
/// order of work: the caller puts the longest first. count + blocks stays below 2^32.
template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(block_threads, blocks_per_multiprocessor)
    inflate_tiles(const __grid_constant__ device_group group, std::uint32_t* queue, std::uint8_t* slots,
                  std::uint64_t slot_bytes) {
  constexpr unsigned all = 0xffffffffu;
  const unsigned lane = threadIdx.x;
  std::uint8_t* const room = slots + blockIdx.x * slot_bytes;
  for (;;) {
    std::uint32_t tile = 0;
    if (lane == 0) tile = atomicAdd(queue, 1U);
    tile = __shfl_sync(all, tile, 0);
    if (tile >= group.count) return;

    const tile_record& record = group.tiles[tile];
    const std::uint64_t pixels = pixels_of(group.placement, record.tile_index);
    tile_result result = inflate_tile(group.arena + record.offset_bytes, record.length_bytes, pixels, room,
                                      pixels * group.capacity_bytes_per_pixel, group.verify_crc32);
    const bool decoded = result.status == tile_status::ok;
    const bool restorable = decoded && element_width_fits(group.rule, result.element_bytes);
    if (decoded && !restorable) result.status = tile_status::bad_data;
    if (lane == 0) group.results[tile] = result;  // now: fewer registers are live while pixels are restored
    if (!restorable) continue;

    std::uint32_t findings = found_nothing;
    const tile_target place = find_target(group.placement, group.tiles[tile].tile_index, pixels);
    restore_pixels<Mode, Output, 1>(group, tile, place, {room, pixels, group.layout}, result.element_bytes, 0, pixels,
                                    lane, block_threads, findings);
    findings = __reduce_or_sync(all, findings);
    __syncwarp();  // all lanes have read the slot before it is written again
    if (lane != 0) continue;
    if ((findings & found_out_of_range) != 0) group.results[tile].status = tile_status::out_of_range;
    if ((findings & found_doubtful_zero_code) != 0) {
      atomicOr(group.findings, static_cast<std::uint32_t>(found_doubtful_zero_code));
    }
  }
}

std::uint64_t slot_bytes_of(const device_group& group) {
  const std::uint64_t bytes = group.largest_tile_pixels * group.capacity_bytes_per_pixel + raw_slack_bytes;
  return (bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
}

/// As many slots as there are warps at work at once.
std::uint64_t scratch_bytes(const device_group& group) {
  constexpr auto what = "ask how many tiles are decoded at once";
  int blocks = 0;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::call(what, &device::api_table::blocks_per_multiprocessor, &blocks,
                 reinterpret_cast<const void*>(&inflate_tiles<Mode, Output>), static_cast<int>(block_threads),
                 std::size_t{0});
  });
  int number = 0;
  device::properties properties;
  device::call(what, &device::api_table::get_device, &number);
  device::call(what, &device::api_table::get_properties, &properties, number);
  const std::uint64_t resident = static_cast<std::uint64_t>(std::max(blocks, 1)) *
                                 static_cast<std::uint64_t>(std::max(properties.multiprocessors, 1));
  const std::uint64_t slot_bytes = slot_bytes_of(group);
  const std::uint64_t fitting = std::max<std::uint64_t>(most_slot_bytes / slot_bytes, 1);
  return queue_bytes + slot_bytes * std::min({resident, fitting, std::uint64_t{std::max(group.count, 1U)}});
}

void decode(const device_group& group, void* scratch, std::uint64_t scratch_bytes, CUstream_st* stream) {
  if (group.count == 0) return;
  const std::uint64_t slot_bytes = slot_bytes_of(group);
  if (scratch_bytes < queue_bytes + slot_bytes) throw error(errc::internal, {}, "no scratch memory for a gzip tile");
  const std::uint64_t slots = std::min<std::uint64_t>((scratch_bytes - queue_bytes) / slot_bytes, group.count);
  auto* const bytes = static_cast<std::uint8_t*>(scratch);
  device::call("reset the queue of tiles", &device::api_table::fill, bytes, 0, std::size_t{queue_bytes}, stream);
  device::launch_shape shape;
  shape.grid_x = static_cast<unsigned>(std::min<std::uint64_t>(slots, 0x7fffffffU));
  shape.block = block_threads;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::launch(&inflate_tiles<Mode, Output>, shape, stream, group, reinterpret_cast<std::uint32_t*>(bytes),
                   bytes + queue_bytes, slot_bytes);
  });
}

}  // namespace

const device_codec gzip_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
