// Parameters of codecs are looked up by name and must agree with the type of the pixels; what no codec defines is
// refused, and 64-bit integers work where they are defined.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// 16-bit pixels in Rice elements of type Element, with the parameter cards as given.
template <class Element>
byte_vector rice_file(const std::vector<std::int16_t>& pixels, const std::vector<std::string>& parameters) {
  compressed_image made = tiled_image<Element>(*find_codec(codec_id::rice_1), 16, {10, 4}, {10, 1},
                                               std::vector<Element>(pixels.begin(), pixels.end()));
  made.extra = parameters;
  return compressed_file(made);
}

std::vector<std::string> named(const char* first, int first_value, const char* second, int second_value) {
  return {card("ZNAME1", first), card("ZVAL1", first_value), card("ZNAME2", second), card("ZVAL2", second_value)};
}

std::vector<std::int16_t> ramp(int step) {
  std::vector<std::int16_t> pixels(40);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::int16_t>(static_cast<int>(i) * step);
  return pixels;
}

TEST(rice_parameters, bytepix_says_how_wide_elements_are) {
  const std::vector<std::int16_t> wide = ramp(-700);
  expect_pixels(load_both(rice_file<std::int16_t>(wide, named("BLOCKSIZE", 32, "BYTEPIX", 2)), 1), wide);
  expect_pixels(load_both(rice_file<std::int32_t>(wide, named("BLOCKSIZE", 32, "BYTEPIX", 4)), 1), wide);
  const std::vector<std::int16_t> narrow = ramp(6);  // 0 to 234: bytes are unsigned
  expect_pixels(load_both(rice_file<std::uint8_t>(narrow, named("BLOCKSIZE", 32, "BYTEPIX", 1)), 1), narrow);
}

TEST(rice_parameters, by_name_and_never_by_position) {
  const std::vector<std::int16_t> pixels = ramp(-700);
  expect_pixels(load_both(rice_file<std::int16_t>(pixels, named("BYTEPIX", 2, "BLOCKSIZE", 32)), 1), pixels);
  expect_pixels(load_both(rice_file<std::int16_t>(pixels, named("NOISEBIT", 16, "bytepix", 2)), 1), pixels);
}

/// Four bytes and blocks of 32, whatever ZBITPIX is.
TEST(rice_parameters, defaults) {
  const std::vector<std::int16_t> pixels = ramp(-700);
  expect_pixels(load_both(rice_file<std::int32_t>(pixels, {}), 1), pixels);
  expect_pixels(load_both(rice_file<std::int32_t>(pixels, {card("ZNAME1", "NOISEBIT"), card("ZVAL1", 16)}), 1), pixels);
}

/// Rice has no checksum, so a width that is not the stream's cannot always be told from damage; but it never passes in
/// silence: the stream ends early, or bytes are left over and noted.
TEST(rice_parameters, a_wrong_width_is_seen) {
  for (const int step : {1, -700, 3000}) {
    for (const int width : {1, 4}) {
      SCOPED_TRACE(std::to_string(step) + " as " + std::to_string(width));
      const byte_vector file = rice_file<std::int16_t>(ramp(step), named("BLOCKSIZE", 32, "BYTEPIX", width));
      const read_outcome outcome = outcome_of(file, hdu_selector::number(1), {});
      if (const auto* problem = std::get_if<error>(&outcome)) {
        expect_error(*problem, errc::tile_corrupt, {"made.fits", 1, 0}, {"RICE_1"});
      } else {
        EXPECT_TRUE(has_note(std::get<image>(outcome), "bytes after the end"));
      }
    }
  }
}

void expect_refused(const byte_vector& file, const std::vector<std::string>& words) {
  const error found = error_of(file, 1);
  expect_error(found, errc::unsupported, {"made.fits", 1}, words);
  ASSERT_EQ(found.reasons().size(), 1U);
  EXPECT_EQ(found.reasons()[0].code, reason_code::pixel_width_unsupported);
}

TEST(rice_parameters, widths_that_the_codec_does_not_have) {
  for (const int width : {0, 3, 8, -4}) {
    expect_refused(rice_file<std::int16_t>(ramp(1), named("BLOCKSIZE", 32, "BYTEPIX", width)),
                   {"RICE_1", "BYTEPIX = " + std::to_string(width)});
  }
  for (const std::int64_t block : {0, -1, 32769}) {
    compressed_image made = sample_image();
    made.extra = {card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", block)};
    expect_error(error_of(compressed_file(made), 1), errc::header_invalid, {"made.fits", 1}, {"BLOCKSIZE"});
  }
}

TEST(rice_parameters, no_64_bit_integers_in_codecs_of_32) {
  for (const codec_row* codec : chosen_codecs()) {
    if (codec->id != codec_id::rice_1 && codec->id != codec_id::hcompress_1) continue;
    SCOPED_TRACE(codec->fits_name);
    expect_refused(compressed_file(tiled_image<std::int32_t>(*codec, 64, {4, 2}, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})),
                   {std::string(codec->fits_name), "ZBITPIX = 64"});
  }
}

TEST(rice_parameters, but_in_gzip_and_nocompress) {
  constexpr std::int64_t large = std::int64_t{1} << 62;
  const std::vector<std::int64_t> pixels{large,
                                         -large,
                                         large - 1,
                                         -large + 1,
                                         std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max(),
                                         0,
                                         -1};
  for (const codec_row* codec : chosen_codecs()) {
    if (!holds_any_type(codec->id)) continue;
    SCOPED_TRACE(codec->fits_name);
    expect_pixels(load_both(compressed_file(tiled_image<std::int64_t>(*codec, {4, 2}, {4, 1}, pixels)), 1), pixels);
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
