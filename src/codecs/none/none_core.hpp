// none_core.hpp: NOCOMPRESS: a tile's bytes are its pixels, big-endian; all there is to judge is the length.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"

#define XDR_FILE_ID 4

namespace cuphoton::xdr {

/// Element width is length / pixels, which must be 1, 2, 4 or 8 without a rest.
XDR_HD inline verdict judge_raw_length(std::uint64_t length_bytes, std::uint64_t pixels, tile_result& result) {
  for (std::uint32_t width = 1; width <= 8; width *= 2) {
    if (pixels > ~std::uint64_t{0} / 8 || length_bytes != width * pixels)
      continue;  // a product: the device has no divider
    result.bits_used = 8 * length_bytes;
    result.bytes_written = length_bytes;
    result.element_bytes = static_cast<std::uint8_t>(width);
    return {};
  }
  XDR_CHECK(length_bytes / 8 >= pixels, tile_status::output_short);  // not whole pixels of the next width
  return {tile_status::output_long, XDR_HERE};
}

XDR_HD inline tile_result decode_raw_tile(byte_view tile, std::uint64_t pixels) {
  tile_result result;
  const verdict outcome = judge_raw_length(tile.length_bytes, pixels, result);
  result.status = outcome.status;
  result.check = outcome.check;
  return result;
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
