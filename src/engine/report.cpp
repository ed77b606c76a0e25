// report.cpp: the text of a corrupt tile.
#include <string>

#include <cuphoton/xdr/error.hpp>

#include "codecs/codec.hpp"
#include "engine/engine.hpp"

namespace cuphoton::xdr {

void report_bad_tile(const image_plan& plan, const tile_group& group, const tile_record& record,
                     const tile_result& result) {
  const codec_row& codec = *find_codec(group.codec);
  const std::string text = std::string(codec.fits_name) + ", " + std::to_string(record.length_bytes) +
                           " bytes at offset " + std::to_string(record.offset_bytes) + ": " +
                           std::string(name(result.status)) + " after " + std::to_string(result.bits_used) +
                           " bits and " + std::to_string(result.bytes_written) + " raw bytes (check " +
                           std::to_string(result.check.file) + ":" + std::to_string(result.check.line) +
                           "); the file is damaged, fetch it again or verify it";
  throw error(errc::tile_corrupt, {plan.file, plan.hdu_index, static_cast<long long>(record.tile_index)}, text);
}

}  // namespace cuphoton::xdr
