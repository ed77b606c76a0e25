// engine.hpp: who runs a plan. With byte_source the only virtual interface.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>
#include <cuphoton/xdr/status.hpp>
#include <cuphoton/xdr/stream.hpp>

namespace cuphoton::xdr {

/// Memory for the section: exactly its bytes, aligned for its type.
struct run_target {
  std::uint8_t* data = nullptr;
  std::uint64_t size_bytes = 0;
  memory_space space = memory_space::host;
  stream_view after;  // device memory: nothing is written before what this stream holds is done
};

/// What a run can tell afterwards, for the receipt.
struct run_facts {
  std::uint64_t bytes_read = 0;
  std::map<codec_id, std::uint64_t> tiles;
  std::uint64_t surplus_tiles = 0;  // tiles with bytes after the end of their stream
  bool doubtful_zero_code = false;  // see restore.hpp
  bool crc32_verified = true;       // of gzip tiles
  std::string gzip_decoder;         // that ran; "" where no tile is gzip
  std::vector<std::string> notes;
};

class engine {
 public:
  virtual ~engine() = default;
  virtual const char* name() const noexcept = 0;
  /// Reads, decodes and restores every tile of a valid plan into `target`; complete when this returns. Uses `threads`,
  /// `device`, `gzip_crc32` and the choices of a gzip decoder of the options. Throws error{tile_corrupt} for the bad
  /// tile with the lowest number, so that the text does not depend on timing, {file_truncated, io_failed} from the
  /// source, {out_of_memory, device_failed, device_lost}. After an error the target's content is undefined.
  virtual run_facts run(const image_plan& plan, const byte_source& source, const run_target& target,
                        const read_options& options) const = 0;
};

/// The engine of the processor: always there. Host memory only.
const engine& host_engine() noexcept;
/// The engine of the GPU; nullptr in builds without CUDA. Host and device memory.
const engine* device_engine() noexcept;

/// Throws the error{tile_corrupt} of a bad tile: the same words whichever engine met it.
[[noreturn]] void report_bad_tile(const image_plan& plan, const tile_group& group, const tile_record& record,
                                  const tile_result& result);

}  // namespace cuphoton::xdr
