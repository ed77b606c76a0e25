// GZIP tiles in every shape that a deflate stream may have: sizes around the limits of blocks and windows, each type of
// block, several of them, optional header fields, members behind the first.
#include <gtest/gtest.h>

#include <random>

#include "support/codec_images.hpp"
#include "support/deflate_writer.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;

/// One tile of bytes in a line.
byte_vector file_of(const byte_vector& tile, std::size_t pixels) {
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = 8;
  image.axes = {static_cast<std::int64_t>(pixels)};
  image.tiles = image.axes;
  image.columns = {{"COMPRESSED_DATA", "1PB", {tile}}};
  return test::compressed_file(image);
}

void expect_bytes(const byte_vector& tile, const byte_vector& content, const std::string& what) {
  const image pixels = test::load_both(file_of(tile, content.size()), 1);
  ASSERT_EQ(pixels.type(), pixel_type::u8);
  ASSERT_EQ(pixels.size_bytes(), content.size()) << what;
  ASSERT_TRUE(std::equal(content.begin(), content.end(), pixels.data())) << what;
}

/// Noise with repetitions near and far, so that every kind of block is worth its while.
byte_vector mixed(std::size_t length) {
  std::mt19937 random(55);
  byte_vector bytes(length);
  for (std::size_t i = 0; i < length; ++i) {
    const bool far = i > 32000 && i % 700 < 200;
    const bool near = i > 7 && i % 100 < 40;
    bytes[i] = far ? bytes[i - 31999] : near ? bytes[i - 7] : static_cast<std::uint8_t>(random() % 40);
  }
  return bytes;
}

TEST(deflate_shapes, tiles_of_one_byte_to_over_4_mib) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{33}, std::size_t{65535}, std::size_t{65536},
                                   std::size_t{65537}, (std::size_t{4} << 20) + 1}) {
    const byte_vector content = mixed(length);
    for (const int level : {0, 1, 12}) {
      if (level == 12 && length > 100'000) continue;  // slow to write, the same to read
      ASSERT_NO_FATAL_FAILURE(
          expect_bytes(test::gzip_by_libdeflate(content, level), content, std::to_string(length) + " bytes"));
    }
#if defined(XDR_HAVE_ZLIB)
    ASSERT_NO_FATAL_FAILURE(expect_bytes(test::gzip_by_zlib(content, 6), content, "zlib"));
#endif
  }
}

TEST(deflate_shapes, many_tiles_at_odd_addresses) {
  const std::int64_t sizes[] = {1, 3, 33, 1000};
  for (const std::int64_t columns : sizes) {
    test::compressed_image made;
    made.codec = "GZIP_2";
    made.axes = {columns, 7};
    made.tiles = {columns, 1};
    made.columns = {{"COMPRESSED_DATA", "1PB", {}}};
    std::vector<std::int16_t> expected;
    made.heap_start = {0};  // the first tile starts at an odd address
    for (std::int16_t row = 0; row < 7; ++row) {
      byte_vector high;
      byte_vector low;
      for (std::int64_t i = 0; i < columns; ++i) {
        expected.push_back(static_cast<std::int16_t>(i * 37 - 999 * row));
        high.push_back(static_cast<std::uint8_t>(static_cast<std::uint16_t>(expected.back()) >> 8));
        low.push_back(static_cast<std::uint8_t>(static_cast<std::uint16_t>(expected.back()) & 0xff));
      }
      test::append(high, low);
      made.columns[0].cells.emplace_back(test::gzip_by_libdeflate(high, row));
    }
    test::expect_pixels(test::load_both(test::compressed_file(made), 1), expected);
  }
}

