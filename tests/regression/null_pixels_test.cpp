// Null pixels of quantised floats: an integer equal to ZBLANK is NaN, whatever the codec, the dithering and the place
// where ZBLANK stands; nothing else is.
#include <cmath>
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();
constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();

/// Two tiles of 4 x 4 integers with nulls in the first and the second.
std::vector<std::int32_t> with_nulls(std::int32_t first_null, std::int32_t second_null) {
  std::vector<std::int32_t> q(32);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = 1000 + static_cast<std::int32_t>(i * i);
  q[9] = first_null;    // tile 0
  q[15] = second_null;  // tile 1: columns 4 to 7
  return q;
}

compressed_image quantized(const codec_row& codec, int bitpix, const std::vector<std::int32_t>& q, const char* method) {
  compressed_image made = tiled_image<std::int32_t>(codec, bitpix, {8, 4}, {4, 4}, q);
  quantize(made, {0.25, 0.5}, {-3.0, 7.0});
  made.extra.push_back(card("ZQUANTIZ", method));
  return made;
}

/// NaN at pixels 9 and 15 and only there.
void expect_nulls(const image& pixels) {
  for (std::size_t i = 0; i < 32; ++i) {
    double value = 0;
    if (pixels.type() == pixel_type::f32) {
      value = static_cast<double>(values_of<float>(pixels).at(i));
    } else {
      value = values_of<double>(pixels).at(i);
    }
    ASSERT_EQ(std::isnan(value), i == 9 || i == 15) << i << ": " << value;
    if (!std::isnan(value)) {
      const bool second = i % 8 >= 4;
      const double exact = (1000.0 + static_cast<double>(i * i)) * (second ? 0.5 : 0.25) + (second ? 7.0 : -3.0);
      ASSERT_NEAR(value, exact, 0.26) << i;  // dithering moves it by half a step
    }
  }
}

TEST(null_pixels, by_keyword_and_by_column_in_every_codec) {
  for (const codec_row* codec : chosen_codecs()) {
    for (const int bitpix : {-32, -64}) {
      for (const char* method : {"NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
        SCOPED_TRACE(std::string(codec->fits_name) + " " + std::to_string(bitpix) + " " + method);
        compressed_image made = quantized(*codec, bitpix, with_nulls(7, 7), method);
        compressed_image by_blank = made;
        made.extra.push_back(card("ZBLANK", 7));
        expect_nulls(load_both(compressed_file(made), 1));
        by_blank.extra.push_back(card("BLANK", 7));  // where ZBLANK is missing
        expect_nulls(load_both(compressed_file(by_blank), 1));
        // Each tile has its own, and the column wins over the keyword.
        compressed_image column = quantized(*codec, bitpix, with_nulls(7, 9), method);
        column.columns.push_back({"ZBLANK", "1J", {std::int64_t{7}, std::int64_t{9}}});
        column.extra.push_back(card("ZBLANK", 1000));
        expect_nulls(load_both(compressed_file(column), 1));
      }
    }
  }
}

/// The codes that writers use: CFITSIO's -2147483647, Astropy's -2147483648. Without ZBLANK they are numbers.
TEST(null_pixels, only_the_declared_code_is_null) {
  const auto low = std::numeric_limits<std::int32_t>::min();
  for (const std::int32_t code : {low, low + 1}) {
    compressed_image made =
        tiled_image<std::int32_t>(*find_codec(codec_id::gzip_2), -64, {3, 1}, {3, 1}, {low, low + 1, 12});
    quantize(made, {0.5}, {1.0});
    const double first = -2147483648.0 * 0.5 + 1.0;
    const double second = -2147483647.0 * 0.5 + 1.0;
    expect_pixels(load_both(compressed_file(made), 1), std::vector<double>{first, second, 7.0});
    made.extra.push_back(card("ZBLANK", code));
    expect_pixels(load_both(compressed_file(made), 1),
                  std::vector<double>{code == low ? nan64 : first, code == low ? second : nan64, 7.0});
  }
}

/// Elements of 16 and 8 bits are compared at full width: -2147483647 cut to 16 bits would be 1.
TEST(null_pixels, are_not_cut_to_the_width_of_the_elements) {
  compressed_image made = tiled_image<std::int16_t>(*find_codec(codec_id::gzip_1), -32, {3, 1}, {3, 1}, {1, 0, -32768});
  quantize(made, {2.0}, {0.0});
  made.extra.push_back(card("ZBLANK", -2147483647));
  expect_pixels(load_both(compressed_file(made), 1), std::vector<float>{2.0F, 0.0F, -65536.0F});
  compressed_image bytes = tiled_image<std::uint8_t>(*find_codec(codec_id::gzip_1), -32, {2, 1}, {2, 1}, {1, 255});
  quantize(bytes, {2.0}, {0.0});
  bytes.extra.push_back(card("ZBLANK", 255));
  expect_pixels(load_both(compressed_file(bytes), 1), std::vector<float>{2.0F, nan32});
}

/// A tile that could not be quantised lies lossless in another column: ZBLANK says nothing about its pixels.
TEST(null_pixels, fallback_tiles_hold_their_own) {
  for (const char* column : {"GZIP_COMPRESSED_DATA", "UNCOMPRESSED_DATA"}) {
    SCOPED_TRACE(column);
    const std::vector<float> lossless{7.0F, nan32, -0.0F};
    const bool gzip = std::string(column) == "GZIP_COMPRESSED_DATA";
    compressed_image made;
    made.codec = "GZIP_2";
    made.bitpix = -32;
    made.axes = {3, 2};
    made.tiles = {3, 1};
    made.columns = {
        {"COMPRESSED_DATA", "1PB", {encode_tile<std::int32_t>(codec_id::gzip_2, {7, 8, 9}), {}}},
        {column, gzip ? "1PB" : "1PE", {{}, gzip ? encode_tile(codec_id::gzip_1, lossless) : big_endian(lossless)}}};
    quantize(made, {0.5, 0.5}, {0.0, 0.0});
    made.extra = {card("ZBLANK", 7), card("ZQUANTIZ", "NO_DITHER")};
    expect_pixels(load_both(compressed_file(made), 1), std::vector<float>{nan32, 4.0F, 4.5F, 7.0F, nan32, -0.0F});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
