// engine.hpp: who runs a plan. With byte_source the only virtual interface; the device engine joins it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/reason.hpp>
#include <cuphoton/xdr/source.hpp>

namespace cuphoton::xdr {

/// What a run can tell afterwards, for the receipt.
struct run_facts {
  std::uint64_t bytes_read = 0;
  std::map<codec_id, std::uint64_t> tiles;
  std::uint64_t surplus_tiles = 0;  // tiles with bytes after the end of their stream
  bool doubtful_zero_code = false;  // see restore.hpp
};

class engine {
 public:
  virtual ~engine() = default;
  virtual const char* name() const noexcept = 0;
  /// Why this engine cannot run `plan`; nothing if it can.
  virtual std::optional<reason> declines(const image_plan& plan) const = 0;
  /// Reads, decodes and restores every tile of a valid plan into `out` (exactly its bytes, aligned for its type), on at
  /// most `threads` threads. Throws error{tile_corrupt} for the bad tile with the lowest number, so that the text does
  /// not depend on timing, {file_truncated, io_failed} from the source, {out_of_memory}. After an error `out` is
  /// undefined.
  virtual run_facts run(const image_plan& plan, const byte_source& source, std::span<std::uint8_t> out,
                        unsigned threads) const = 0;
};

/// The engine of the processor: always there.
const engine& host_engine() noexcept;

}  // namespace cuphoton::xdr
