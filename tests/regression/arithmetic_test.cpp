// Each operation is rounded by itself, in the type that the result's convention has: quantised floats in double without
// a fused multiply-add, BSCALE and BZERO in the type of the result. This file is compiled without contraction.
#include <gtest/gtest.h>

#include <cmath>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

constexpr std::int64_t width = 50;
constexpr std::int64_t height = 20;
constexpr double step = 0.0123456789012345678;
constexpr double offset = -3.3333333333333335;

/// The standard's random numbers: 16807 times the seed before, modulo 2^31 - 1.
std::vector<float> random_numbers() {
  std::vector<float> numbers;
  std::int64_t seed = 1;
  for (int i = 0; i < 10000; ++i) {
    seed = 16807 * seed % 2147483647;
    numbers.push_back(static_cast<float>(static_cast<double>(seed) / 2147483647.0));
  }
  return numbers;
}

struct both_ways {
  std::vector<double> apart;
  int differ_if_fused = 0;
};

/// Row tiles: row r starts at number (r + seed - 1), and there at 500 times it. Rows are short: no segment ends.
both_ways expected_values(const std::vector<std::int32_t>& integers, bool dithered, int seed) {
  static const std::vector<float> numbers = random_numbers();
  both_ways values;
  for (std::size_t i = 0; i < integers.size(); ++i) {
    double number = integers[i];
    if (dithered) {
      const std::size_t start = (i / width + static_cast<std::size_t>(seed) - 1) % 10000;
      const auto first = static_cast<std::size_t>(numbers[start] * 500.0F);
      number = number - static_cast<double>(numbers[first + i % width]);
      number = number + 0.5;
    }
    const double product = number * step;
    values.apart.push_back(product + offset);
    values.differ_if_fused += std::fma(number, step, offset) != values.apart.back() ? 1 : 0;
  }
  return values;
}

TEST(arithmetic, multiply_and_add_round_apart) {
  std::vector<std::int32_t> integers;
  for (std::int32_t i = 0; i < width * height; ++i) integers.push_back(1000 + (i * i) % 307);
  for (const codec_row& row : codec_table()) {
    // Lines are no tiles of HCOMPRESS here: one tile, and a width of its own in the dither's sequence.
    const bool lines = row.id != codec_id::hcompress_1;
    const test::compressed_image made = test::integer_image(row, width, height, width, lines ? 1 : height, integers);
    if (made.columns[0].cells.empty()) continue;
    for (const char* method : {"NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
      const bool dithered = method[0] == 'S';
      if (dithered && !lines) continue;
      const both_ways expected = expected_values(integers, dithered, 42);
      ASSERT_GT(expected.differ_if_fused, width * height / 10);  // or the test would show nothing
      const std::vector<std::string> extra = {card("ZQUANTIZ", method), card("ZDITHER0", 42)};
      ASSERT_NO_FATAL_FAILURE(test::expect_pixels(
          test::load_both(test::compressed_file(test::quantised(made, -64, step, offset, extra)), 1), expected.apart))
          << row.fits_name << " " << method;
      std::vector<float> single;
      for (const double value : expected.apart) single.push_back(static_cast<float>(value));
      ASSERT_NO_FATAL_FAILURE(test::expect_pixels(
          test::load_both(test::compressed_file(test::quantised(made, -32, step, offset, extra)), 1), single))
          << row.fits_name << " " << method;
    }
  }
}

/// raw * scale + zero in Result, and how many would differ if computed in double.
template <class Result, class Stored>
std::vector<Result> scaled(const std::vector<Stored>& stored, double scale, double zero, int& differ) {
  std::vector<Result> values;
  for (const Stored value : stored) {
    const Result product = static_cast<Result>(value) * static_cast<Result>(scale);
    values.push_back(product + static_cast<Result>(zero));
    const double in_double = static_cast<double>(value) * scale;
    differ += static_cast<Result>(in_double + zero) != values.back() ? 1 : 0;
  }
  return values;
}

template <class Result, class Stored>
void expect_scaled(const std::vector<Stored>& stored, bool differs) {
  const std::vector<std::string> extra = {card("BSCALE", 0.1), card("BZERO", 3.3)};
  int differ = 0;
  const std::vector<Result> expected = scaled<Result>(stored, 0.1, 3.3, differ);
  EXPECT_EQ(differ > 0, differs);
  const auto count = static_cast<std::int64_t>(stored.size());
  test::expect_pixels(test::load_both(test::plain_image({count}, stored, extra), 0), expected);
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = test::bitpix_of<Stored>();
  image.axes = {count};
  image.tiles = {count};
  image.columns = {{"COMPRESSED_DATA", "1PB", {test::gzip_by_libdeflate(test::big_endian(stored), 6)}}};
  image.extra = extra;
  test::expect_pixels(test::load_both(test::compressed_file(image), 1), expected);
}

template <class Stored>
std::vector<Stored> some() {
  std::vector<Stored> values;
  for (int i = 0; i < 200; ++i) values.push_back(static_cast<Stored>(i * 37 % 251));
  return values;
}

TEST(arithmetic, scaling_rounds_in_the_type_of_the_result) {
  expect_scaled<float>(some<std::uint8_t>(), true);
  expect_scaled<float>(some<std::int16_t>(), true);
  expect_scaled<double>(some<std::int32_t>(), false);  // the result is double: both ways agree
  expect_scaled<double>(some<std::int64_t>(), false);
  expect_scaled<float>(some<float>(), true);
  expect_scaled<double>(some<double>(), false);
}

TEST(arithmetic, scaled_integers_of_every_codec) {
  std::vector<std::int32_t> stored;
  for (std::int32_t i = 0; i < width * height; ++i) stored.push_back(1000 + i % 97);
  std::vector<double> expected;
  int differ_if_fused = 0;
  for (const std::int32_t value : stored) {
    const double product = value * 0.1;
    expected.push_back(product + 3.3);
    differ_if_fused += std::fma(static_cast<double>(value), 0.1, 3.3) != expected.back() ? 1 : 0;
  }
  ASSERT_GT(differ_if_fused, 10);
  for (const codec_row& row : codec_table()) {
    test::compressed_image made = test::integer_image(row, width, height, width, 5, stored);
    if (made.columns[0].cells.empty()) continue;
    made.extra = {card("BSCALE", 0.1), card("BZERO", 3.3)};
    ASSERT_NO_FATAL_FAILURE(test::expect_pixels(test::load_both(test::compressed_file(made), 1), expected))
        << row.fits_name;
  }
}

TEST(arithmetic, a_neutral_scale_does_nothing) {
  const std::vector<float> stored = {-0.0F, 0.0F, 1e-45F, 1.5F};
  test::expect_pixels(test::load_both(test::plain_image({4}, stored, {card("BSCALE", 1.0), card("BZERO", 0.0)}), 0),
                      stored);
  test::expect_pixels(test::load_both(test::plain_image({4}, stored, {card("BSCALE", 2.0)}), 0),
                      std::vector<float>{-0.0F, 0.0F, 2.0F * 1e-45F, 3.0F});
}

}  // namespace
}  // namespace cuphoton::xdr
