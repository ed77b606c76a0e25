// Whether float tiles are quantised is decided by the columns ZSCALE and ZZERO, never by ZQUANTIZ alone.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::vector<std::string>> all_methods{{},
                                                        {card("ZQUANTIZ", "NONE")},
                                                        {card("ZQUANTIZ", "NO_DITHER")},
                                                        {card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), card("ZDITHER0", 5)},
                                                        {card("ZQUANTIZ", "SUBTRACTIVE_DITHER_2")}};

template <class T>
void expect_lossless(const codec_row& codec) {
  const std::vector<T> pixels = chosen_pixels<T>(codec, 60);
  for (const std::vector<std::string>& method : all_methods) {
    SCOPED_TRACE(std::string(codec.fits_name) + " " + std::to_string(bitpix_of<T>()) + " " +
                 (method.empty() ? "no ZQUANTIZ" : method[0]));
    compressed_image made = tiled_image<T>(codec, {12, 5}, {12, 1}, pixels);
    made.extra = method;
    expect_pixels(load_both(compressed_file(made), 1), pixels);
  }
}

TEST(quantization_detection, without_columns_floats_are_raw_whatever_zquantiz_says) {
  for (const codec_row* codec : chosen_codecs()) {
    if (!holds_any_type(codec->id)) continue;
    expect_lossless<float>(*codec);
    expect_lossless<double>(*codec);
  }
}

TEST(quantization_detection, with_columns_they_are_quantised_even_if_zquantiz_is_missing) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    compressed_image made = tiled_image<std::int32_t>(*codec, -32, {4, 2}, {4, 2}, {0, 1, 2, 3, 40, 50, 60, 70});
    quantize(made, {0.5}, {10.0});
    expect_pixels(load_both(compressed_file(made), 1),
                  std::vector<float>{10.0F, 10.5F, 11.0F, 11.5F, 30.0F, 35.0F, 40.0F, 45.0F});
  }
}

void expect_unsupported(const compressed_image& made, const std::vector<std::string>& words) {
  const error found = error_of(compressed_file(made), 1);
  expect_error(found, errc::unsupported, {"made.fits", 1}, words);
  ASSERT_EQ(found.reasons().size(), 1U);
  EXPECT_EQ(found.reasons()[0].code, reason_code::quantization_unsupported);
}

TEST(quantization_detection, a_scale_that_is_no_column_is_refused_by_name) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    const compressed_image made =
        tiled_image<std::int32_t>(*codec, -32, {4, 2}, {4, 2}, chosen_pixels<std::int32_t>(*codec, 8));
    compressed_image keywords = made;
    keywords.extra.push_back(card("ZSCALE", 0.5));
    keywords.extra.push_back(card("ZZERO", 10.0));
    expect_unsupported(keywords, {"ZSCALE", "keyword"});
    compressed_image scale_only = made;
    scale_only.columns.push_back({"ZSCALE", "1D", {0.5}});
    expect_unsupported(scale_only, {"ZZERO", "missing"});
    compressed_image zero_only = made;
    zero_only.columns.push_back({"ZZERO", "1D", {0.5}});
    expect_unsupported(zero_only, {"ZSCALE", "missing"});
    compressed_image contradiction = made;
    quantize(contradiction, {0.5}, {10.0});
    contradiction.extra.push_back(card("ZQUANTIZ", "NONE"));
    expect_unsupported(contradiction, {"ZQUANTIZ", "NONE"});
  }
}

/// Codecs of integers cannot hold floats: their integers are neither taken for bits nor for values.
TEST(quantization_detection, integers_of_a_float_image_are_no_pixels) {
  for (const codec_row* codec : chosen_codecs()) {
    if (holds_any_type(codec->id)) continue;
    SCOPED_TRACE(codec->fits_name);
    expect_unsupported(tiled_image<std::int32_t>(*codec, -32, {4, 2}, {4, 2}, chosen_pixels<std::int32_t>(*codec, 8)),
                       {std::string(codec->fits_name), "ZSCALE"});
  }
}

TEST(quantization_detection, an_unknown_method_is_an_error) {
  compressed_image made = tiled_image<std::int32_t>(*find_codec(codec_id::gzip_1), -32, {4, 1}, {4, 1}, {1, 2, 3, 4});
  quantize(made, {0.5}, {10.0});
  made.extra.push_back(card("ZQUANTIZ", "SUBTRACTIVE_DITHER_3"));
  expect_error(error_of(compressed_file(made), 1), errc::header_invalid, {"made.fits", 1},
               {"ZQUANTIZ", "SUBTRACTIVE_DITHER_3"});
}

}  // namespace
}  // namespace cuphoton::xdr::test
