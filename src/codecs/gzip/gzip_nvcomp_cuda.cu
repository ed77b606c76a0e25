// gzip_nvcomp_cuda.cu: what stands around nvCOMP's call: a kernel before it that lets it see whole members only, and
// one after it that believes nothing but the CRC32, decodes by our own core what failed, and restores the pixels from
// the private memory.
#include "base/gpu_arch.hpp"
#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"
#include "codecs/gzip/gzip_nvcomp.hpp"
#include "codecs/gzip/nvcomp_batch.hpp"
#include "codecs/gzip/nvcomp_core.hpp"
#include "device/launch.hpp"
#include "restore/device_run.hpp"
#include "restore/tile_queue.hpp"

namespace cuphoton::xdr {
namespace {

constexpr unsigned frame_threads = 128;
constexpr unsigned check_threads = tile_queue::block_threads;  // a warp for each tile, as in gzip_cuda.cu
constexpr unsigned blocks_per_multiprocessor = resident_blocks(32);

const __device__ crc32_tables device_crc32_tables = make_crc32_tables();

/// One zero byte: a gzip member, and at 32 its payload alone.
constexpr std::uint64_t stand_in_member_bytes = 21;
constexpr std::uint64_t stand_in_payload_at = 32;
constexpr std::uint64_t stand_in_payload_bytes = 3;
const __device__ std::uint8_t stand_in_bytes[nvcomp_stand_in_bytes] = {
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0x63, 0, 0, 0x8d, 0xef, 0x02, 0xd2, 1,
    0,    0,    0, 0, 0, 0, 0, 0, 0, 0,   0,    0, 0, 0,    0x63, 0,    0};

__device__ framed_tile frame_of(const device_group& group, const tile_record& record) {
  return frame_for_nvcomp({group.arena + record.offset_bytes, record.length_bytes},
                          pixels_of(group.placement, record.tile_index), group.capacity_bytes_per_pixel);
}

/// A block for each tile: fills its row of the tables; copies its stream where nvCOMP wants it aligned.
__global__ void __launch_bounds__(frame_threads)
    frame_tiles(const __grid_constant__ device_group group, const __grid_constant__ nvcomp_batch batch) {
  __shared__ framed_tile framed;
  const std::uint32_t row = blockIdx.x;
  const tile_record& record = group.tiles[batch.first + row];
  if (threadIdx.x == 0) framed = frame_of(group, record);
  if (row == 0 && threadIdx.x < nvcomp_stand_in_bytes) batch.stand_in[threadIdx.x] = stand_in_bytes[threadIdx.x];
  __syncthreads();

  const bool seen = framed.raw_bytes != 0;
  const std::uint8_t* input = batch.stand_in + (batch.strips_frame ? stand_in_payload_at : 0);
  std::uint64_t input_bytes = batch.strips_frame ? stand_in_payload_bytes : stand_in_member_bytes;
  if (seen) {
    input = group.arena + record.offset_bytes + (batch.strips_frame ? framed.payload_begin : 0);
    input_bytes = batch.strips_frame ? framed.payload_end - framed.payload_begin : record.length_bytes;
    if (batch.staging != nullptr) {
      std::uint8_t* const copy = batch.staging + row * batch.staging_stride;
      for (std::uint64_t at = threadIdx.x; at < input_bytes; at += frame_threads) copy[at] = input[at];
      input = copy;
    }
  }
  if (threadIdx.x != 0) return;
  batch.raw_bytes[row] = framed.raw_bytes;
  batch.tables.inputs[row] = input;
  batch.tables.input_bytes[row] = input_bytes;
  batch.tables.capacities[row] = seen ? framed.raw_bytes : 1;
  batch.tables.written[row] = 0;
  batch.tables.outputs[row] = batch.slots + row * batch.slot_stride;
  batch.tables.statuses[row] = -1;  // a status that nvCOMP leaves unwritten is no success
}

/// Not inlined: compiled once for all kernels below. `slot` holds the tile's raw bytes afterwards.
__device__ __noinline__ tile_result judge_tile(const std::uint8_t* bytes, std::uint32_t length_bytes,
                                               std::uint64_t pixels, std::uint8_t* slot,
                                               std::uint32_t capacity_bytes_per_pixel, std::uint32_t raw_bytes,
                                               const nvcomp_answer answer, bool& second_decoder) {
  __shared__ gzip_workspace work;
  short_warp_lanes lanes;
  framed_tile framed{};
  if (raw_bytes != 0) framed = frame_for_nvcomp({bytes, length_bytes}, pixels, capacity_bytes_per_pixel);
  second_decoder = !nvcomp_was_right(lanes, device_crc32_tables, framed, answer, slot, work.partial_crc);
  if (!second_decoder) return nvcomp_result(framed, pixels);
  __syncwarp();
  return decode_gzip_tile<word_reader, held_output<short_warp_lanes>>(
      lanes, work, device_crc32_tables, {bytes, length_bytes}, pixels, slot, pixels * capacity_bytes_per_pixel, true);
}

template <pixel_mode Mode, class Output>
__global__ void __launch_bounds__(check_threads, blocks_per_multiprocessor)
    check_tiles(const __grid_constant__ device_group group, const __grid_constant__ nvcomp_batch batch) {
  const std::uint32_t row = blockIdx.x;
  const std::uint32_t tile = batch.first + row;
  const tile_record& record = group.tiles[tile];
  const std::uint64_t pixels = pixels_of(group.placement, record.tile_index);
  std::uint8_t* const slot = batch.slots + row * batch.slot_stride;
  bool second_decoder = false;
  const tile_result result =
      judge_tile(group.arena + record.offset_bytes, record.length_bytes, pixels, slot, group.capacity_bytes_per_pixel,
                 batch.raw_bytes[row], {batch.tables.statuses[row], batch.tables.written[row]}, second_decoder);
  if (!store_result(group, tile, result)) return;
  std::uint32_t findings = second_decoder ? found_second_decoder : found_nothing;
  const tile_target place = find_target(group.placement, record.tile_index, pixels);
  restore_pixels<Mode, Output, 1>(group, tile, place, {slot, pixels, group.layout}, result.element_bytes, 0, pixels,
                                  threadIdx.x, check_threads, findings);
  close_tile(group, tile, findings);
}

template <nvcomp_format Format, nvcomp_backend Backend>
nvcomp_task task_of(const device_group& group) {
  return {Format, Backend, group.count, group.largest_tile_bytes,
          group.largest_tile_pixels * group.capacity_bytes_per_pixel + raw_slack_bytes};
}

template <nvcomp_format Format, nvcomp_backend Backend>
std::uint64_t scratch_bytes(const device_group& group) {
  return lay_out(nvcomp_in_use(), task_of<Format, Backend>(group)).total_bytes;
}

template <nvcomp_format Format, nvcomp_backend Backend>
void decode(const device_group& group, void* scratch, std::uint64_t scratch_bytes, CUstream_st* stream) {
  if (group.count == 0) return;
  const nvcomp_library& library = nvcomp_in_use();
  const nvcomp_task task = task_of<Format, Backend>(group);
  const nvcomp_layout layout = lay_out(library, task);
  if (scratch_bytes < layout.total_bytes) throw error(errc::internal, {}, "no memory for a batch of nvCOMP");
  require_reach(Backend, group.arena);
  require_reach(Backend, scratch);
  auto* const memory = static_cast<std::uint8_t*>(scratch);
  for (std::uint32_t first = 0; first < group.count; first += layout.batch_tiles) {
    const nvcomp_batch batch = place_batch(layout, task, memory, first);
    device::launch_shape shape;
    shape.grid_x = batch.count;
    shape.block = frame_threads;
    device::launch(&frame_tiles, shape, stream, group, batch);
    run_batch(library, layout, task, batch, memory, stream);
    shape.block = check_threads;
    visit_rule(group.rule, [&]<pixel_mode Mode, class Output>() {
      device::launch(&check_tiles<Mode, Output>, shape, stream, group, batch);
    });
  }
}

template <nvcomp_format Format, nvcomp_backend Backend>
constexpr device_codec codec{&scratch_bytes<Format, Backend>, &decode<Format, Backend>};

}  // namespace

const device_codec nvcomp_gzip_device = codec<nvcomp_format::gzip, nvcomp_backend::automatic>;
const device_codec nvcomp_gzip_cuda_device = codec<nvcomp_format::gzip, nvcomp_backend::cuda>;
const device_codec nvcomp_gzip_hardware_device = codec<nvcomp_format::gzip, nvcomp_backend::hardware>;
const device_codec nvcomp_deflate_device = codec<nvcomp_format::deflate, nvcomp_backend::cuda>;

}  // namespace cuphoton::xdr
