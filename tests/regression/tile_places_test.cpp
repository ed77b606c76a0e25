// Tiles narrower than the image and more than one row high go to their place, also where they hold a null or come from
// a fallback column.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

constexpr std::int64_t width = 12;
constexpr std::int64_t height = 10;
constexpr std::int64_t tile_width = 5;  // the last column of tiles is 2 wide, the last row of tiles 2 high
constexpr std::int64_t tile_height = 4;
constexpr std::size_t null_pixel = 4 * width + 6;  // in the tile in the middle

void expect_places(const image& pixels, const std::vector<double>& expected, const std::string& what) {
  const std::vector<double> found = test::values_of<double>(pixels);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(found[i]) : found[i] == expected[i])
        << what << ", row " << i / width << ", column " << i % width << ": " << found[i] << " for " << expected[i];
  }
}

TEST(tile_places, quantised_tiles_with_a_null) {
  std::vector<std::int32_t> integers;
  std::vector<double> expected;
  for (std::int32_t i = 0; i < width * height; ++i) {
    integers.push_back(200 + i);
    expected.push_back((200 + i) * 2.0);
  }
  integers[null_pixel] = 9;
  expected[null_pixel] = std::numeric_limits<double>::quiet_NaN();
  for (const codec_row& row : codec_table()) {
    const test::compressed_image made = test::integer_image(row, width, height, tile_width, tile_height, integers);
    if (made.columns[0].cells.empty()) continue;
    const byte_vector file = test::compressed_file(test::quantised(made, -64, 2.0, 0.0, {card("ZBLANK", 9)}));
    expect_places(test::load_both(file, 1), expected, std::string(row.fits_name));
  }
}

/// Pixels of a tile of the made image, as doubles of a file.
byte_vector tile_bytes(const std::vector<double>& pixels, std::int64_t left, std::int64_t top) {
  std::vector<double> tile;
  for (std::int64_t y = top; y < std::min(top + tile_height, height); ++y) {
    for (std::int64_t x = left; x < std::min(left + tile_width, width); ++x) {
      tile.push_back(pixels[static_cast<std::size_t>(y * width + x)]);
    }
  }
  return test::big_endian(tile);
}

TEST(tile_places, lossless_tiles_and_fallback_tiles_with_a_null) {
  std::vector<double> pixels;
  for (int i = 0; i < width * height; ++i) pixels.push_back(i + 0.5);
  pixels[null_pixel] = std::numeric_limits<double>::quiet_NaN();
  std::vector<test::table_cell> gzip;
  std::vector<test::table_cell> plain;
  for (std::int64_t top = 0; top < height; top += tile_height) {
    for (std::int64_t left = 0; left < width; left += tile_width) {
      plain.emplace_back(tile_bytes(pixels, left, top));
      gzip.emplace_back(test::gzip_by_libdeflate(std::get<byte_vector>(plain.back()), 6));
    }
  }
  const std::vector<test::table_cell> none(gzip.size());
  test::compressed_image image;
  image.bitpix = -64;
  image.axes = {width, height};
  image.tiles = {tile_width, tile_height};
  image.codec = "GZIP_1";
  image.columns = {{"COMPRESSED_DATA", "1PB", gzip}};
  expect_places(test::load_both(test::compressed_file(image), 1), pixels, "lossless");
  image.codec = "RICE_1";
  image.columns = {{"COMPRESSED_DATA", "1PB", none}, {"GZIP_COMPRESSED_DATA", "1PB", gzip}};
  image = test::quantised(image, -64, 1.0, 0.0, {card("ZBLANK", 9)});
  expect_places(test::load_both(test::compressed_file(image), 1), pixels, "gzip fallback");
  image.columns[1] = {"UNCOMPRESSED_DATA", "1PD", plain};
  expect_places(test::load_both(test::compressed_file(image), 1), pixels, "plain fallback");
}

}  // namespace
}  // namespace cuphoton::xdr
