// gzip_nvcomp.cpp: nvCOMP as one more device decoder of the gzip rows: which requests name it, what keeps it from being
// used, and the memory of its batches. The kernels around its call are in gzip_nvcomp_cuda.cu.
#include "codecs/gzip/gzip_nvcomp.hpp"

#include <algorithm>
#include <string>

#include <cuphoton/xdr/error.hpp>

#include "codecs/gzip/nvcomp_batch.hpp"
#include "device/api.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::uint64_t most_raw_bytes = 0xffffffffU;  // nvCOMP's limit of one stream

std::uint64_t round_up(std::uint64_t bytes) {
  return (bytes + nvcomp_part_alignment - 1) / nvcomp_part_alignment * nvcomp_part_alignment;
}

std::string request_text(const read_options& options) {
  return "gzip_decoder '" + std::string(name(options.gzip_decoder)) + "' with decompression_backend '" +
         std::string(name(options.decompression_backend)) + "'";
}

std::optional<reason> library_obstacle(const read_options& options, std::uint64_t largest_raw_bytes) {
  std::string why;
  if (find_nvcomp(options.nvcomp_folder, why) == nullptr) {
    return reason{reason_code::nvcomp_unavailable, -1,
                  request_text(options) + " needs nvCOMP 5 or 6, which is unavailable (" + why +
                      "): pip install nvidia-libnvcomp-cu13, or leave both out: the built-in decoder needs nothing"};
  }
  if (largest_raw_bytes > most_raw_bytes) {
    return reason{reason_code::nvcomp_unavailable, -1,
                  "nvCOMP takes tiles of up to 4294967295 bytes, here one may have " +
                      std::to_string(largest_raw_bytes) + ": use gzip_decoder 'builtin'"};
  }
  return std::nullopt;
}

std::optional<reason> hardware_obstacle(const read_options& options, std::uint64_t largest_raw_bytes) {
  const auto refuse = [](const std::string& text) { return reason{reason_code::hardware_unavailable, -1, text}; };
  const std::string which = "CUDA device " + std::to_string(options.device);
  device::decompression_engine engine;
  if (device::api().find_engine(&engine, options.device) != 0 || !engine.inflates) {
    return refuse("decompression_backend 'hardware': " + which +
                  " has no decompression engine that inflates: use 'auto' or 'cuda'");
  }
  if (largest_raw_bytes > engine.longest_bytes) {
    return refuse("decompression_backend 'hardware': the engine of " + which + " takes streams of up to " +
                  std::to_string(engine.longest_bytes) + " bytes, a tile may have " +
                  std::to_string(largest_raw_bytes) + ": use 'auto' or 'cuda'");
  }
  return library_obstacle(options, largest_raw_bytes);
}

std::string note_of(const char* format, const char* backend) {
  return "nvCOMP " + nvcomp_in_use().version() + " inflated the tiles (" + format + ", engine: " + backend +
         "): for trusted files only";
}

#if defined(XDR_HAVE_CUDA)
#define XDR_DEVICE(engine) &engine
#else
#define XDR_DEVICE(engine) nullptr
#endif

constexpr device_alternative gzip_any{"nvcomp gzip", false, &library_obstacle,
                                      [] { return note_of("gzip", "unknown, nvCOMP chose"); },
                                      XDR_DEVICE(nvcomp_gzip_device)};
constexpr device_alternative gzip_cuda{"nvcomp gzip", false, &library_obstacle, [] { return note_of("gzip", "CUDA"); },
                                       XDR_DEVICE(nvcomp_gzip_cuda_device)};
constexpr device_alternative gzip_hardware{"nvcomp gzip", true, &hardware_obstacle,
                                           [] { return note_of("gzip", "hardware"); },
                                           XDR_DEVICE(nvcomp_gzip_hardware_device)};
constexpr device_alternative deflate{"nvcomp deflate", false, &library_obstacle,
                                     [] { return note_of("deflate", "CUDA"); }, XDR_DEVICE(nvcomp_deflate_device)};

void require_success(int status, const char* what) {
  if (status == 0) return;
  throw error(
      errc::unsupported, {},
      std::string("nvCOMP cannot ") + what + ": " + nvcomp_status_text(status) + "; use gzip_decoder 'builtin'");
}

}  // namespace

const device_alternative* choose_nvcomp(const read_options& options) noexcept {
  const bool hardware = options.decompression_backend == decompression_backend_choice::hardware;
  switch (options.gzip_decoder) {
    case gzip_decoder_choice::automatic: return hardware ? &gzip_hardware : nullptr;
    case gzip_decoder_choice::builtin: return nullptr;
    case gzip_decoder_choice::gzip: break;
    case gzip_decoder_choice::deflate: return &deflate;
  }
  if (hardware) return &gzip_hardware;
  return options.decompression_backend == decompression_backend_choice::cuda ? &gzip_cuda : &gzip_any;
}

