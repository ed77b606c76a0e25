// Tiles whose bytes are not all there: a descriptor that is one short, a heap that is cut. The error names the tile,
// and the other tiles can be read.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::codec_image;

constexpr std::uint64_t tile_pixels = 60;
constexpr std::uint64_t table_at = 2 * 2880;  // in test::compressed_file with a header of one block

read_options section(const box& pixels) {
  read_options options;
  options.section = pixels;
  return options;
}

void expect_tile(const codec_image& made, const byte_vector& file, std::int64_t tile) {
  const image pixels = test::load_both(file, 1, section(made.place(tile)));
  ASSERT_EQ(pixels.size_bytes(), made.tile_pixels.size());
  EXPECT_TRUE(std::equal(made.tile_pixels.begin(), made.tile_pixels.end(), pixels.data())) << made.name;
}

bool has_surplus(const codec_image& made) {
  return test::has_note(test::load_both(test::compressed_file(made.image), 1), "after the end");
}

TEST(short_tiles, a_descriptor_one_short_is_an_error_though_the_byte_is_there) {
  for (const codec_row& row : codec_table()) {
    for (codec_image made : test::codec_images(row, tile_pixels, 3, 8)) {
      if (has_surplus(made)) continue;
      const std::uint64_t length = made.tile(0).size();
      const byte_vector heap = made.tile(0);
      // All three tiles point at the same bytes; the one in the middle at one element less.
      made.image.heap_start = heap;
      const std::uint64_t elements = length / made.element_bytes();
      made.image.columns[0].cells = {test::raw_descriptor{elements, 0}, test::raw_descriptor{elements - 1, 0},
                                     test::raw_descriptor{elements, 0}};
      const byte_vector file = test::compressed_file(made.image);
      test::expect_error(test::error_of(file, 1), errc::tile_corrupt, {"made.fits", 1, 1}, {made.image.codec});
      ASSERT_NO_FATAL_FAILURE(expect_tile(made, file, 0));
      ASSERT_NO_FATAL_FAILURE(expect_tile(made, file, 2));
    }
  }
}

TEST(short_tiles, a_heap_that_is_cut_is_told_with_its_bytes) {
  for (const codec_row& row : codec_table()) {
    for (const codec_image& made : test::codec_images(row, tile_pixels, 3, 2)) {
      byte_vector file = test::compressed_file(made.image);
      const std::uint64_t data_bytes = 3 * 8 + 3 * std::get<byte_vector>(made.image.columns[0].cells[0]).size();
      file.resize(table_at + data_bytes - 10);
      test::expect_error(test::error_of(file, 1), errc::file_truncated, {"made.fits", 1},
                         {"expected " + std::to_string(data_bytes) + " bytes", "from byte " + std::to_string(table_at),
                          "found " + std::to_string(data_bytes - 10)});
    }
  }
}

TEST(short_tiles, tiles_before_the_cut_can_be_read) {
  for (const codec_row& row : codec_table()) {
    for (codec_image made : test::codec_images(row, tile_pixels, 3, 8)) {
      const std::uint64_t length = made.tile(0).size();
      const std::uint64_t cut = std::min<std::uint64_t>(length, 10);
      made.image.pcount = static_cast<std::int64_t>(3 * length - cut);  // a table that believes it is whole
      byte_vector file = test::compressed_file(made.image);
      file.resize(table_at + 3 * 8 + 3 * length - cut);
      test::expect_error(test::error_of(file, 1), errc::tile_table_invalid, {"made.fits", 1, 2},
                         {"outside the file", std::to_string(file.size())});
      ASSERT_NO_FATAL_FAILURE(expect_tile(made, file, 0));
      ASSERT_NO_FATAL_FAILURE(expect_tile(made, file, 1));
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
