// hcompress_cuda.cu: HCOMPRESS_1 on the device, a warp for each tile: lanes share planes and levels of the transform by
// the shared text, coefficients lie in the warp's own slot of device memory, and the warp restores the pixels in the
// same launch.
#include "codecs/hcompress/hcompress_cuda.hpp"

#include <algorithm>
#include <type_traits>

#include <cuphoton/xdr/error.hpp>

#include "base/lanes.hpp"
#include "codecs/hcompress/hcompress_core.hpp"
#include "device/launch.hpp"
#include "restore/device_run.hpp"

namespace cuphoton::xdr {
namespace {

// A block is one warp: few tiles spread over all multiprocessors, and a finished warp frees its place at once.
constexpr unsigned block_threads = 32;
// 128 registers a thread. More warps would not have more memory to work in.
constexpr unsigned blocks_per_multiprocessor = 16;
constexpr std::uint64_t queue_bytes = 256;  // in front of the slots, which stay aligned
constexpr std::uint64_t slot_alignment = 256;
constexpr std::uint64_t most_slot_bytes = std::uint64_t{2} << 30;  // of all slots; large tiles run on fewer warps

/// Every lane looks up the same entry: one read of constant memory.
const __constant__ hcompress_codes device_codes = make_hcompress_codes();

/// A slot: the pixels as native integers, then what decoding needs.
XDR_HD std::uint64_t pixel_room(std::uint64_t pixels) {
  return (pixels * sizeof(std::int32_t) + slot_alignment - 1) / slot_alignment * slot_alignment;
}

/// Not inlined: compiled once for all kernels below.
__device__ __noinline__ tile_result decode_tile(const std::uint8_t* bytes, std::uint32_t length_bytes,
                                                hcompress_options options, tile_extents extents,
                                                std::uint64_t room_bytes, std::uint8_t* slot) {
  const warp_lanes lanes;
  std::uint8_t* const memory = slot + pixel_room(extents.pixels());
  auto* const pixels = reinterpret_cast<std::int32_t*>(slot);
  return decode_hcompress_tile<hcompress_word_bits>(
      lanes, device_codes, {bytes, length_bytes}, options, extents, room_bytes,
      [memory](std::uint64_t) { return memory; },
      [pixels](std::size_t index, std::int32_t value) { pixels[index] = value; });
}

/// Warps take tiles from `queue` until none is left; each decodes into its own slot. The order of `group.tiles` is the
/// order of work: the caller puts the longest first. count + blocks stays below 2^32.
template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(block_threads, blocks_per_multiprocessor)
    decode_tiles(const __grid_constant__ device_group group, std::uint32_t* queue, std::uint8_t* slots,
                 std::uint64_t slot_bytes) {
  constexpr unsigned all = 0xffffffffu;
  const unsigned lane = threadIdx.x;
  std::uint8_t* const slot = slots + blockIdx.x * slot_bytes;
  for (;;) {
    std::uint32_t tile = 0;
    if (lane == 0) tile = atomicAdd(queue, 1U);
    tile = __shfl_sync(all, tile, 0);
    if (tile >= group.count) return;

    const tile_record& record = group.tiles[tile];
    const tile_extents extents = extents_of(group.placement, record.tile_index);
    const std::uint64_t pixels = extents.pixels();
    tile_result result = decode_tile(group.arena + record.offset_bytes, record.length_bytes,
                                     {group.parameters.hcompress_smooth, group.parameters.hcompress_clip_16}, extents,
                                     pixels * group.capacity_bytes_per_pixel, slot);
    const bool decoded = result.status == tile_status::ok;
    const bool restorable = decoded && element_width_fits(group.rule, result.element_bytes);
    if (decoded && !restorable) result.status = tile_status::bad_data;
    if (lane == 0) group.results[tile] = result;  // now: fewer registers are live while pixels are restored
    if (!restorable || pixels == 0) continue;

    std::uint32_t findings = found_nothing;
    const tile_target place = find_target(group.placement, group.tiles[tile].tile_index, pixels);
    using raw_type = std::conditional_t<Mode == pixel_mode::lossless, Output, std::int32_t>;  // floats: 4 bytes only
    restore_pixels<Mode, Output, raw_type, 1>(group, tile, place, {slot, pixels, raw_layout::native_int}, 0, pixels,
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

/// For the largest tile in the widest arithmetic. A clipped tile has no side longer than a whole one, and a whole one
/// has the extents of the grid's first tile.
std::uint64_t slot_bytes_of(const device_group& group) {
  const tile_extents extents = extents_of(group.placement, 0);
  const std::uint64_t pixels = std::max(extents.pixels(), group.largest_tile_pixels);
  if (pixels == 0 || pixels > hcompress_most_pixels) return pixel_room(0) + slot_alignment;  // refused by their header
  const auto memory_of = [](std::uint64_t rows, std::uint64_t columns) {
    return hcompress_memory_bytes(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns),
                                  sizeof(std::uint64_t));
  };
  // A stream may call a line lying or standing: the same memory.
  const std::uint64_t bytes = pixel_room(pixels) + memory_of(extents.rows, extents.columns);
  return (bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
}

/// As many slots as there are warps at work at once.
std::uint64_t scratch_bytes(const device_group& group) {
  constexpr auto what = "ask how many tiles are decoded at once";
  int blocks = 0;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::call(what, &device::api_table::blocks_per_multiprocessor, &blocks,
                 reinterpret_cast<const void*>(&decode_tiles<Mode, Output>), static_cast<int>(block_threads),
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
  if (scratch_bytes < queue_bytes + slot_bytes) throw error(errc::internal, {}, "no scratch memory for a tile");
  const std::uint64_t slots = std::min<std::uint64_t>((scratch_bytes - queue_bytes) / slot_bytes, group.count);
  auto* const bytes = static_cast<std::uint8_t*>(scratch);
  device::call("reset the queue of tiles", &device::api_table::fill, bytes, 0, std::size_t{queue_bytes}, stream);
  device::launch_shape shape;
  shape.grid_x = static_cast<unsigned>(std::min<std::uint64_t>(slots, 0x7fffffffU));
  shape.block = block_threads;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::launch(&decode_tiles<Mode, Output>, shape, stream, group, reinterpret_cast<std::uint32_t*>(bytes),
                   bytes + queue_bytes, slot_bytes);
  });
}

}  // namespace

const device_codec hcompress_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
