// gzip_frame_test.cpp: headers, trailers and lengths of gzip members, written by hand. Every tile goes through the host
// engine, the core with one lane and shuffled lanes, and libdeflate; all must agree.
#include <gtest/gtest.h>

#include "base/lanes.hpp"
#include "codecs/gzip/crc32_core.hpp"
#include "support/codec_cores.hpp"
#include "support/deflate_writer.hpp"

namespace cuphoton::xdr::test {
namespace {

class gzip_frame : public testing::Test {
 protected:
  tile_result decode(const byte_vector& tile, std::uint64_t pixels, std::uint32_t bytes_per_pixel = 1) {
    const auto [decoded, difference] =
        judge_.decode(*find_codec(codec_id::gzip_1), {}, tile, pixels, bytes_per_pixel, placement::at_end, 1);
    EXPECT_EQ(difference, "");
    written_.assign(decoded.raw, decoded.raw + decoded.result.bytes_written);
    return decoded.result;
  }
  tile_status status(const byte_vector& tile, std::uint64_t pixels = 3) { return decode(tile, pixels).status; }
  /// "abc" in a stored block behind any header.
  static byte_vector abc(byte_vector header) {
    lsb_bit_writer bits;
    stored_block(bits, true, content);
    return gzip_member(bits.bytes(), content, std::move(header));
  }
  static byte_vector with(byte_vector header, std::initializer_list<int> more) {
    for (const int byte : more) header.push_back(static_cast<std::uint8_t>(byte));
    return header;
  }

