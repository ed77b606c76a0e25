// resident.hpp: the compressed bytes and tile tables of one plan in device memory, ready to be decoded, once or
// (benchmarks) many times. Steps 6 to 8 of the life of an image on the device.
#pragma once

#include <cstdint>
#include <vector>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>

#include "codecs/codec.hpp"
#include "device/context.hpp"
#include "engine/engine.hpp"
#include "engine/summary.hpp"
#include "restore/device_group.hpp"

namespace cuphoton::xdr {

class resident_image {
 public:
  /// Allocates everything, then reads: an out_of_memory comes before the first byte is read. `plan`, `context` and
  /// `slot` outlive this. Throws error{out_of_memory, io_failed, file_truncated, device_failed, device_lost}.
  /// Of the options only the two choices of a gzip decoder count; the choice must have no obstacle (codec.hpp).
  resident_image(const image_plan& plan, const byte_source& source, device::device_context& context,
                 device::work_slot& slot, unsigned threads, const read_options& options = {});

  /// Enqueues decoding of all tiles to `out` (device memory of the section) on the slot's work stream.
  void decode(std::uint8_t* out, bool verify_crc32, restore_variant variant = restore_variant::fused);
  /// Raw elements between decoding and the other stages, after a decode with restore_variant::separate: device memory
  /// of the section, a place as wide as a pixel for each (restore/separate.hpp).
  const std::uint8_t* intermediate() const noexcept { return intermediate_.data(); }
  /// Waits for the work stream and judges the results. Throws error{tile_corrupt} for the lowest bad tile.
  run_facts finish();
  /// All results in the order of the plan's groups and tiles, after the work stream is done; for tests.
  std::vector<tile_result> copy_results() const;
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

 private:
  struct host_tables;
  /// Kernels load whole words and look at no byte that is not a tile's; none of them is left to chance all the same.
  void clear_gaps(const host_tables& tables);
  void place_tables(const host_tables& tables);
  void read(const byte_source& source, const host_tables& tables, unsigned threads);
  /// Throws error{unsupported} where a decoder that must be alone was not.
  void tell_gzip_decoder(run_facts& facts, bool second_decoder) const;
  void copy_results(std::uint32_t first, std::uint32_t count, tile_result* out) const;

  const image_plan& plan_;
  device::device_context& context_;
  device::work_slot& slot_;
  std::vector<const device_codec*> codecs_;          // of each group: the row's own, or the alternative that was named
  const device_alternative* alternative_ = nullptr;  // the one that some group has
  std::vector<device_group> groups_;        // one for each group of the plan, `out` and verify_crc32 set by decode
  std::vector<const tile_group*> sources_;  // the plan's group, in the same order
  std::vector<std::vector<std::uint32_t>> order_;  // tile of the device group -> tile of the plan's group
  std::vector<std::uint32_t> first_result_;        // place of each group's first result among all
  device::buffer arena_;
  device::buffer tables_;   // tile_records and null values, as uploaded
  device::buffer results_;  // tile_results of all groups, then one run_summary
  device::buffer scratch_;
  device::buffer intermediate_;
  tile_result* all_results_ = nullptr;
  run_summary* summary_ = nullptr;
  std::uint32_t tile_count_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool verified_ = true;
};

}  // namespace cuphoton::xdr
