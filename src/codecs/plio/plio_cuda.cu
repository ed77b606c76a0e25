// plio_cuda.cu: the device engine of PLIO_1: a warp decodes a tile with the shared text of plio_core.hpp, and its runs
// become final pixels without ever lying in memory as raw ones: each lane looks up the runs of 16 bytes of output.
#include "codecs/plio/plio_cuda.hpp"

#include <limits>
#include <type_traits>

#include "base/gpu_arch.hpp"
#include "base/lanes.hpp"
#include "codecs/plio/plio_core.hpp"
#include "device/launch.hpp"
#include "restore/device_run.hpp"
#include "restore/findings_device.hpp"

namespace cuphoton::xdr {
namespace {

constexpr unsigned warp_threads = 32;
/// Warps of a block have nothing to do with each other; several, since a multiprocessor takes few blocks at once.
constexpr unsigned warps_per_block = 4;
constexpr unsigned block_threads = warp_threads * warps_per_block;
/// Half of the threads that fit: more of them would spill.
constexpr unsigned blocks_per_multiprocessor = resident_blocks(8);
/// Pixels of a tile are counted in 32 bits, with room for the groups of a warp behind the last.
constexpr std::uint64_t most_pixels = std::numeric_limits<std::int32_t>::max();

/// Pieces of one tile to final pixels. All lanes of the warp hold the same but for `findings`.
template <pixel_mode Mode, class Output>
class plio_pixel_sink {
 public:
  /// A lossless float has the bits of the integer.
  using raw_type = std::conditional_t<Mode == pixel_mode::lossless, Output, std::int32_t>;

  __device__ plio_pixel_sink(const device_group& group, std::uint32_t tile, std::uint32_t pixels, bool fits)
      : group_(group),
        own_(rule_of(group, tile)),
        tile_index_(group.tiles[tile].tile_index),
        pixels_(pixels),
        place_(find_target(group.placement, tile_index_, pixels)),
        wanted_(fits && !(place_.one_run && place_.target < 0)) {}

  template <class Lanes>
  __device__ __noinline__ void operator()(Lanes&, const plio_piece& piece) {
    if (wanted_) {
      const auto begin = static_cast<std::uint32_t>(piece.first);
      const std::uint32_t end = begin + piece.pixels;
      // Groups are counted from the start of the tile, so that those of every piece are aligned alike.
      for (std::uint32_t first = begin / count * count + threadIdx.x % warp_threads * count; first < end;
           first += warp_threads * count) {
        if (first < begin || end - first < count || !whole_group(piece, first)) {
          single_pixels(piece, first < begin ? begin : first, end - first < count ? end : first + count);
        }
      }
    }
    __syncwarp();
  }
  __device__ std::uint32_t findings() const { return findings_; }

 private:
  static constexpr std::uint32_t count = 16 / sizeof(Output);

  __device__ raw_type raw_of(std::int32_t value) const {
    const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) - group_.parameters.plio_zero);
    if constexpr (std::is_same_v<raw_type, float>) {
      return __int_as_float(bits);
    } else {
      return static_cast<raw_type>(bits);
    }
  }
  __device__ placed_run run_from(std::uint32_t pixel) const {
    if (place_.one_run) return {pixels_, place_.target + pixel};
    return locate(group_.placement, tile_index_, pixel);
  }

  /// False where a row ends inside the group.
  __device__ bool whole_group(const plio_piece& piece, std::uint32_t first) {
    const placed_run run = run_from(first);
    if (run.end - first < count) return false;
    if (run.target < 0) return true;
    const std::uint32_t offset = first - static_cast<std::uint32_t>(piece.first);
    plio_cursor cursor(piece, offset);
    raw_type elements[count];
#pragma unroll
    for (std::uint32_t k = 0; k < count; ++k) elements[k] = raw_of(cursor.value(offset + k));
    restore_group<Mode, Output>(group_, own_, tile_index_, first, run.target, elements, findings_);
    return true;
  }

  __device__ void single_pixels(const plio_piece& piece, std::uint32_t begin, std::uint32_t end) {
    const auto piece_begin = static_cast<std::uint32_t>(piece.first);
    plio_cursor cursor(piece, begin - piece_begin);
    for (std::uint32_t pixel = begin; pixel < end; ++pixel) {
      const raw_type raw = raw_of(cursor.value(pixel - piece_begin));
      const placed_run run = run_from(pixel);
      if (run.target < 0) continue;
      float number = 0.0F;
      if (Mode == pixel_mode::quantized && group_.rule.dither != dither_method::none) {
        const dither_tables tables = device_dither();
        number = tables.values[seek_dither(tables, group_.rule.dither_seed, tile_index_, pixel).index];
      }
      reinterpret_cast<Output*>(group_.out)[run.target] =
          restore_pixel<Mode, Output>(group_.rule, own_, raw, number, findings_);
    }
  }

  const device_group& group_;
  tile_rule own_;
  std::uint32_t tile_index_;
  std::uint32_t pixels_;
  tile_target place_;
  bool wanted_;
  std::uint32_t findings_ = found_nothing;
};

/// `fits`: element_width_fits. If not, tiles are decoded for their verdict only, as the host does.
template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(block_threads, blocks_per_multiprocessor)
    plio_kernel(const __grid_constant__ device_group group, const bool fits) {
  __shared__ plio_workspace works[warps_per_block];
  const unsigned warp = threadIdx.x / warp_threads;
  const std::uint32_t tile = blockIdx.x * warps_per_block + warp;
  if (tile >= group.count) return;  // all lanes of the warp
  const tile_record& record = group.tiles[tile];
  const std::uint64_t pixels = pixels_of(group.placement, record.tile_index);
  if (pixels > most_pixels) return;  // stays not_run
  plio_pixel_sink<Mode, Output> sink(group, tile, static_cast<std::uint32_t>(pixels), fits);
  warp_lanes lanes;
  tile_result result = decode_plio(lanes, works[warp], {group.arena + record.offset_bytes, record.length_bytes}, pixels,
                                   pixels * group.capacity_bytes_per_pixel, sink);
  const std::uint32_t findings = or_over_warp(sink.findings());
  if (threadIdx.x % warp_threads != 0) return;
  conclude(group, fits, findings, result);
  group.results[tile] = result;
}

template <pixel_mode Mode, class Output>
void launch(const device_group& group, bool fits, CUstream_st* stream) {
  device::launch_shape shape;
  shape.grid_x = group.count / warps_per_block + (group.count % warps_per_block != 0 ? 1 : 0);
  shape.block = block_threads;
  device::launch(&plio_kernel<Mode, Output>, shape, stream, group, fits);
}

std::uint64_t scratch_bytes(const device_group&) {
  return 0;
}

void decode(const device_group& group, void*, std::uint64_t, CUstream_st* stream) {
  if (group.count == 0) return;
  if (!element_width_fits(group.rule, sizeof(std::int32_t))) {
    return launch<pixel_mode::integer, std::uint8_t>(group, false, stream);
  }
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    // Lossless floats fit one width only.
    if constexpr (Mode != pixel_mode::lossless || sizeof(Output) == sizeof(std::int32_t)) {
      launch<Mode, Output>(group, true, stream);
    }
  });
}

}  // namespace

const device_codec plio_device{&scratch_bytes, &decode};

}  // namespace cuphoton::xdr
