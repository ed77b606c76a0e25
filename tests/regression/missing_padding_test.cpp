// Files that end with their last pixel, not with a whole block: read as if nothing were missing, with one note.
#include <gtest/gtest.h>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

int padding_notes(const image& pixels) {
  int count = 0;
  for (const std::string& note : pixels.facts().notes)
    count += note.find("padded to 2880") != std::string::npos ? 1 : 0;
  return count;
}

template <class Stored>
std::vector<Stored> ramp() {
  std::vector<Stored> values;
  for (int i = 0; i < 35; ++i) values.push_back(static_cast<Stored>(i * 3 + 1));
  return values;
}

/// `file` ends `missing` bytes early, all of them fill.
image load_cut(byte_vector file, std::size_t missing, int hdu) {
  file.resize(file.size() - missing);
  image pixels = test::load_both(file, hdu);
  EXPECT_EQ(padding_notes(pixels), 1);
  return pixels;
}

template <class Stored, class Scaled>
void expect_read_without_fill() {
  const std::vector<Stored> stored = ramp<Stored>();
  std::vector<Scaled> scaled;
  for (const Stored value : stored) scaled.push_back(static_cast<Scaled>(value) * Scaled{2} + Scaled{100});
  const std::vector<std::string> scaling{card("BSCALE", 2.0), card("BZERO", 100.0)};
  const std::size_t fill = 2880 - stored.size() * sizeof(Stored);
  for (const std::size_t missing : {fill, fill - 1, std::size_t{1}}) {
    test::expect_pixels(load_cut(test::plain_image({5, 7}, stored), missing, 0), stored);
    test::expect_pixels(load_cut(test::plain_image({5, 7}, stored, scaling), missing, 0), scaled);
    byte_vector extension = test::empty_primary();
    test::append(extension, test::hdu_bytes(test::image_cards(test::bitpix_of<Stored>(), {5, 7}, scaling),
                                            test::big_endian(stored)));
    test::expect_pixels(load_cut(extension, missing, 1), scaled);
  }
  EXPECT_EQ(padding_notes(test::load_both(test::plain_image({5, 7}, stored), 0)), 0);  // nothing is missing
  // One byte more is a pixel's.
  byte_vector short_file = test::plain_image({5, 7}, stored, scaling);
  short_file.resize(short_file.size() - fill - 1);
  test::expect_error(test::error_of(short_file, 0), errc::file_truncated, {"made.fits", 0});
}

TEST(missing_padding, plain_images_of_every_type_scaled_or_not) {
  expect_read_without_fill<std::uint8_t, float>();
  expect_read_without_fill<std::int16_t, float>();
  expect_read_without_fill<std::int32_t, double>();
  expect_read_without_fill<std::int64_t, double>();
  expect_read_without_fill<float, float>();
  expect_read_without_fill<double, double>();
}

TEST(missing_padding, compressed_images_of_every_codec) {
  for (const codec_row& row : codec_table()) {
    for (const test::codec_image& made : test::codec_images(row, 60, 2, 3)) {
      const std::size_t used = 2 * (8 + std::get<byte_vector>(made.image.columns[0].cells[0]).size());
      const image pixels = load_cut(test::compressed_file(made.image), 2880 - used % 2880, 1);
      byte_vector expected = made.tile_pixels;
      test::append(expected, made.tile_pixels);
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), pixels.data(), pixels.data() + pixels.size_bytes()))
          << made.name;
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