TEST(deflate_shapes, blocks_of_each_type_in_one_stream) {
  const byte_vector content = {'s', 't', 'o', 'r',  'e', 'd', 'a', 'b', 'a',
                               'b', 'a', 'b', 0xC8, 'z', 'z', 'z', 'z', 'z'};
  test::lsb_bit_writer bits;
  test::stored_block(bits, false, std::span(content).first(6));
  test::stored_block(bits, false, {});  // an empty block is legal anywhere
  test::block_header(bits, false, 1);   // fixed: a b, four bytes from two back, 0xC8
  for (const int symbol : {int{'a'}, int{'b'}, 258}) test::fixed_symbol(bits, symbol);
  test::fixed_distance(bits, 1);
  for (const int symbol : {0xC8, 256}) test::fixed_symbol(bits, symbol);
  test::block_header(bits, false, 1);  // fixed and empty
  test::fixed_symbol(bits, 256);
  // Dynamic: z, then four from one back. Codes by length and symbol: z 0, end 10, length 4 (258) 11.
  test::dynamic_codes(bits, true, {{'z', 1}, {256, 2}, {258, 2}}, {{0, 1}});
  bits.code(0, 1).code(3, 2).code(0, 1).code(2, 2);
  expect_bytes(test::gzip_member(bits.bytes(), content), content, "four types of blocks");
}

TEST(deflate_shapes, optional_header_fields_are_passed_over) {
  const byte_vector content = mixed(300);
  const byte_vector whole_member = test::gzip_by_libdeflate(content, 6);
  const std::span<const std::uint8_t> payload = std::span(whole_member).subspan(10, whole_member.size() - 18);
  for (unsigned flags = 0; flags < 32; ++flags) {  // FTEXT 1, FHCRC 2, FEXTRA 4, FNAME 8, FCOMMENT 16
    byte_vector header = test::plain_header(static_cast<std::uint8_t>(flags));
    if ((flags & 4U) != 0) {
      test::append_le(header, 6, 2);
      test::append(header, {'X', 'D', 2, 0, 0x1f, 0x8b});
    }
    if ((flags & 8U) != 0) test::append(header, {'t', 'i', 'l', 'e', '.', 'g', 'z', 0});
    if ((flags & 16U) != 0) test::append(header, {0});
    if ((flags & 2U) != 0) test::append(header, {0x12, 0x34});
    ASSERT_NO_FATAL_FAILURE(
        expect_bytes(test::gzip_member(payload, content, header), content, "flags " + std::to_string(flags)));
  }
  for (const std::uint8_t reserved : byte_vector{0x20, 0x40, 0x80}) {
    const byte_vector tile = test::gzip_member(payload, content, test::plain_header(reserved));
    test::expect_error(test::error_of(file_of(tile, 300), 1), errc::tile_corrupt, {"made.fits", 1, 0}, {"bad_data"});
  }
}

TEST(deflate_shapes, the_first_member_is_the_tile) {
  const byte_vector content = mixed(100);
  const byte_vector other(100, 9);
  byte_vector two = test::gzip_by_libdeflate(content, 6);
  test::append(two, test::gzip_by_libdeflate(other, 6));
  const image pixels = test::load_both(file_of(two, 100), 1);
  ASSERT_TRUE(std::equal(content.begin(), content.end(), pixels.data()));
  EXPECT_TRUE(test::has_note(pixels, "1 tiles had bytes after the end"));
  // Halves are not put together, and a whole is not cut.
  for (const std::size_t tile_pixels : {std::size_t{150}, std::size_t{99}}) {
    const error found = test::error_of(file_of(two, tile_pixels), 1);
    test::expect_error(found, errc::tile_corrupt, {"made.fits", 1, 0},
                       {tile_pixels == 150 ? "output_short" : "output_"});
  }
}

TEST(deflate_shapes, neither_zlib_nor_raw_deflate_is_gzip) {
  const byte_vector content = mixed(50);
  const byte_vector member = test::gzip_by_libdeflate(content, 6);
  const byte_vector raw(member.begin() + 10, member.end() - 8);
  byte_vector zlib = {0x78, 0x9c};
  test::append(zlib, raw);
  const std::uint32_t adler = libdeflate_adler32(1, content.data(), content.size());
  test::append_be(zlib, adler);
  for (const byte_vector& tile : {raw, zlib}) {
    test::expect_error(test::error_of(file_of(tile, 50), 1), errc::tile_corrupt, {"made.fits", 1, 0}, {"GZIP_1"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr
