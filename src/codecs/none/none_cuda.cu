// none_cuda.cu: stored pixels on the device: byte order, restore and placement in one pass over memory. Blocks take
// chunks of a tile, since the pieces of a plain image are large.
#include "codecs/none/none_cuda.hpp"

#include <algorithm>

#include "codecs/none/none_core.hpp"
#include "device/launch.hpp"
#include "restore/device_run.hpp"

namespace cuphoton::xdr {
namespace {

constexpr unsigned block_threads = 256;
constexpr std::uint64_t chunk_pixels = 8192;  // at least two groups a thread; row tiles of surveys are one chunk

/// The caller preset the results to tile_result{}: this is its status word.
constexpr std::uint32_t preset_word = static_cast<std::uint32_t>(tile_status::not_run);

/// The first chunk reports for the whole tile; any chunk may add that a number does not fit.
__device__ void report(const device_group& group, std::uint32_t tile, bool first_chunk, const tile_result& judged,
                       std::uint32_t findings) {
  tile_result& result = group.results[tile];
  if (first_chunk && threadIdx.x == 0) {
    result.bits_used = judged.bits_used;
    result.bytes_written = judged.bytes_written;
    result.check = judged.check;
    const std::uint32_t word = make_status_word(judged.status, judged.element_bytes, judged.surplus_input);
    atomicCAS(status_word(result), preset_word, word);  // unless another chunk has already found fault
  }
  if ((findings & found_out_of_range) != 0) {
    atomicExch(status_word(result), make_status_word(tile_status::out_of_range, judged.element_bytes, false));
  }
  if ((findings & found_doubtful_zero_code) != 0) {
    atomicOr(group.findings, static_cast<std::uint32_t>(found_doubtful_zero_code));
  }
}

/// What all threads of a block need to know of their tile, found by one of them: it takes divisions.
struct block_facts {
  std::uint64_t pixels;
  tile_result judged;
  tile_target place;
};

__device__ void find_facts(const device_group& group, std::uint32_t tile, block_facts& facts) {
  const tile_record& record = group.tiles[tile];
  facts.pixels = pixels_of(group.placement, record.tile_index);
  facts.judged = decode_raw_tile({group.arena + record.offset_bytes, record.length_bytes}, facts.pixels);
  if (facts.judged.status == tile_status::ok && !element_width_fits(group.rule, facts.judged.element_bytes)) {
    facts.judged.status = tile_status::bad_data;
  }
  facts.place = find_target(group.placement, record.tile_index, facts.pixels);
}

template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(block_threads, 2)
    restore_stored(const __grid_constant__ device_group group, std::uint32_t chunks_per_tile) {
  __shared__ alignas(block_facts) std::uint8_t held[sizeof(block_facts)];  // shared memory takes no constructors
  block_facts& facts = *reinterpret_cast<block_facts*>(held);
  const std::uint32_t tile = blockIdx.x / chunks_per_tile;
  const std::uint64_t begin = (blockIdx.x % chunks_per_tile) * chunk_pixels;
  if (threadIdx.x == 0) find_facts(group, tile, facts);
  __syncthreads();
  const std::uint64_t pixels = facts.pixels;
  if (begin >= pixels && begin > 0) return;
  std::uint32_t findings = found_nothing;
  if (facts.judged.status == tile_status::ok) {
    const std::uint64_t end = pixels - begin < chunk_pixels ? pixels : begin + chunk_pixels;
    const raw_source source{group.arena + group.tiles[tile].offset_bytes, pixels, raw_layout::big_endian};
    restore_pixels<Mode, Output, 4>(group, tile, facts.place, source, facts.judged.element_bytes, begin, end,
                                    threadIdx.x, block_threads, findings);
  }
  report(group, tile, begin == 0, facts.judged, findings);
}

std::uint64_t no_scratch(const device_group&) {
  return 0;
}

void decode(const device_group& group, void*, std::uint64_t, CUstream_st* stream) {
  const std::uint64_t chunks =
      std::max<std::uint64_t>((group.largest_tile_pixels + chunk_pixels - 1) / chunk_pixels, 1);
  // A plan has under 2^31 pixels a tile and the tiles fill one array: blocks stay far below 2^31.
  device::launch_shape shape;
  shape.grid_x = static_cast<unsigned>(chunks * group.count);
  shape.block = block_threads;
  visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
    device::launch(&restore_stored<Mode, Output>, shape, stream, group, static_cast<std::uint32_t>(chunks));
  });
}

}  // namespace

const device_codec none_device{&no_scratch, &decode};

}  // namespace cuphoton::xdr
