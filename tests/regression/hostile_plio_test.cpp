// hostile_plio_test.cpp: line lists of PLIO_1 whose header lies about their length, and the longest honest ones.
#include "hostile_tiles.hpp"
#include "support/plio_encoder.hpp"

namespace cuphoton::xdr::test {
namespace {

using words = std::vector<std::uint16_t>;

const stack_of_tiles ten_pixels{"PLIO_1", 16, 1, 10, {}};
const std::vector<std::int16_t> two_ones{0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
/// Three zeros, two of the high value 1.
const words data{0x0003, 0x4002};

class hostile_plio : public judged_tiles {};

TEST_F(hostile_plio, a_length_beyond_the_bytes_of_the_tile_is_truncated) {
  const byte_vector good = plio_tile_of(data);
  expect_pixels(load_both(compressed_file(stacked(ten_pixels, {good})), 1), two_ones);
  // Words 4 and 5 are the length, 7 + 2 here; word 2 is where data begin.
  const words longer[] = {{0, 7, 0xff9c, 10, 0, 0, 0, 3, 0x4002},
                          {0, 7, 0xff9c, 0x7fff, 0, 0, 0, 3, 0x4002},
                          {0, 7, 0xff9c, 9, 1, 0, 0, 3, 0x4002},
                          {0, 7, 0xff9c, 0x7fff, 0x7fff, 0, 0, 3, 0x4002},
                          {0, 9, 0xff9c, 10, 0, 0, 0, 3, 0x4002},
                          {0, 0x7fff, 0xff9c, 0x7fff, 0, 0, 0, 3, 0x4002},
                          {0, 0, 6, 3, 0x4002},
                          {0, 0, 0x7fff, 3, 0x4002},
                          {0, 7, 0xff9c, 9, 0}};
  for (const words& lying : longer) {
    const byte_vector bad = plio_bytes(lying);
    EXPECT_EQ(name(judge(codec_id::plio_1, bad, 10).status), name(tile_status::truncated));
    expect_one_bad_tile(ten_pixels, good, two_ones, bad, tile_status::truncated);
  }
  const words impossible[] = {{0, 7, 0xff9c, 0x8009, 0, 0, 0, 3, 0x4002},  // negative
                              {0, 7, 0xff9c, 9, 0x8000, 0, 0, 3, 0x4002},
                              {0, 7, 0xff9c, 6, 0, 0, 0, 3, 0x4002},  // ends before its data begin
                              {0, 0x8007, 0xff9c, 9, 0, 0, 0, 3, 0x4002},
                              {0, 2, 0xff9c, 9, 0, 0, 0, 3, 0x4002}};
  for (const words& lying : impossible) {
    const byte_vector bad = plio_bytes(lying);
    EXPECT_EQ(name(judge(codec_id::plio_1, bad, 10).status), name(tile_status::bad_data));
    expect_one_bad_tile(ten_pixels, good, two_ones, bad, tile_status::bad_data);
  }
  for (std::size_t length = 1; length < good.size(); ++length) {
    EXPECT_EQ(
        name(judge(codec_id::plio_1, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}, 10).status),
        name(tile_status::truncated));
  }
}

TEST_F(hostile_plio, the_last_word_wants_an_operand_that_is_not_there) {
  const byte_vector bad = plio_tile_of({0x0003, 0x1000});
  EXPECT_EQ(name(judge(codec_id::plio_1, bad, 10).status), name(tile_status::truncated));
  expect_one_bad_tile(ten_pixels, plio_tile_of(data), two_ones, bad, tile_status::truncated);
}

TEST_F(hostile_plio, the_longest_list_of_a_mask_is_read_and_no_longer_one) {
  // Each pixel another value, far from the one before: set (2 words) and one pixel of it, 7 + 3 words a pixel.
  for (const int pixels : {1, 2, 100, 4096}) {
    words jumpy;
    std::vector<std::int32_t> expected;
    for (int i = 0; i < pixels; ++i) {
      const std::int32_t value = i % 2 == 0 ? (1 << 24) - 1 - i : 4096 + i;
      jumpy.insert(jumpy.end(), {static_cast<std::uint16_t>(0x1000 | (value & 0xfff)),
                                 static_cast<std::uint16_t>(value >> 12), 0x4001});
      expected.push_back(value);
    }
    const stack_of_tiles kind{"PLIO_1", 32, 1, pixels, {}};
    byte_vector tile = plio_tile_of(jumpy);
    ASSERT_EQ(tile.size(), 2U * (7 + 3 * static_cast<unsigned>(pixels)));
    expect_pixels(load_both(compressed_file(stacked(kind, {tile})), 1), expected);
    tile.resize(tile.size() + 4);
    expect_error(error_of(compressed_file(stacked(kind, {tile})), 1), errc::tile_table_invalid, {"made.fits", 1, 0},
                 {"PLIO_1: no writer makes so many"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