nvcomp_layout lay_out(const nvcomp_library& library, const nvcomp_task& task) {
  nvcomp_alignments needed;
  require_success(library.alignments(task.format, task.backend, needed), "say which addresses it takes");
  if (std::max({needed.input, needed.output, needed.scratch}) > nvcomp_part_alignment) {
    throw error(errc::unsupported, {},
                "nvCOMP wants addresses aligned to more than " + std::to_string(nvcomp_part_alignment) +
                    " bytes: use gzip_decoder 'builtin'");
  }
  nvcomp_layout layout;
  layout.slot_stride = round_up(std::max<std::uint64_t>(task.largest_raw_bytes, 1) + nvcomp_slack_bytes);
  if (needed.input > 1) layout.staging_stride = round_up(task.largest_compressed_bytes + nvcomp_stand_in_bytes);
  const std::uint64_t tile_bytes = layout.slot_stride + layout.staging_stride;
  const std::uint64_t fitting = std::max<std::uint64_t>(nvcomp_most_batch_bytes / tile_bytes, 1);
  layout.batch_tiles = static_cast<std::uint32_t>(
      std::min({fitting, std::uint64_t{std::max(task.tiles, 1U)}, std::uint64_t{0x7fffffff}}));
  const std::size_t largest = static_cast<std::size_t>(std::max<std::uint64_t>(task.largest_raw_bytes, 1));
  require_success(library.scratch_bytes(task.format, task.backend, layout.batch_tiles, largest, layout.scratch_bytes),
                  "say how much memory it needs");

  layout.table_stride = round_up(std::uint64_t{layout.batch_tiles} * sizeof(std::uint64_t));
  layout.stand_in_at = 7 * layout.table_stride;
  layout.scratch_at = layout.stand_in_at + round_up(nvcomp_stand_in_bytes);
  layout.staging_at = layout.scratch_at + round_up(layout.scratch_bytes);
  layout.slots_at = layout.staging_at + layout.batch_tiles * layout.staging_stride;
  const std::uint64_t tail = std::min(3 * layout.slot_stride, nvcomp_most_tail_bytes);
  layout.total_bytes = layout.slots_at + layout.batch_tiles * layout.slot_stride + round_up(tail);
  return layout;
}

nvcomp_batch place_batch(const nvcomp_layout& layout, const nvcomp_task& task, std::uint8_t* memory,
                         std::uint32_t first) {
  const auto table = [&](std::uint64_t number) { return memory + number * layout.table_stride; };
  nvcomp_batch batch;
  batch.tables.inputs = reinterpret_cast<const void**>(table(0));
  batch.tables.input_bytes = reinterpret_cast<std::size_t*>(table(1));
  batch.tables.capacities = reinterpret_cast<std::size_t*>(table(2));
  batch.tables.written = reinterpret_cast<std::size_t*>(table(3));
  batch.tables.outputs = reinterpret_cast<void**>(table(4));
  batch.tables.statuses = reinterpret_cast<int*>(table(5));
  batch.raw_bytes = reinterpret_cast<std::uint32_t*>(table(6));
  batch.stand_in = memory + layout.stand_in_at;
  if (layout.staging_stride != 0) batch.staging = memory + layout.staging_at;
  batch.staging_stride = layout.staging_stride;
  batch.slots = memory + layout.slots_at;
  batch.slot_stride = layout.slot_stride;
  batch.first = first;
  batch.count = std::min(layout.batch_tiles, task.tiles - first);
  batch.strips_frame = task.format == nvcomp_format::deflate;
  return batch;
}

const nvcomp_library& nvcomp_in_use() {
  std::string why;
  const nvcomp_library* const library = find_nvcomp({}, why);
  if (library == nullptr) throw error(errc::internal, {}, "nvCOMP was not asked for before it was used: " + why);
  return *library;
}

void require_reach(nvcomp_backend backend, const void* memory) {
  if (backend != nvcomp_backend::hardware) return;
  bool reached = false;
  device::call("ask what the decompression engine reaches", &device::api_table::engine_reaches, &reached, memory);
  if (!reached) {
    const std::string text =
        "decompression_backend 'hardware': the engine does not reach the memory of this library on this driver: use "
        "'auto' or 'cuda'";
    throw error(errc::unsupported, {}, text, {{reason_code::hardware_unavailable, -1, text}});
  }
}

void run_batch(const nvcomp_library& library, const nvcomp_layout& layout, const nvcomp_task& task,
               const nvcomp_batch& batch, std::uint8_t* memory, CUstream_st* stream) {
  device::require_device("inflate by nvCOMP");
  const int status = library.decompress(task.format, task.backend, batch.tables, batch.count,
                                        memory + layout.scratch_at, layout.scratch_bytes, stream);
  if (status == 0) return;
  device::check(device::api().last_error(), "inflate by nvCOMP");  // where CUDA failed, its own words
  throw error(errc::device_failed, {}, "nvCOMP did not start: " + nvcomp_status_text(status));
}

}  // namespace cuphoton::xdr
