// separate.cu: see separate.hpp. One block takes a chunk of a tile, a thread a pixel at a time.
#include "restore/separate.hpp"

#include <algorithm>
#include <type_traits>

#include "device/launch.hpp"
#include "restore/dither_device.hpp"

namespace cuphoton::xdr {
namespace {

constexpr unsigned block_threads = 256;
constexpr std::uint64_t chunk_pixels = 8192;

/// What decode_stage leaves in a place of Output.
template <pixel_mode Mode, class Output>
struct raw_place {
  using type = std::conditional_t<
      Mode == pixel_mode::lossless, Output,
      std::conditional_t<sizeof(Output) == 1, std::uint8_t,
                         std::conditional_t<sizeof(Output) == 2, std::int16_t,
                                            std::conditional_t<sizeof(Output) == 4, std::int32_t, std::int64_t>>>>;
};

template <class Float>
__device__ bool same_bits(Float a, Float b) {
  bits_of<Float> first, second;
  memcpy(&first, &a, sizeof a);
  memcpy(&second, &b, sizeof b);
  return first == second;
}

/// `keep_nulls`: pixels that became NaN by their null value stay as they are; the fused kernel scales before it looks.
template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(block_threads)
    run_stage(const __grid_constant__ device_group group, const std::uint8_t* from, std::uint32_t chunks_per_tile,
              const bool keep_nulls) {
  using place = typename raw_place<Mode, Output>::type;
  const std::uint32_t tile = blockIdx.x / chunks_per_tile;
  if (group.results[tile].status != tile_status::ok) return;
  const std::uint64_t tile_index = group.tiles[tile].tile_index;
  const std::uint64_t pixels = pixels_of(group.placement, tile_index);
  const std::uint64_t begin = (blockIdx.x % chunks_per_tile) * chunk_pixels;
  const std::uint64_t end = pixels < begin + chunk_pixels ? pixels : begin + chunk_pixels;
  const tile_rule own = rule_of(group, tile);
  const dither_tables tables = device_dither();
  std::uint32_t findings = found_nothing;
  for (std::uint64_t pixel = begin + threadIdx.x; pixel < end; pixel += block_threads) {
    const std::int64_t target = locate(group.placement, tile_index, pixel).target;
    if (target < 0) continue;
    const place raw = reinterpret_cast<const place*>(from)[target];
    if constexpr (Mode == pixel_mode::lossless) {
      if (keep_nulls && same_bits(raw, stages::quiet_nan<Output>())) continue;
    }
    float number = 0.0F;
    if (Mode == pixel_mode::quantized && group.rule.dither != dither_method::none) {
      number = tables.values[seek_dither(tables, group.rule.dither_seed, tile_index, pixel).index];
    }
    reinterpret_cast<Output*>(group.out)[target] = restore_pixel<Mode, Output>(group.rule, own, raw, number, findings);
  }
  if ((findings & found_doubtful_zero_code) != 0) {
    atomicOr(group.findings, static_cast<std::uint32_t>(found_doubtful_zero_code));
  }
}

void launch_stage(const device_group& group, const std::uint8_t* from, bool keep_nulls, CUstream_st* stream) {
  const std::uint64_t chunks =
      std::max<std::uint64_t>((group.largest_tile_pixels + chunk_pixels - 1) / chunk_pixels, 1);
  device::launch_shape shape;
  shape.grid_x = static_cast<unsigned>(chunks * group.count);  // as in none_cuda.cu: far below 2^31
  shape.block = block_threads;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::launch(&run_stage<Mode, Output>, shape, stream, group, from, static_cast<std::uint32_t>(chunks),
                   keep_nulls);
  });
}

}  // namespace

void launch_stages(const device_group& group, const std::uint8_t* raw, CUstream_st* stream) {
  if (group.count == 0) return;
  device_group stage = group;
  stage.rule.multiply = stage.rule.add = false;
  launch_stage(stage, raw, false, stream);  // convert
  const bool keep_nulls = group.rule.mode == pixel_mode::scaled && group.rule.has_null;
  stage.rule.mode = pixel_mode::lossless;  // floats in, floats out
  for (const bool multiplies : {true, false}) {
    stage.rule.multiply = multiplies && group.rule.multiply;
    stage.rule.add = !multiplies && group.rule.add;
    if (stage.rule.multiply || stage.rule.add) launch_stage(stage, group.out, keep_nulls, stream);
  }
}

}  // namespace cuphoton::xdr
