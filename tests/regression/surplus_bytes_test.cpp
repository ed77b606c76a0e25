// Bytes behind the end of a tile's stream are tolerated and told once; a stream that ends too early is an error of its
// tile, never pixels.
#include <gtest/gtest.h>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::codec_image;

constexpr std::uint64_t tile_pixels = 60;
constexpr int planes = 3;

byte_vector repeated(const byte_vector& tile) {
  byte_vector all;
  for (int plane = 0; plane < planes; ++plane) test::append(all, tile);
  return all;
}

int surplus_notes(const image& pixels) {
  int count = 0;
  for (const std::string& note : pixels.facts().notes) count += note.find("after the end") != std::string::npos ? 1 : 0;
  return count;
}

void expect_tolerated(const codec_row& row, codec_image made, std::size_t junk) {
  const byte_vector clean = made.tile(0);
  const std::size_t length = clean.size() + junk * made.element_bytes();
  if (row.id == codec_id::plio_1 && length > 2 * (3 * tile_pixels + 8)) return;  // too long for any mask: refused
  for (std::size_t plane = 0; plane < planes; ++plane) made.tile(plane).resize(length, 0xA5);
  const byte_vector file = test::compressed_file(made.image);
  if (row.id == codec_id::none) {  // pixels have no end but the tile's
    test::expect_error(test::error_of(file, 1), errc::tile_corrupt, {"made.fits", 1, 0}, {"NOCOMPRESS", "output_"});
    return;
  }
  const image pixels = test::load_both(file, 1);
  const byte_vector expected = repeated(made.tile_pixels);
  ASSERT_EQ(pixels.size_bytes(), expected.size()) << made.name;
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), pixels.data())) << made.name << ", " << junk << " bytes";
  ASSERT_EQ(surplus_notes(pixels), 1) << made.name << ", " << junk << " bytes";
  ASSERT_TRUE(test::has_note(pixels, "3 tiles")) << made.name;
}

TEST(surplus_bytes, are_tolerated_and_told_once) {
  for (const codec_row& row : codec_table()) {
    for (const codec_image& made : test::codec_images(row, tile_pixels, planes, 12)) {
      for (std::size_t junk = 1; junk <= 7; ++junk) {
        ASSERT_NO_FATAL_FAILURE(expect_tolerated(row, made, junk));
      }
    }
  }
}

TEST(surplus_bytes, one_byte_too_few_is_an_error) {
  for (const codec_row& row : codec_table()) {
    int cut = 0;
    const std::vector<codec_image> images = test::codec_images(row, tile_pixels, planes, 12);
    for (codec_image made : images) {
      const image clean = test::load_both(test::compressed_file(made.image), 1);
      const byte_vector expected = repeated(made.tile_pixels);
      ASSERT_EQ(clean.size_bytes(), expected.size()) << made.name;
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), clean.data())) << made.name;
      if (surplus_notes(clean) != 0) continue;  // its encoder wrote a byte that nothing needs
      byte_vector& short_one = made.tile(1);
      short_one.erase(short_one.end() - static_cast<std::ptrdiff_t>(made.element_bytes()), short_one.end());
      test::expect_error(test::error_of(test::compressed_file(made.image), 1), errc::tile_corrupt, {"made.fits", 1, 1},
                         {made.image.codec, "after", "bits"});
      ++cut;
    }
    EXPECT_TRUE(images.empty() || cut > 0) << row.fits_name;
  }
}

}  // namespace
}  // namespace cuphoton::xdr
