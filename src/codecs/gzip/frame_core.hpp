// frame_core.hpp: one gzip member (RFC 1952) around a DEFLATE stream, as GZIP_1 and GZIP_2 store a tile: header,
// payload, CRC32 and ISIZE, and the rule that the payload is pixels times 1, 2, 4 or 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"
#include "codecs/gzip/crc32_core.hpp"
#include "codecs/gzip/inflate_core.hpp"

#define XDR_FILE_ID 1

namespace cuphoton::xdr {

inline constexpr std::size_t gzip_header_bytes = 10;  // without optional fields
inline constexpr std::size_t gzip_trailer_bytes = 8;  // CRC32, ISIZE

/// Working storage of one tile.
struct gzip_workspace {
  inflate_tables inflate;
  std::uint32_t partial_crc[crc32_slices];
};

/// Widest element, 8 to 1 bytes, of which `pixels` fit `room_bytes`; 0 if not even bytes do.
XDR_HD constexpr std::uint32_t widest_element(std::uint64_t pixels, std::uint64_t room_bytes) {
  for (std::uint32_t width = 8; width != 0; width /= 2) {
    if (pixels <= room_bytes / width) return width;
  }
  return 0;
}

/// Width of an element, or 0 where `bytes` is not pixels times 1, 2, 4 or 8. No pixels in no bytes: 1.
XDR_HD constexpr std::uint32_t element_width(std::uint64_t pixels, std::uint64_t bytes) {
  for (std::uint32_t width = 1; width <= 8; width *= 2) {
    if (bytes % width == 0 && bytes / width == pixels) return width;
  }
  return 0;
}

/// Little-endian field, as RFC 1952 has them.
template <class T>
XDR_HD T load_le(const std::uint8_t* bytes) {
  return load_native<T>(bytes);
}

/// Skips the header. `payload_begin` gets the first byte of DEFLATE; at least the trailer's 8 bytes lie behind it.
XDR_HD inline verdict parse_gzip_header(byte_view member, std::uint64_t& payload_begin) {
  enum : std::uint32_t { header_crc = 2, extra_field = 4, file_name = 8, comment = 16, reserved = 0xe0 };
  payload_begin = 0;
  XDR_CHECK(member.length_bytes >= gzip_header_bytes + gzip_trailer_bytes, tile_status::truncated);
  XDR_CHECK(member.data[0] == 0x1f && member.data[1] == 0x8b, tile_status::bad_data);
  XDR_CHECK(member.data[2] == 8, tile_status::bad_data);  // method: DEFLATE
  const std::uint32_t flags = member.data[3];
  XDR_CHECK((flags & reserved) == 0, tile_status::bad_data);           // RFC 1952 §2.3.1.2
  const std::uint64_t end = member.length_bytes - gzip_trailer_bytes;  // every field ends before the trailer
  std::uint64_t next = gzip_header_bytes;
  if ((flags & extra_field) != 0) {
    XDR_CHECK(end - next >= 2, tile_status::truncated);
    const std::uint64_t extra_bytes = load_le<std::uint16_t>(member.data + next);
    XDR_CHECK(end - next - 2 >= extra_bytes, tile_status::truncated);
    next += 2 + extra_bytes;
  }
  for (std::uint32_t text = file_name; text <= comment; text *= 2) {
    if ((flags & text) == 0) continue;
    while (next < end && member.data[next] != 0) ++next;
    XDR_CHECK(next < end, tile_status::truncated);  // no terminating zero
    ++next;
  }
  if ((flags & header_crc) != 0) {  // its value is not judged: libdeflate does not, and the payload has its own
    XDR_CHECK(end - next >= 2, tile_status::truncated);
    next += 2;
  }
  payload_begin = next;
  return {};
}

/// Decodes a member into `out`; `result` gets position and lengths, also where the verdict is not ok. ISIZE is verified
/// always, the CRC32 where `verify_crc32` says so.
template <class Reader, class Lanes, class Output>
XDR_HD verdict decode_gzip_member(Lanes& lanes, gzip_workspace& work, const crc32_tables& crc_tables, byte_view member,
                                  std::uint64_t pixels, bool verify_crc32, Output& out, tile_result& result) {
  std::uint64_t payload_begin = 0;
  XDR_TRY(parse_gzip_header(member, payload_begin));
  const std::uint64_t payload_end = member.length_bytes - gzip_trailer_bytes;
  Reader reader({member.data + payload_begin, static_cast<std::size_t>(payload_end - payload_begin)});
  const verdict inflated = inflate(lanes, reader, work.inflate, out);
  const std::uint64_t position_bits = 8 * payload_begin + reader.bits_used();
  result.bits_used = position_bits < 8 * payload_end ? position_bits : 8 * payload_end;
  result.bytes_written = out.written;
  XDR_TRY(inflated);

  const std::uint64_t trailer_begin = (position_bits + 7) / 8;  // <= payload_end: the reader did not overrun
  const std::uint64_t used_bytes = trailer_begin + gzip_trailer_bytes;
  result.bits_used = 8 * used_bytes;
  const auto stored_crc = load_le<std::uint32_t>(member.data + trailer_begin);
  const auto stored_length = load_le<std::uint32_t>(member.data + trailer_begin + 4);
  XDR_CHECK(stored_length == static_cast<std::uint32_t>(out.written), tile_status::bad_checksum);  // modulo 2^32
  XDR_CHECK(!verify_crc32 || stored_crc == crc32_of(lanes, crc_tables, out.bytes, out.written, work.partial_crc),
            tile_status::bad_checksum);
  // What inflate could not place has been judged (output_long): a length that fits no width is too short for the next
  // one.
  const std::uint32_t width = element_width(pixels, out.written);
  XDR_CHECK(width != 0, tile_status::output_short);
  result.element_bytes = static_cast<std::uint8_t>(width);
  result.surplus_input = used_bytes < member.length_bytes;
  return {};
}

/// Decodes one tile of `pixels` elements into `room`, which holds `room_bytes` bytes, none of which is touched beyond
/// the widest whole tile that fits. Readers and outputs differ in speed only: lsb_reader and inflate_output on the
/// host, word_reader and held_output on the device.
template <class Reader = lsb_reader, class Output = inflate_output, class Lanes>
XDR_HD tile_result decode_gzip_tile(Lanes& lanes, gzip_workspace& work, const crc32_tables& crc_tables, byte_view tile,
                                    std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes,
                                    bool verify_crc32 = true) {
  tile_result result;
  if (pixels == 0 && tile.length_bytes == 0) {
    result.status = tile_status::ok;
    result.element_bytes = 1;
    return result;
  }
  Output out;
  out.bytes = room;
  out.capacity = pixels * widest_element(pixels, room_bytes);
  const verdict outcome = decode_gzip_member<Reader>(lanes, work, crc_tables, tile, pixels, verify_crc32, out, result);
  result.status = outcome.status;
  result.check = outcome.check;
  return result;
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
