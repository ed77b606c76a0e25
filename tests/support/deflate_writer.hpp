// deflate_writer.hpp: pieces of DEFLATE streams (RFC 1951) and gzip members (RFC 1952) written by hand in tests.
#pragma once

#include <libdeflate.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "support/bit_writer.hpp"

namespace cuphoton::xdr::test {

using byte_vector = std::vector<std::uint8_t>;

/// BFINAL, BTYPE.
inline lsb_bit_writer& block_header(lsb_bit_writer& bits, bool last, int type) {
  return bits.put(last ? 1 : 0, 1).put(static_cast<std::uint64_t>(type), 2);
}

/// Fixed code of a literal or length symbol, RFC 1951 §3.2.6: 0-143 in 8 bits from 00110000, 144-255 in 9 from
/// 110010000, 256-279 in 7 from 0000000, 280-287 in 8 from 11000000.
inline lsb_bit_writer& fixed_symbol(lsb_bit_writer& bits, int symbol) {
  if (symbol < 144) return bits.code(static_cast<std::uint64_t>(0x30 + symbol), 8);
  if (symbol < 256) return bits.code(static_cast<std::uint64_t>(0x190 + symbol - 144), 9);
  if (symbol < 280) return bits.code(static_cast<std::uint64_t>(symbol - 256), 7);
  return bits.code(static_cast<std::uint64_t>(0xc0 + symbol - 280), 8);
}

/// Fixed code of a distance symbol: 5 bits.
inline lsb_bit_writer& fixed_distance(lsb_bit_writer& bits, int symbol) {
  return bits.code(static_cast<std::uint64_t>(symbol), 5);
}

inline lsb_bit_writer& stored_block(lsb_bit_writer& bits, bool last, std::span<const std::uint8_t> content) {
  block_header(bits, last, 0).align();
  bits.put(content.size(), 16).put(content.size() ^ 0xffffu, 16);
  for (const std::uint8_t byte : content) bits.byte(byte);
  return bits;
}

/// Code length symbol in the precode that dynamic_header writes: 0-12 have 4 bits from 0000, 13-18 have 5 bits from
/// 11010. 13/16 + 6/32 = 1: complete.
inline lsb_bit_writer& precode_symbol(lsb_bit_writer& bits, int symbol) {
  if (symbol < 13) return bits.code(static_cast<std::uint64_t>(symbol), 4);
  return bits.code(static_cast<std::uint64_t>(26 + symbol - 13), 5);
}

/// Header of a dynamic block up to and including the precode (RFC 1951 §3.2.7); the lengths themselves follow.
inline lsb_bit_writer& dynamic_header(lsb_bit_writer& bits, bool last, int literals, int distances) {
  block_header(bits, last, 2);
  bits.put(static_cast<std::uint64_t>(literals - 257), 5).put(static_cast<std::uint64_t>(distances - 1), 5);
  bits.put(19 - 4, 4);
  for (const int symbol : {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}) {
    bits.put(symbol < 13 ? 4 : 5, 3);
  }
  return bits;
}

using symbol_lengths = std::initializer_list<std::pair<int, int>>;

/// A dynamic block's header with every length written one by one; symbols not named have none.
inline lsb_bit_writer& dynamic_codes(lsb_bit_writer& bits, bool last, symbol_lengths literal, symbol_lengths distance,
                                     int literals = 286, int distances = 30) {
  dynamic_header(bits, last, literals, distances);
  std::vector<int> lengths(static_cast<std::size_t>(literals + distances), 0);
  for (const auto& [symbol, length] : literal) lengths[static_cast<std::size_t>(symbol)] = length;
  for (const auto& [symbol, length] : distance) lengths[static_cast<std::size_t>(literals + symbol)] = length;
  for (const int length : lengths) precode_symbol(bits, length);
  return bits;
}

/// A number as RFC 1952 stores it.
inline void append_le(byte_vector& bytes, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// Ten bytes without optional fields.
inline byte_vector plain_header(std::uint8_t flags = 0) {
  return {0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255};
}

/// A member around `payload`, whose trailer belongs to `content`.
inline byte_vector gzip_member(std::span<const std::uint8_t> payload, std::span<const std::uint8_t> content,
                               byte_vector header = plain_header()) {
  byte_vector bytes = std::move(header);
  // By one: g++ 12 sees an insert of a range read past the header that it was made from.
  for (const std::uint8_t byte : payload) bytes.push_back(byte);
  append_le(bytes, libdeflate_crc32(0, content.data(), content.size()), 4);
  append_le(bytes, content.size(), 4);
  return bytes;
}

}  // namespace cuphoton::xdr::test
