// An axis of length 0: an array of that shape without pixels, whatever the codec, the tiles and the table say.
#include <gtest/gtest.h>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

const std::vector<std::vector<std::int64_t>> shapes = {{0}, {0, 0}, {5, 0}, {0, 5}, {4, 3, 0}, {4, 0, 3}, {0, 3, 4}};

void expect_empty(const byte_vector& file, int hdu, const std::vector<std::int64_t>& axes, pixel_type type) {
  const image pixels = test::load_both(file, hdu);
  EXPECT_EQ(pixels.size_bytes(), 0U);
  EXPECT_EQ(name(pixels.type()), name(type));
  ASSERT_EQ(pixels.extents().rank, static_cast<int>(axes.size()));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    EXPECT_EQ(pixels.extents().extent[axis], axes[axes.size() - 1 - axis]);  // FITS counts the fastest first
  }
}

/// Behind it lies an image, so that its size is seen to be counted right.
byte_vector with_another(byte_vector file) {
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}), {0, 1, 0, 2}));
  return file;
}

TEST(zero_axes, of_plain_images) {
  for (const auto& axes : shapes) {
    const byte_vector file = with_another(test::hdu_bytes(test::primary_cards(-32, axes), {}));
    expect_empty(file, 0, axes, pixel_type::f32);
    test::expect_pixels(test::load_both(file, 1), std::vector<std::int16_t>{1, 2});
    test::expect_pixels(test::load_both(file), std::vector<std::int16_t>{1, 2});  // the first with pixels
    const byte_vector scaled =
        test::hdu_bytes(test::primary_cards(16, axes, {card("BSCALE", 2.0), card("BLANK", 0)}), {});
    expect_empty(scaled, 0, axes, pixel_type::f32);
  }
}

TEST(zero_axes, of_compressed_images_in_every_codec) {
  for (const codec_row& row : codec_table()) {
    for (const auto& axes : shapes) {
      for (const bool with_tiles : {true, false}) {
        for (const std::size_t rows : {0U, 1U, 3U}) {
          test::compressed_image image;
          image.codec = row.fits_name;
          image.bitpix = 32;
          image.axes = axes;
          if (with_tiles) image.tiles.assign(axes.size(), 2);
          image.columns = {test::data_column(row)};
          image.columns[0].cells.resize(rows);
          image.row_bytes = 8;
          const byte_vector file = with_another(test::compressed_file(image));
          expect_empty(file, 1, axes, pixel_type::i32);
          test::expect_pixels(test::load_both(file, 2), std::vector<std::int16_t>{1, 2});
        }
      }
    }
  }
}

TEST(zero_axes, of_quantised_images) {
  for (const auto& axes : shapes) {
    test::compressed_image image;
    image.axes = axes;
    image.columns = {{"COMPRESSED_DATA", "1PB", {}}};
    image = test::quantised(image, -64, 1.0, 0.0, {card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), card("ZDITHER0", 3)});
    image.row_bytes = 24;
    expect_empty(test::compressed_file(image), 1, axes, pixel_type::f64);
  }
}

TEST(zero_axes, are_listed_with_their_shape) {
  for (const auto& axes : shapes) {
    const file_info listed =
        inspect(*test::source_of(with_another(test::hdu_bytes(test::primary_cards(16, axes), {}))));
    ASSERT_EQ(listed.hdus.size(), 2U);
    EXPECT_EQ(listed.hdus[0].extents.rank, static_cast<int>(axes.size()));
    EXPECT_EQ(listed.hdus[0].data_bytes, 0U);
    EXPECT_FALSE(listed.hdus[0].problem);
  }
}

TEST(zero_axes, a_tile_extent_of_zero_is_an_error) {
  for (const std::int64_t tile : {0, -1}) {
    test::compressed_image image = test::sample_image();
    image.tiles = {8, tile};
    test::expect_error(test::error_of(test::compressed_file(image), 1), errc::header_invalid, {"made.fits", 1},
                       {"ZTILE2"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr
