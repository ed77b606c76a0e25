// BSCALE and BZERO: read as numbers however they are written, exact where they only move the sign, else in float32 or
// float64 without ever wrapping.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Files with the pixels, plain and in every codec that holds them; HDU numbers with them.
template <class T>
std::vector<std::pair<byte_vector, int>> all_files(const std::vector<T>& pixels,
                                                   const std::vector<std::string>& extra) {
  const auto count = static_cast<std::int64_t>(pixels.size());
  std::vector<std::pair<byte_vector, int>> files{{plain_image<T>({count / 2, 2}, pixels, extra), 0}};
  for (const codec_row* codec : chosen_codecs()) {
    if (codec->id == codec_id::plio_1) continue;  // nothing below zero
    if (sizeof(T) == 8 && !holds_any_type(codec->id)) continue;
    compressed_image made = tiled_image<T>(*codec, {count / 2, 2}, {count / 2, 2}, pixels);
    made.extra.insert(made.extra.end(), extra.begin(), extra.end());
    files.emplace_back(compressed_file(made), 1);
  }
  return files;
}

template <class T>
void expect_unsigned(const std::vector<std::string>& zeros) {
  using Unsigned = std::make_unsigned_t<T>;
  const T low = std::numeric_limits<T>::min();
  const T high = std::numeric_limits<T>::max();
  const std::vector<T> raw{low, static_cast<T>(low + 1), -1, 0, 1, high};
  const auto half = static_cast<Unsigned>(low);
  const std::vector<Unsigned> expected{0,
                                       1,
                                       static_cast<Unsigned>(half - 1),
                                       half,
                                       static_cast<Unsigned>(half + 1),
                                       std::numeric_limits<Unsigned>::max()};
  for (const std::string& zero : zeros) {
    for (const char* scale : {"", "1", "1.", "1.0", "1D0", "+1.000E+00", "'1.0'"}) {
      SCOPED_TRACE("BZERO " + zero + " BSCALE " + scale);
      std::vector<std::string> cards{raw_card("BZERO", zero)};
      if (scale[0] != '\0') cards.push_back(raw_card("BSCALE", scale));
      for (const auto& [file, hdu] : all_files<T>(raw, cards)) {
        const image pixels = load_both(file, hdu);
        expect_pixels(pixels, expected);
        EXPECT_EQ(has_note(pixels, "BZERO"), zero[0] == '\'');
        EXPECT_EQ(has_note(pixels, "BSCALE"), scale[0] == '\'');
      }
    }
  }
}

TEST(scaling, unsigned_by_bzero_in_any_form) {
  expect_unsigned<std::int16_t>({"32768", "32768.", "32768.0", "+32768", "3.276800E4", "3.2768D+04", "3.2768d4",
                                 "0.32768E+05", "'32768'", "'32768.0 '", "'3.2768E4'"});
  expect_unsigned<std::int32_t>({"2147483648", "2147483648.0", "2.147483648E+09", "2.147483648D9", "'2147483648'"});
  expect_unsigned<std::int64_t>({"9223372036854775808", "9223372036854775808.", "9.223372036854775808E+18",
                                 "9.223372036854775808D18", "'9223372036854775808'"});
}

TEST(scaling, signed_bytes) {
  const std::vector<std::uint8_t> raw{0, 1, 127, 128, 129, 255};
  for (const auto& [file, hdu] : all_files<std::uint8_t>(raw, {card("BZERO", -128)})) {
    expect_pixels(load_both(file, hdu), std::vector<std::int8_t>{-128, -127, -1, 0, 1, 127});
  }
  // With a point Astropy takes it for an ordinary shift.
  for (const auto& [file, hdu] : all_files<std::uint8_t>(raw, {raw_card("BZERO", "-128.0")})) {
    expect_pixels(load_both(file, hdu), std::vector<float>{-128, -127, -1, 0, 1, 127});
  }
}

TEST(scaling, what_is_no_number_is_an_error) {
  for (const char* keyword : {"BZERO", "BSCALE"}) {
    for (const char* text : {"'unsigned'", "1.95E+00,", "T", "32 768"}) {
      for (const auto& [file, hdu] : all_files<std::int16_t>({1, 2, 3, 4}, {raw_card(keyword, text)})) {
        expect_error(error_of(file, hdu), errc::header_invalid, {"made.fits", hdu}, {keyword, "expected a number"});
      }
    }
  }
}

/// float(raw) * scale + zero, each step rounded in the type that comes out.
template <class T, class Float>
void expect_scaled(const std::vector<T>& raw, double scale, double zero) {
  std::vector<Float> expected;
  for (const T value : raw) {
    auto number = static_cast<Float>(value);
    if (scale != 1) number = number * static_cast<Float>(scale);
    if (zero != 0) number = number + static_cast<Float>(zero);
    expected.push_back(number);
  }
  for (const auto& [file, hdu] : all_files<T>(raw, {card("BSCALE", scale), card("BZERO", zero)})) {
    expect_pixels(load_both(file, hdu), expected);
    const image stored = load_both(file, hdu, pixel_values::stored);
    expect_pixels(stored, raw);
    EXPECT_EQ(stored.scale, scale);
    EXPECT_EQ(stored.zero, zero);
  }
}

/// Results that leave the stored type, on both sides, and conventions that are none because BSCALE is not 1.
TEST(scaling, floats_come_out_and_nothing_wraps) {
  const std::vector<std::pair<double, double>> scalings{{0.0458, 1500},    {0.1, 3.3},   {2, 32768}, {1, 32767},
                                                        {1, 2147483648.0}, {-1e30, 0.1}, {1, 0.5},   {0, 3}};
  for (const auto& [scale, zero] : scalings) {
    SCOPED_TRACE(std::to_string(scale) + " " + std::to_string(zero));
    expect_scaled<std::uint8_t, float>({0, 1, 200, 255}, scale, zero);
    expect_scaled<std::int16_t, float>({-32768, -1, 3, 32767}, scale, zero);
    if (scale != 1 || zero != 2147483648.0) {
      expect_scaled<std::int32_t, double>({-2147483647 - 1, -1, 3, 2147483647}, scale, zero);
    }
    expect_scaled<std::int64_t, double>({std::numeric_limits<std::int64_t>::min(), -1, 3, 1LL << 62}, scale, zero);
  }
}

template <class T>
void expect_scaled_floats() {
  const std::vector<T> raw{T(1.5), T(-0.1), T(3e7), T(1e-20)};
  std::vector<T> expected;
  for (const T value : raw) {
    const T product = value * static_cast<T>(0.3);
    expected.push_back(product + static_cast<T>(7.1));
  }
  const std::vector<std::string> cards{card("BSCALE", 0.3), card("BZERO", 7.1)};
  expect_pixels(load_both(plain_image<T>({2, 2}, raw, cards), 0), expected);
  compressed_image made = tiled_image<T>(*find_codec(codec_id::gzip_2), {2, 2}, {2, 2}, raw);
  made.extra = cards;
  expect_pixels(load_both(compressed_file(made), 1), expected);
}

TEST(scaling, floats_keep_their_type) {
  expect_scaled_floats<float>();
  expect_scaled_floats<double>();
}

}  // namespace
}  // namespace cuphoton::xdr::test
