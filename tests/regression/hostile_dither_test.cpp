// hostile_dither_test.cpp: a dither seed is a number of the file that chooses a place in a table.
#include "support/encoders.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Number `index` of FITS 4.0 Appendix I.
float random_number(std::uint64_t index) {
  std::uint64_t seed = 1;
  for (std::uint64_t i = 0; i <= index; ++i) seed = seed * 16807 % 2147483647;
  return static_cast<float>(static_cast<double>(seed) / 2147483647.0);
}

/// Three tiles of two pixels, 7 and 9, in steps of 0.25 from 10.
compressed_image quantised(const std::string& method, const std::string& seed) {
  compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = -32;
  image.axes = {2, 3};
  image.tiles = {2, 1};
  const byte_vector tile = gzip_by_libdeflate(big_endian<std::int32_t>({7, 9}), 6);
  image.columns = {{"COMPRESSED_DATA", "1PB", {tile, tile, tile}},
                   {"ZSCALE", "1D", {0.25, 0.25, 0.25}},
                   {"ZZERO", "1D", {10.0, 10.0, 10.0}}};
  image.extra = {card("ZQUANTIZ", method.c_str()), raw_card("ZDITHER0", seed)};
  return image;
}

TEST(hostile_dither, a_seed_below_1_is_refused) {
  for (const char* method : {"SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
    for (const char* seed : {"0", "-1", "-10000", "-2147483648", "-9223372036854775808"}) {
      expect_error(error_of(compressed_file(quantised(method, seed)), 1), errc::header_invalid, {"made.fits", 1},
                   {"ZDITHER0", seed});
    }
    expect_error(error_of(compressed_file(quantised(method, "9223372036854775808")), 1), errc::header_invalid,
                 {"made.fits", 1}, {"ZDITHER0", "9223372036854775808"});
  }
}

TEST(hostile_dither, any_other_seed_stays_inside_the_table) {
  for (const char* method : {"SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
    // The text of a seed, and what it is modulo 10000: the first number of row 0 is R[500 * R[seed - 1]].
    const std::pair<const char*, std::uint64_t> seeds[] = {
        {"1", 1}, {"9999", 9999}, {"10000", 10000}, {"10001", 1}, {"4294967296", 7296}, {"9223372036854775807", 5807}};
    for (const auto& [text, seed] : seeds) {
      std::vector<float> expected;
      for (std::uint64_t row = 0; row < 3; ++row) {
        const auto start = static_cast<std::uint64_t>(random_number((seed - 1 + row) % 10000) * 500.0F);
        for (std::uint64_t i = 0; i < 2; ++i) {
          const double q = i == 0 ? 7.0 : 9.0;
          const double shifted = (q - static_cast<double>(random_number(start + i)) + 0.5) * 0.25;
          expected.push_back(static_cast<float>(shifted + 10.0));
        }
      }
      SCOPED_TRACE(std::string(method) + " " + text);
      expect_pixels(load_both(compressed_file(quantised(method, text)), 1), expected);
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
