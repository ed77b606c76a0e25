// hostile_deflate_test.cpp: gzip tiles that grow without end, codes that are none, matches before the start, blocks
// without bytes, and what one thread decodes after it has failed.
#include <algorithm>

#include "hostile_tiles.hpp"
#include "support/deflate_writer.hpp"

namespace cuphoton::xdr::test {
namespace {

const stack_of_tiles eight_pixels{"GZIP_1", 16, 1, 8, {}};
const std::vector<std::int16_t> numbers{1, 2, 3, 4, 5, 6, 7, 8};

byte_vector good_tile() {
  return gzip_by_libdeflate(big_endian(numbers), 6);
}
/// The numbers as fixed literals, to be put behind something else.
lsb_bit_writer& put_numbers(lsb_bit_writer& bits) {
  block_header(bits, true, 1);
  for (const std::uint8_t byte : big_endian(numbers)) fixed_symbol(bits, byte);
  return fixed_symbol(bits, 256);
}
byte_vector member(const lsb_bit_writer& bits) {
  return gzip_member(bits.bytes(), big_endian(numbers));
}

class hostile_deflate : public judged_tiles {
 protected:
  void expect_bad(const lsb_bit_writer& bits, tile_status status) {
    const byte_vector bad = member(bits);
    EXPECT_EQ(name(judge(codec_id::gzip_1, bad, 8, 8).status), name(status));
    expect_one_bad_tile(eight_pixels, good_tile(), numbers, bad, status);
    // Quantised or not, in planes or not, beside a codec of its own: the stream is judged by the same text.
    stack_of_tiles planes = eight_pixels;
    planes.codec = "GZIP_2";
    expect_error(error_of(compressed_file(stacked(planes, {bad})), 1), errc::tile_corrupt, {"made.fits", 1, 0},
                 {std::string(name(status))});
    compressed_image fallback = stacked({"RICE_1", 16, 1, 8, {}}, {{}});
    fallback.columns[0].cells[0] = std::monostate{};
    fallback.columns.push_back({"GZIP_COMPRESSED_DATA", "1PB", {bad}});
    expect_error(error_of(compressed_file(fallback), 1), errc::tile_corrupt, {"made.fits", 1, 0},
                 {std::string(name(status))});
  }
};

TEST_F(hostile_deflate, a_tile_that_grows_beyond_its_pixels_stops_there) {
  for (const int matches : {1, 1000, 260'000}) {  // to 64 MiB, a thousand bytes for each of the tile's
    lsb_bit_writer bits;
    block_header(bits, true, 1);
    fixed_symbol(bits, 0);
    for (int i = 0; i < matches; ++i)
      fixed_distance(fixed_symbol(bits, 285), 0);  // 258 bytes, each like the one before
    expect_bad(fixed_symbol(bits, 256), tile_status::output_long);
  }
}

TEST(hostile_bomb, what_a_tile_cannot_hold_is_refused_before_memory_is_taken) {
  stack_of_tiles kind{"GZIP_1", 8, 1, 2'000'000'000, {}};
  expect_error(error_of(compressed_file(stacked(kind, {byte_vector(100)})), 1), errc::tile_table_invalid,
               {"made.fits", 1, 0}, {"100 bytes of gzip cannot hold 2000000000 pixels"});
  // Codecs that can say much in little are held by the caller's limit, tile by tile: a section is no way around it.
  for (const char* codec : {"RICE_1", "HCOMPRESS_1", "PLIO_1", "GZIP_1", "NOCOMPRESS"}) {
    kind.codec = codec;
    read_options options = only_tile(kind, 0);
    options.section->extent[1] = 1;
    options.caps.max_bytes = 1'999'999'999;
    const error found = error_of(compressed_file(stacked(kind, {byte_vector(100)})), 1, options);
    expect_error(found, errc::unsupported, {"made.fits", 1}, {"one tile has 2000000000 pixels", "max_bytes"});
    ASSERT_EQ(found.reasons().size(), 1U);
    EXPECT_EQ(name(found.reasons()[0].code), name(reason_code::memory_limit));
  }
}

TEST_F(hostile_deflate, a_code_without_words_is_no_code) {
  lsb_bit_writer nothing;  // every length is 0
  expect_bad(dynamic_codes(nothing, true, {}, {}).put(0, 200), tile_status::bad_data);
  lsb_bit_writer endless;  // literals, but no word for the end
  expect_bad(dynamic_codes(endless, true, {{0, 1}, {1, 1}}, {}).put(0, 400), tile_status::bad_data);
  lsb_bit_writer incomplete;
  expect_bad(dynamic_codes(incomplete, true, {{0, 2}, {256, 2}}, {}).put(0, 400), tile_status::bad_data);
  lsb_bit_writer crowded;
  expect_bad(dynamic_codes(crowded, true, {{0, 1}, {1, 1}, {256, 1}}, {}).put(0, 400), tile_status::bad_data);
}

TEST_F(hostile_deflate, a_match_begins_inside_the_tile) {
  lsb_bit_writer first;  // nothing is there yet
  block_header(first, true, 1);
  expect_bad(fixed_symbol(fixed_distance(fixed_symbol(first, 257), 0), 256), tile_status::bad_data);
  lsb_bit_writer before;  // two bytes are there; the third one back is not
  block_header(before, true, 1);
  fixed_symbol(fixed_symbol(before, 1), 2);
  expect_bad(fixed_symbol(fixed_distance(fixed_symbol(before, 257), 2), 256), tile_status::bad_data);
  for (const int symbol : {30, 31}) {  // no distances
    lsb_bit_writer none;
    block_header(none, true, 1);
    fixed_symbol(none, 1);
    expect_bad(fixed_symbol(fixed_distance(fixed_symbol(none, 257), symbol), 256).put(0, 64), tile_status::bad_data);
  }
}

TEST_F(hostile_deflate, blocks_without_bytes_cost_their_bits_and_no_more) {
  constexpr int count = 20'000;
  lsb_bit_writer stored;
  for (int i = 0; i < count; ++i) stored_block(stored, false, {});
  lsb_bit_writer fixed;
  for (int i = 0; i < count; ++i) fixed_symbol(block_header(fixed, false, 1), 256);
  lsb_bit_writer dynamic;
  for (int i = 0; i < count / 10; ++i) dynamic_codes(dynamic, false, {{0, 1}, {256, 1}}, {}, 257, 1).code(1, 1);
  for (lsb_bit_writer* bits : {&stored, &fixed, &dynamic}) {
    const byte_vector tile = member(put_numbers(*bits));
    ASSERT_LT(tile.size(), std::size_t{1} << 20);
    EXPECT_EQ(name(judge(codec_id::gzip_1, tile, 8, 8).status), name(tile_status::ok));
    expect_pixels(load_both(compressed_file(stacked(eight_pixels, {tile})), 1), numbers);
    // The same cut before the pixels: no progress, no bytes, an end.
    byte_vector cut = tile;
    cut.resize(tile.size() - 30);
    EXPECT_NE(name(judge(codec_id::gzip_1, cut, 8, 8).status), name(tile_status::ok));
  }
}

TEST_F(hostile_deflate, every_cut_is_an_error) {
  for (const int level : {0, 1, 12}) {
    const byte_vector whole = gzip_by_libdeflate(big_endian(numbers), level);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const byte_vector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_NE(name(judge(codec_id::gzip_1, cut, 8, 8).status), name(tile_status::ok)) << length;
    }
  }
}

TEST(hostile_reuse, a_decoder_that_failed_decodes_the_next_tile) {
  lsb_bit_writer bits;
  block_header(bits, true, 1);
  fixed_symbol(bits, 77);
  const byte_vector bad[] = {member(fixed_distance(fixed_symbol(bits, 285), 29)),  // into the tile's 77 and far before
                             {0x1f, 0x8b, 8, 0},
                             byte_vector(40, 0xff)};
  read_options options;
  options.threads = 1;  // one decoder for all of it
  const byte_vector good = compressed_file(stacked(eight_pixels, {good_tile()}));
  for (int round = 0; round < 20; ++round) {
    for (const byte_vector& tile : bad) {
      error_of(compressed_file(stacked(eight_pixels, {good_tile(), tile, good_tile()})), 1, options);
      expect_pixels(load_both(good, 1, options), numbers);
    }
  }
}

TEST(hostile_lzw, a_file_of_compress_is_refused_by_its_first_bytes) {
  // Code 511 before the table has it, and a table of 31 bits.
  for (const byte_vector& codes : {byte_vector{0x90, 0xff, 0xff, 0xff, 0xff}, byte_vector{0x9f, 0, 1, 2, 3}}) {
    byte_vector file{0x1f, 0x9d};
    append(file, codes);
    file.resize(9000, 0xff);
    const error found = error_of(file);
    expect_error(found, errc::unsupported, {"made.fits"}, {".Z"});
    ASSERT_EQ(found.reasons().size(), 1U);
    EXPECT_EQ(name(found.reasons()[0].code), name(reason_code::externally_compressed));
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
