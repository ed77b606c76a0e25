// hcompress_cuda.cu: HCOMPRESS_1 on the device, a warp for each tile: lanes share planes and levels of the transform by
// the shared text, coefficients lie in the warp's own slot of device memory, and the warp restores the pixels in the
// same launch.
#include "codecs/hcompress/hcompress_cuda.hpp"

#include <type_traits>

#include "base/gpu_arch.hpp"
#include "base/lanes.hpp"
#include "codecs/hcompress/hcompress_core.hpp"
#include "restore/device_run.hpp"
#include "restore/tile_queue.hpp"

namespace cuphoton::xdr {
namespace {

// 128 registers a thread. More warps would not have more memory to work in.
constexpr unsigned blocks_per_multiprocessor = resident_blocks(16);
constexpr std::uint64_t most_slot_bytes = std::uint64_t{2} << 30;  // of all slots; large tiles run on fewer warps

/// Every lane looks up the same entry: one read of constant memory.
const __constant__ hcompress_codes device_codes = make_hcompress_codes();

/// A slot: the pixels as native integers, then what decoding needs.
XDR_HD std::uint64_t pixel_room(std::uint64_t pixels) {
  return round_to_slots(pixels * sizeof(std::int32_t));
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

template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(tile_queue::block_threads, blocks_per_multiprocessor)
    decode_tiles(const __grid_constant__ device_group group, const tile_queue queue) {
  std::uint8_t* const slot = queue.slot();
  for (std::uint32_t tile = queue.take(); tile < group.count; tile = queue.take()) {
    const tile_record& record = group.tiles[tile];
    const tile_extents extents = extents_of(group.placement, record.tile_index);
    const std::uint64_t pixels = extents.pixels();
    const tile_result result = decode_tile(group.arena + record.offset_bytes, record.length_bytes,
                                           {group.parameters.hcompress_smooth, group.parameters.hcompress_clip_16},
                                           extents, pixels * group.capacity_bytes_per_pixel, slot);
    if (!store_result(group, tile, result) || pixels == 0) continue;

    std::uint32_t findings = found_nothing;
    const tile_target place = find_target(group.placement, group.tiles[tile].tile_index, pixels);
    using raw_type = std::conditional_t<Mode == pixel_mode::lossless, Output, std::int32_t>;  // floats: 4 bytes only
    restore_pixels<Mode, Output, raw_type, 1>(group, tile, place, {slot, pixels, raw_layout::native_int}, 0, pixels,
                                              threadIdx.x, tile_queue::block_threads, findings);
    close_tile(group, tile, findings);
  }
}

/// For the largest tile in the widest arithmetic. A clipped tile has no side longer than a whole one, and a whole one
/// has the extents of the grid's first tile.
std::uint64_t slot_bytes_of(const device_group& group) {
  const tile_extents extents = extents_of(group.placement, 0);
  const std::uint64_t pixels = std::max(extents.pixels(), group.largest_tile_pixels);
  if (pixels == 0 || pixels > hcompress_most_pixels) return tile_queue::alignment;  // refused by their header
  const auto memory_of = [](std::uint64_t rows, std::uint64_t columns) {
    return hcompress_memory_bytes(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns),
                                  sizeof(std::uint64_t));
  };
  // A stream may call a line lying or standing: the same memory.
  return round_to_slots(pixel_room(pixels) + memory_of(extents.rows, extents.columns));
}

std::uint64_t scratch_bytes(const device_group& group) {
  const void* kernel = nullptr;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    kernel = reinterpret_cast<const void*>(&decode_tiles<Mode, Output>);
  });
  return queue_scratch_bytes(group, kernel, slot_bytes_of(group), most_slot_bytes);
}

void decode(const device_group& group, void* scratch, std::uint64_t scratch_bytes, CUstream_st* stream) {
  if (group.count == 0) return;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    launch_queue(&decode_tiles<Mode, Output>, group, scratch, scratch_bytes, slot_bytes_of(group), stream);
  });
}

}  // namespace

const device_codec hcompress_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
