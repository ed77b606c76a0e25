// rice_cuda.cu: the device engine of RICE_1: a thread decodes a tile with the shared text of rice_core.hpp, from bits
// to stored pixels, one launch for a group.
#include "codecs/rice/rice_cuda.hpp"

#include <limits>

#include "base/lanes.hpp"
#include "codecs/rice/rice_core.hpp"
#include "codecs/rice/rice_sink.hpp"
#include "codecs/rice/ring_reader.hpp"
#include "device/launch.hpp"
#include "restore/device_group.hpp"
#include "restore/findings_device.hpp"

namespace cuphoton::xdr {
namespace {

/// One warp: 4096 tiles are 128 of them, one for nearly each multiprocessor, where larger ones would leave most idle.
constexpr unsigned cta_threads = 32;
/// Pixels of a tile are counted in 32 bits, with room for a group behind the last.
constexpr std::uint64_t most_pixels = std::numeric_limits<std::int32_t>::max();

/// The same address, out of a shuffle with oneself: the compiler cannot compute it anew at each use, which would put
/// the wait for a special register into the chain of every group.
__device__ std::uint32_t* held_shared(std::uint32_t* shared) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const std::uint32_t held = __shfl_sync(__activemask(), address, static_cast<int>(threadIdx.x));
  return static_cast<std::uint32_t*>(__cvta_shared_to_generic(held));
}

/// `fits`: element_width_fits. If not, tiles are decoded for their verdict only, as the host does.
template <class Pixel, pixel_mode Mode, class Output, bool Dithered>
__global__ void __launch_bounds__(cta_threads)
    rice_kernel(const __grid_constant__ device_group group, const bool fits) {
  __shared__ std::uint32_t rings[ring::rows * cta_threads];
  const std::uint32_t tile = blockIdx.x * cta_threads + threadIdx.x;
  if (tile >= group.count) return;
  const tile_record& record = group.tiles[tile];
  const byte_view bytes{group.arena + record.offset_bytes, record.length_bytes};
  const std::uint64_t pixels = pixels_of(group.placement, record.tile_index);
  if (pixels > most_pixels) return;  // stays not_run
  if (rice_is_nothing(bytes, pixels)) {
    group.results[tile] = rice_nothing(sizeof(Pixel));
    return;
  }
  rice_pixel_sink<Pixel, Mode, Output, Dithered> sink(group, tile, pixels, fits);
  std::uint32_t* const lane_ring = held_shared(rings + threadIdx.x);
  const auto open = [lane_ring](byte_view blocks) { return ring_reader<cta_threads>(blocks, lane_ring); };
  one_lane lanes;
  tile_result result;
  const verdict outcome = decode_rice_into<Pixel>(lanes, bytes, open, group.parameters.rice_block_pixels, pixels,
                                                  pixels * group.capacity_bytes_per_pixel, sink, result);
  sink.finish(static_cast<std::uint32_t>(result.bytes_written / sizeof(Pixel)));
  result.status = outcome.status;
  result.check = outcome.check;
  conclude(group, fits, outcome.ok() ? sink.findings() : static_cast<std::uint32_t>(found_nothing), result);
  group.results[tile] = result;
}

/// BYTEPIX is no width: every tile gets the verdict that the host gives.
__global__ void __launch_bounds__(cta_threads) reject_kernel(const __grid_constant__ device_group group) {
  const std::uint32_t tile = blockIdx.x * cta_threads + threadIdx.x;
  if (tile >= group.count) return;
  const tile_record& record = group.tiles[tile];
  if (rice_is_nothing({nullptr, record.length_bytes}, pixels_of(group.placement, record.tile_index))) {
    group.results[tile] = rice_nothing(group.parameters.rice_pixel_bytes);
    return;
  }
  const verdict outcome = check_rice_width(group.parameters.rice_pixel_bytes);
  tile_result result;
  result.status = outcome.status;
  result.check = outcome.check;
  group.results[tile] = result;
}

device::launch_shape shape_of(const device_group& group) {
  device::launch_shape shape;
  shape.grid_x = (group.count + cta_threads - 1) / cta_threads;
  shape.block = cta_threads;
  return shape;
}

template <class Pixel, pixel_mode Mode, class Output, bool Dithered = false>
void launch(const device_group& group, bool fits, CUstream_st* stream) {
  device::launch(&rice_kernel<Pixel, Mode, Output, Dithered>, shape_of(group), stream, group, fits);
}

template <class Pixel>
void launch_rule(const device_group& group, CUstream_st* stream) {
  if (!element_width_fits(group.rule, sizeof(Pixel))) {
    return launch<Pixel, pixel_mode::integer, std::uint8_t>(group, false, stream);
  }
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    if constexpr (Mode == pixel_mode::quantized) {
      if (group.rule.dither != dither_method::none) return launch<Pixel, Mode, Output, true>(group, true, stream);
    }
    // Lossless floats fit one width only.
    if constexpr (Mode != pixel_mode::lossless || sizeof(Pixel) == sizeof(float)) {
      launch<Pixel, Mode, Output>(group, true, stream);
    }
  });
}

std::uint64_t scratch_bytes(const device_group&) {
  return 0;
}

void decode(const device_group& group, void*, std::uint64_t, CUstream_st* stream) {
  if (group.count == 0) return;
  switch (group.parameters.rice_pixel_bytes) {
    case 1: return launch_rule<std::uint8_t>(group, stream);
    case 2: return launch_rule<std::uint16_t>(group, stream);
    case 4: return launch_rule<std::uint32_t>(group, stream);
    default: return device::launch(&reject_kernel, shape_of(group), stream, group);
  }
}

}  // namespace

const device_codec rice_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
