// nvcomp_core.hpp: what of a tile nvCOMP may see, and whether what it made of it is right. nvCOMP trusts its input and
// checks no checksum, so both are judged here: before, that the member's framing promises a whole tile; after, that
// length and CRC32 are the promised ones. A tile that fails either is decoded by our own core (frame_core.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"
#include "codecs/gzip/crc32_core.hpp"
#include "codecs/gzip/frame_core.hpp"

namespace cuphoton::xdr {

/// One gzip member as its framing describes it. No defaults: it lies in shared memory too.
struct framed_tile {
  std::uint64_t payload_begin;  // of DEFLATE
  std::uint64_t payload_end;
  std::uint32_t crc32;
  std::uint32_t raw_bytes;  // 0: not for nvCOMP
};

/// Takes the last eight bytes for the trailer: surplus behind a member makes its length wrong, and the tile ours. The
/// length must be pixels times a width within the room, so a member that honestly holds more never reaches nvCOMP.
XDR_HD inline framed_tile frame_for_nvcomp(byte_view tile, std::uint64_t pixels,
                                           std::uint32_t capacity_bytes_per_pixel) {
  framed_tile framed{};
  std::uint64_t payload_begin = 0;
  if (pixels == 0 || !parse_gzip_header(tile, payload_begin).ok()) return framed;
  const std::uint64_t payload_end = tile.length_bytes - gzip_trailer_bytes;
  const auto length = load_le<std::uint32_t>(tile.data + payload_end + 4);
  const std::uint32_t width = element_width(pixels, length);
  if (width == 0 || width > capacity_bytes_per_pixel) return framed;
  framed.payload_begin = payload_begin;
  framed.payload_end = payload_end;
  framed.crc32 = load_le<std::uint32_t>(tile.data + payload_end);
  framed.raw_bytes = length;
  return framed;
}

/// What nvCOMP says of one stream.
struct nvcomp_answer {
  int status;
  std::size_t written;
};

/// Whether `raw` holds what the member promises. All lanes call it together; `partial` as in crc32_of.
template <class Lanes>
XDR_HD bool nvcomp_was_right(Lanes& lanes, const crc32_tables& tables, const framed_tile& framed,
                             const nvcomp_answer& answer, const std::uint8_t* raw, std::uint32_t* partial) {
  if (framed.raw_bytes == 0 || answer.status != 0 || answer.written != framed.raw_bytes) return false;
  return crc32_of(lanes, tables, raw, framed.raw_bytes, partial) == framed.crc32;
}

/// The verdict of our own core on the same tile (two equal members in one tile apart: their surplus goes unnoticed).
XDR_HD inline tile_result nvcomp_result(const framed_tile& framed, std::uint64_t pixels) {
  tile_result result;
  result.bits_used = 8 * (framed.payload_end + gzip_trailer_bytes);
  result.bytes_written = framed.raw_bytes;
  result.status = tile_status::ok;
  result.element_bytes = static_cast<std::uint8_t>(element_width(pixels, framed.raw_bytes));
  return result;
}

}  // namespace cuphoton::xdr
