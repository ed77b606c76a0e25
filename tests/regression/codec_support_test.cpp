// What a codec, a quantisation and a type make together is either read right or refused by name, before any pixel is
// written; codecs are known by the names that writers use.
#include <algorithm>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// CFITSIO 3.35 to 4.6.3 writes it with SUBTRACTIVE_DITHER_2.
TEST(codec_support, rice_one_is_rice_1) {
  const std::vector<std::int32_t> q{10, -2147483646, 30, 40};
  std::vector<image> found;
  for (const char* codec : {"RICE_1", "RICE_ONE"}) {
    compressed_image made = tiled_image<std::int32_t>(*find_codec(codec_id::rice_1), -64, {4, 1}, {4, 1}, q);
    made.codec = codec;
    quantize(made, {0.5}, {100.0});
    made.extra.push_back(card("ZQUANTIZ", "SUBTRACTIVE_DITHER_2"));
    made.extra.push_back(card("ZDITHER0", 1));
    found.push_back(load_both(compressed_file(made), 1));
    EXPECT_EQ(found.back().facts().codec_name, codec);
  }
  const std::vector<double> values = values_of<double>(found[0]);
  EXPECT_NEAR(values.at(0), 105.25, 0.25);
  EXPECT_EQ(values.at(1), 0.0);
  expect_pixels(found[1], values);
  const std::vector<std::int16_t> pixels{5, -6, 7000, 8};
  compressed_image integers = tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {4, 1}, {4, 1}, pixels);
  integers.codec = "RICE_ONE";
  expect_pixels(load_both(compressed_file(integers), 1), pixels);
}

/// Asks for the pixels in memory of the test: nothing may be written there.
void expect_untouched(const byte_vector& file, const error& refused) {
  const auto source = source_of(file);
  byte_vector room(64, 0xAB);
  try {
    read_into(*source, plan(*source, hdu_selector::number(1)), room);
    ADD_FAILURE() << "pixels came";
  } catch (const error& problem) {
    EXPECT_EQ(name(problem.code()), name(refused.code())) << problem.what();
  }
  EXPECT_EQ(std::count(room.begin(), room.end(), 0xAB), 64);
}

TEST(codec_support, unknown_names_are_refused_by_name) {
  for (const char* codec : {"XYZ_9", "BZIP2_1", "rice_1", "RICE_2", "GZIP_3", "JPEGXL"}) {
    for (const int bitpix : {8, 16, 32, 64, -32, -64}) {
      for (const bool quantized : {false, true}) {
        SCOPED_TRACE(std::string(codec) + " " + std::to_string(bitpix));
        compressed_image made;
        made.codec = codec;
        made.bitpix = bitpix;
        made.axes = {4, 2};
        made.tiles = {4, 1};
        made.columns = {{"COMPRESSED_DATA", "1PB", {byte_vector(40, 1), byte_vector(40, 2)}}};
        if (quantized) quantize(made, {0.5, 0.5}, {1.0, 1.0});
        const error found = error_of(compressed_file(made), 1);
        expect_error(found, errc::unsupported, {"made.fits", 1}, {"'" + std::string(codec) + "'", "ZCMPTYPE"});
        ASSERT_FALSE(found.reasons().empty());
        EXPECT_EQ(found.reasons()[0].code, reason_code::codec_unsupported);
        expect_untouched(compressed_file(made), found);
      }
    }
  }
}

/// What must come of the elements 1 to 8: themselves, by 0.5 and moved by 10 where they are quantised.
template <class Pixel>
void expect_outcome(const byte_vector& file, bool quantized) {
  std::vector<Pixel> expected;
  for (int i = 1; i <= 8; ++i) {
    expected.push_back(quantized ? static_cast<Pixel>(i * 0.5 + 10.0) : static_cast<Pixel>(i));
  }
  expect_pixels(load_both(file, 1), expected);
}

template <class Element, class Pixel>
void expect_combination(const codec_row& codec, bool quantized) {
  std::vector<Element> elements;
  for (int i = 1; i <= 8; ++i) elements.push_back(static_cast<Element>(i));
  compressed_image made = tiled_image<Element>(codec, bitpix_of<Pixel>(), {4, 2}, {4, 2}, elements);
  if (quantized) quantize(made, {0.5}, {10.0});
  const bool is_float = std::is_floating_point_v<Pixel>;
  const bool no_64_bits = codec.id == codec_id::rice_1 || codec.id == codec_id::hcompress_1;
  const bool refused =
      (is_float && !quantized && !holds_any_type(codec.id)) || (std::is_same_v<Pixel, std::int64_t> && no_64_bits);
  if (!refused) return expect_outcome<Pixel>(compressed_file(made), quantized && is_float);
  const error found = error_of(compressed_file(made), 1);
  expect_error(found, errc::unsupported, {"made.fits", 1}, {std::string(codec.fits_name), is_float ? "ZSCALE" : "64"});
  expect_untouched(compressed_file(made), found);
}

TEST(codec_support, every_combination_is_read_right_or_refused) {
  for (const codec_row* codec : chosen_codecs()) {
    for (const bool quantized : {false, true}) {
      SCOPED_TRACE(std::string(codec->fits_name) + (quantized ? ", ZSCALE and ZZERO" : ""));
      expect_combination<std::uint8_t, std::uint8_t>(*codec, quantized);
      expect_combination<std::int16_t, std::int16_t>(*codec, quantized);
      expect_combination<std::int32_t, std::int32_t>(*codec, quantized);
      expect_combination<std::int32_t, std::int64_t>(*codec, quantized);
      if (quantized || !holds_any_type(codec->id)) {
        expect_combination<std::int32_t, float>(*codec, quantized);
        expect_combination<std::int32_t, double>(*codec, quantized);
      } else {
        expect_combination<float, float>(*codec, quantized);
        expect_combination<double, double>(*codec, quantized);
      }
    }
  }
}

/// Tiles that fail leave no image behind, however many are whole.
TEST(codec_support, one_bad_tile_is_no_partial_image) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    compressed_image made = tiled_image<std::int16_t>(*codec, {8, 8}, {8, 2}, chosen_pixels<std::int16_t>(*codec, 64));
    auto& bytes = std::get<byte_vector>(made.columns[0].cells[2]);
    bytes.resize(codec->id == codec_id::none ? bytes.size() - 2 : bytes.size() / 4 * 2);
    expect_error(error_of(compressed_file(made), 1), errc::tile_corrupt, {"made.fits", 1, 2},
                 {std::string(codec->fits_name)});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