  static inline const byte_vector content{'a', 'b', 'c'};
  tile_judge judge_{1 << 17, 1 << 17};
  byte_vector written_;
};

TEST_F(gzip_frame, a_member_byte_by_byte) {
  const byte_vector tile{0x1f, 0x8b, 8,    0,    0, 0, 0, 0, 0, 3,  // magic, DEFLATE, no flags, Unix
                         0x01,                                      // last block, stored
                         3,    0,    0xfc, 0xff,                    // LEN, its complement
                         'a',  'b',  'c',                           // content
                         0xc2, 0x41, 0x24, 0x35,                    // CRC32 of "abc": 352441c2
                         3,    0,    0,    0};                      // ISIZE
  const tile_result result = decode(tile, 3);
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_EQ(result.bits_used, 8 * tile.size());
  EXPECT_EQ(result.element_bytes, 1);
  EXPECT_FALSE(result.surplus_input);
  EXPECT_EQ(written_, content);
}

TEST_F(gzip_frame, optional_fields_are_skipped) {
  const byte_vector extra = with(plain_header(4), {5, 0, 1, 2, 3, 4, 5});  // XLEN 5
  EXPECT_EQ(status(abc(extra)), tile_status::ok);
  EXPECT_EQ(status(abc(with(plain_header(4), {0, 0}))), tile_status::ok);  // XLEN 0
  EXPECT_EQ(status(abc(with(plain_header(8), {'f', '.', 'f', 0}))), tile_status::ok);
  EXPECT_EQ(status(abc(with(plain_header(8), {0}))), tile_status::ok);  // a name of no characters
  EXPECT_EQ(status(abc(with(plain_header(16), {'w', 'h', 'y', 0}))), tile_status::ok);
  EXPECT_EQ(status(abc(with(plain_header(2), {0xde, 0xad}))), tile_status::ok);  // a header CRC is not judged
  EXPECT_EQ(status(abc(plain_header(1))), tile_status::ok);                      // FTEXT: a hint
  EXPECT_EQ(status(abc(with(plain_header(31), {1, 0, 9, 'n', 0, 'c', 0, 1, 2}))), tile_status::ok);  // all, in order
}

TEST_F(gzip_frame, a_header_that_is_none) {
  for (const std::size_t place : {0u, 1u, 2u}) {  // magic, magic, method
    byte_vector tile = abc(plain_header());
    tile[place] ^= 1;
    EXPECT_EQ(status(tile), tile_status::bad_data) << place;
  }
  for (const int flag : {0x20, 0x40, 0x80}) {
    EXPECT_EQ(status(abc(plain_header(static_cast<std::uint8_t>(flag)))), tile_status::bad_data) << flag;
  }
}

TEST_F(gzip_frame, fields_that_run_into_the_trailer) {
  // Judged by the header's own checks: no bit of the payload is looked at.
  const auto expect_refused = [&](byte_vector header, std::size_t length_bytes, std::uint8_t fill) {
    header.resize(length_bytes, fill);
    const tile_result result = decode(header, 3);
    EXPECT_EQ(result.status, tile_status::truncated);
    EXPECT_EQ(result.check.file, 1);  // frame_core.hpp
    EXPECT_EQ(result.bits_used, 0u);
  };
  expect_refused(plain_header(), 17, 0);                 // no room for header and trailer
  expect_refused(plain_header(4), 18, 0);                // no XLEN
  expect_refused(plain_header(4), 19, 0);                // half of it
  expect_refused(plain_header(4), 28, 9);                // XLEN 0x0909
  expect_refused(with(plain_header(4), {9, 0}), 28, 0);  // one byte too long
  expect_refused(plain_header(8), 18, 0);                // the zero lies in the trailer
  expect_refused(plain_header(8), 40, 'x');
  expect_refused(plain_header(16), 40, 'x');
  expect_refused(plain_header(2), 18, 0);
  expect_refused(plain_header(2), 19, 0);
}

TEST_F(gzip_frame, checksum_and_length_are_verified) {
  const byte_vector good = abc(plain_header());
  for (std::size_t place = good.size() - 8; place < good.size(); ++place) {
    byte_vector tile = good;
    tile[place] ^= 0x10;
    const tile_result result = decode(tile, 3);
    EXPECT_EQ(result.status, tile_status::bad_checksum) << place;
    EXPECT_EQ(result.bits_used, 8 * tile.size());
    EXPECT_EQ(result.bytes_written, 3u);
  }
  byte_vector tile = good;
  tile[15] = 'X';  // the content itself
  EXPECT_EQ(status(tile), tile_status::bad_checksum);
}

TEST_F(gzip_frame, the_width_follows_from_the_length) {
  const byte_vector eight{1, 2, 3, 4, 5, 6, 7, 8};
  lsb_bit_writer bits;
  stored_block(bits, true, eight);
  const byte_vector tile = gzip_member(bits.bytes(), eight);
  for (const std::uint32_t width : {1u, 2u, 4u, 8u}) {
    const tile_result result = decode(tile, 8 / width, 8);
    EXPECT_EQ(result.status, tile_status::ok);
    EXPECT_EQ(result.element_bytes, width);
  }
  EXPECT_EQ(decode(tile, 3, 8).status, tile_status::output_short);  // 8 is not 3, 6, 12 or 24
  EXPECT_EQ(decode(tile, 9, 8).status, tile_status::output_short);
  EXPECT_EQ(decode(tile, 7, 1).status, tile_status::output_long);
  EXPECT_EQ(decode(tile, 2, 2).status, tile_status::output_long);  // whole pixels, but the plan has no room for them
  EXPECT_EQ(decode(tile, 1, 7).status, tile_status::output_long);
  const tile_result none = decode(tile, 0, 8);
  EXPECT_EQ(none.status, tile_status::output_long);
  EXPECT_EQ(none.bytes_written, 0u);
}

TEST_F(gzip_frame, no_pixels_may_come_in_a_member) {
  lsb_bit_writer bits;
  stored_block(bits, true, {});
  EXPECT_EQ(decode(gzip_member(bits.bytes(), {}), 0).status, tile_status::ok);
}

TEST_F(gzip_frame, only_the_first_member_counts) {
  byte_vector tile = abc(plain_header());
  const std::size_t first_bytes = tile.size();
  tile.insert(tile.end(), tile.begin(), tile.begin() + static_cast<std::ptrdiff_t>(first_bytes));
  tile_result result = decode(tile, 3);
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_TRUE(result.surplus_input);
  EXPECT_EQ(result.bits_used, 8 * first_bytes);
  result = decode(tile, 6, 2);  // both together would fill it
  EXPECT_EQ(result.status, tile_status::output_short);
  EXPECT_EQ(result.bytes_written, 3u);
}

TEST(crc32_core, equals_libdeflate_in_any_order_of_slices) {
  byte_vector bytes(20000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * i >> 3);
  std::uint32_t partial[crc32_slices];
  shuffled_lanes lanes(7);
  for (std::size_t length = 0; length <= bytes.size(); length += length < 300 ? 1 : 997) {
    EXPECT_EQ(crc32_of(lanes, crc32_host_tables, bytes.data(), length, partial),
              libdeflate_crc32(0, bytes.data(), length))
        << length;
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
