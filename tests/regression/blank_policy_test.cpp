// BLANK of integer images, one policy for all HDUs: float with NaN (float32 for 8 and 16 bits, float64 above), unsigned
// conventions stay integers, "stored" keeps integers and reports the value.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

template <class T>
using float_for = std::conditional_t<sizeof(T) <= 2, float, double>;

/// The same pixels as a primary HDU, an IMAGE extension and a compressed image, with the number of the HDU.
template <class T>
std::vector<std::pair<byte_vector, int>> three_files(const std::vector<T>& pixels,
                                                     const std::vector<std::string>& extra) {
  const auto count = static_cast<std::int64_t>(pixels.size());
  byte_vector extension = empty_primary();
  append(extension, hdu_bytes(image_cards(bitpix_of<T>(), {count, 1}, extra), big_endian(pixels)));
  compressed_image made = tiled_image<T>(*find_codec(codec_id::gzip_2), {count, 1}, {count, 1}, pixels);
  made.extra = extra;
  return {{plain_image<T>({count, 1}, pixels, extra), 0}, {extension, 1}, {compressed_file(made), 1}};
}

template <class T>
void expect_policy(std::int64_t blank) {
  SCOPED_TRACE(std::string(name(type_of<T>())) + " BLANK " + std::to_string(blank));
  using Float = float_for<T>;
  const auto null = static_cast<T>(blank);
  const auto other = static_cast<T>(blank == 5 ? 6 : 5);
  for (const bool present : {true, false}) {
    const std::vector<T> pixels{other, present ? null : other, static_cast<T>(100)};
    const std::vector<Float> expected{static_cast<Float>(other),
                                      present ? std::numeric_limits<Float>::quiet_NaN() : static_cast<Float>(other),
                                      Float{100}};
    for (const auto& [file, hdu] : three_files<T>(pixels, {card("BLANK", blank)})) {
      const image scaled = load_both(file, hdu);
      expect_pixels(scaled, expected);  // the type does not depend on whether a pixel is blank
      EXPECT_EQ(scaled.null_value, blank);
      const image stored = load_both(file, hdu, pixel_values::stored);
      expect_pixels(stored, pixels);
      EXPECT_EQ(stored.null_value, blank);
    }
  }
}

TEST(blank_policy, is_the_same_for_all_hdus_and_types) {
  expect_policy<std::uint8_t>(255);
  expect_policy<std::uint8_t>(0);
  expect_policy<std::int16_t>(-32768);
  expect_policy<std::int16_t>(0);
  expect_policy<std::int32_t>(-2147483648LL);
  expect_policy<std::int32_t>(0);
  expect_policy<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  expect_policy<std::int64_t>(5);
}

TEST(blank_policy, unsigned_conventions_stay_integers) {
  for (const auto& [file, hdu] :
       three_files<std::int16_t>({-32768, 0, 32767}, {card("BZERO", 32768), card("BLANK", -32768)})) {
    expect_pixels(load_both(file, hdu), std::vector<std::uint16_t>{0, 32768, 65535});
  }
  for (const auto& [file, hdu] : three_files<std::int32_t>({0, 1}, {card("BZERO", 2147483648LL), card("BLANK", 0)})) {
    expect_pixels(load_both(file, hdu), std::vector<std::uint32_t>{2147483648U, 2147483649U});
  }
}

TEST(blank_policy, a_value_outside_the_type_marks_nothing) {
  for (const auto& [file, hdu] : three_files<std::int16_t>({-1, 0, 7}, {card("BLANK", 65535)})) {
    const image pixels = load_both(file, hdu);
    expect_pixels(pixels, std::vector<float>{-1.0F, 0.0F, 7.0F});
    EXPECT_TRUE(has_note(pixels, "BLANK = 65535"));
  }
}

TEST(blank_policy, floats_do_not_know_blank) {
  const image pixels = load_both(plain_image<float>({2, 1}, {5.0F, 6.0F}, {card("BLANK", 5)}), 0);
  expect_pixels(pixels, std::vector<float>{5.0F, 6.0F});
  EXPECT_TRUE(has_note(pixels, "BLANK"));
}

/// A border of three blank pixels around an image with BSCALE and BZERO.
TEST(blank_policy, the_raw_value_is_compared_before_scaling) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::int16_t> raw(12 * 10, -32768);
  std::vector<float> expected(raw.size(), nan);
  for (std::size_t y = 3; y < 7; ++y) {
    for (std::size_t x = 3; x < 9; ++x) {
      raw[y * 12 + x] = static_cast<std::int16_t>(x * 100 + y);
      expected[y * 12 + x] = static_cast<float>(raw[y * 12 + x]) * 2.0F + 100.0F;
    }
  }
  const std::vector<std::string> scaled{card("BSCALE", 2.0), card("BZERO", 100.0)};
  std::vector<std::string> cards = scaled;
  cards.push_back(card("BLANK", -32768));
  expect_pixels(load_both(plain_image<std::int16_t>({12, 10}, raw, cards), 0), expected);
  for (const codec_row* codec : chosen_codecs()) {
    if (codec->id == codec_id::plio_1) continue;  // nothing below zero
    SCOPED_TRACE(codec->fits_name);
    compressed_image made = tiled_image<std::int16_t>(*codec, {12, 10}, {12, 5}, raw);
    made.extra.insert(made.extra.end(), cards.begin(), cards.end());
    expect_pixels(load_both(compressed_file(made), 1), expected);
  }
  // 50 is BLANK as a raw number; the raw -25 becomes 50 by scaling and is none.
  for (const auto& [file, hdu] : three_files<std::int16_t>({50, -25}, {scaled[0], scaled[1], card("BLANK", 50)})) {
    expect_pixels(load_both(file, hdu), std::vector<float>{nan, 50.0F});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
