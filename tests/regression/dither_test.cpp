// Dithered pixels are restored with the numbers that the writer subtracted: the table of FITS 4.0, the seed of the
// header, one number for each pixel.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// The table by the recipe of FITS 4.0 Appendix I, in doubles as it is written there.
std::vector<float> random_numbers() {
  std::vector<float> numbers(10000);
  double seed = 1;
  for (float& number : numbers) {
    const double product = 16807.0 * seed;
    seed = product - 2147483647.0 * static_cast<double>(static_cast<int>(product / 2147483647.0));
    number = static_cast<float>(seed / 2147483647.0);
  }
  return numbers;
}

/// Number that belongs to pixel `pixel` of the tile in row `row`, by walking from the first.
class sequence {
 public:
  sequence(std::int64_t row, std::int64_t seed) : start_(static_cast<std::size_t>((row + seed - 1) % 10000)) {
    at_ = first();
  }
  float next() {
    const float number = table()[at_];
    if (++at_ == 10000) {
      start_ = (start_ + 1) % 10000;
      at_ = first();
    }
    return number;
  }

 private:
  static const std::vector<float>& table() {
    static const std::vector<float> numbers = random_numbers();
    return numbers;
  }
  std::size_t first() const { return static_cast<std::size_t>(table()[start_] * 500.0F); }
  std::size_t start_;
  std::size_t at_ = 0;
};

constexpr std::int32_t null_code = -2147483647;
constexpr std::int32_t zero_code = -2147483646;

struct dithered_case {
  std::int64_t width;
  std::int64_t rows;
  const char* method;
  std::optional<std::int64_t> seed;  // ZDITHER0
  std::int64_t acts_as;
};

template <class T>
void expect_dithered(const codec_row& codec, const dithered_case& about) {
  SCOPED_TRACE(std::string(codec.fits_name) + " " + about.method + " seed " + std::to_string(about.acts_as));
  const auto count = static_cast<std::size_t>(about.width * about.rows);
  const bool zeros = std::string(about.method) == "SUBTRACTIVE_DITHER_2";
  std::vector<std::int32_t> q(count);
  std::vector<T> expected(count);
  for (std::size_t row = 0; row < static_cast<std::size_t>(about.rows); ++row) {
    sequence numbers(static_cast<std::int64_t>(row), about.acts_as);
    for (std::size_t i = row * static_cast<std::size_t>(about.width);
         i < (row + 1) * static_cast<std::size_t>(about.width); ++i) {
      q[i] = static_cast<std::int32_t>(i % 1013);
      // Nulls and exact zeros use up a number like every pixel.
      if (codec.id != codec_id::plio_1 && i % 7 == 3) q[i] = null_code;
      if (codec.id != codec_id::plio_1 && i % 11 == 5) q[i] = zero_code;
      const double r = static_cast<double>(numbers.next());
      expected[i] = static_cast<T>(((static_cast<double>(q[i]) - r) + 0.5) * 0.125 + 2.0);
      if (zeros && q[i] == zero_code) expected[i] = 0;
      if (q[i] == null_code) expected[i] = std::numeric_limits<T>::quiet_NaN();
    }
  }
  compressed_image made =
      tiled_image<std::int32_t>(codec, bitpix_of<T>(), {about.width, about.rows}, {about.width, 1}, q);
  quantize(made, std::vector<double>(static_cast<std::size_t>(about.rows), 0.125),
           std::vector<double>(static_cast<std::size_t>(about.rows), 2.0));
  made.extra.push_back(card("ZQUANTIZ", about.method));
  made.extra.push_back(card("ZBLANK", null_code));
  if (about.seed) made.extra.push_back(card("ZDITHER0", *about.seed));
  expect_pixels(load_both(compressed_file(made), 1), expected);
}

/// More tiles than the table has numbers, so that the row's start wraps; two rounds would show a wrong modulus.
TEST(dither, tiles_start_where_seed_and_row_say) {
  for (const char* method : {"SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
    for (const std::int64_t seed : {1, 42, 9999, 10000}) {
      expect_dithered<float>(*find_codec(codec_id::rice_1), {4, 10050, method, seed, seed});
      expect_dithered<double>(*find_codec(codec_id::none), {4, 10050, method, seed, seed});
    }
  }
}

/// A tile longer than what is left of the table goes on at the next start, again and again.
TEST(dither, long_tiles_go_round_the_table) {
  expect_dithered<float>(*find_codec(codec_id::gzip_1), {25001, 2, "SUBTRACTIVE_DITHER_1", 9999, 9999});
  expect_dithered<double>(*find_codec(codec_id::rice_1), {25001, 2, "SUBTRACTIVE_DITHER_2", 10000, 10000});
}

TEST(dither, is_the_same_in_every_codec) {
  for (const codec_row* codec : chosen_codecs()) {
    if (codec->id == codec_id::hcompress_1) continue;  // rows of one line: its own test below
    expect_dithered<float>(*codec, {50, 3, "SUBTRACTIVE_DITHER_1", 77, 77});
    expect_dithered<double>(*codec, {50, 3, "SUBTRACTIVE_DITHER_2", 77, 77});
  }
}

/// The pixels of a tile with several rows are numbered row after row of the tile, not of the image.
TEST(dither, numbers_follow_the_tile_not_the_image) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    std::vector<std::int32_t> q(10 * 6);
    std::vector<double> expected(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = static_cast<std::int32_t>(3 * i);
    for (std::int64_t tile = 0; tile < 2; ++tile) {
      sequence numbers(tile, 5);
      for (std::size_t i = 0; i < 30; ++i) {
        const std::size_t pixel = i / 5 * 10 + static_cast<std::size_t>(tile) * 5 + i % 5;
        expected[pixel] = (static_cast<double>(q[pixel]) - static_cast<double>(numbers.next())) + 0.5;
      }
    }
    compressed_image made = tiled_image<std::int32_t>(*codec, -64, {10, 6}, {5, 6}, q);
    quantize(made, {1.0, 1.0}, {0.0, 0.0});
    made.extra.push_back(card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"));
    made.extra.push_back(card("ZDITHER0", 5));
    expect_pixels(load_both(compressed_file(made), 1), expected);
  }
}

TEST(dither, seeds_that_are_missing_or_beyond_the_table) {
  expect_dithered<float>(*find_codec(codec_id::rice_1), {20, 3, "SUBTRACTIVE_DITHER_1", std::nullopt, 1});
  expect_dithered<float>(*find_codec(codec_id::rice_1), {20, 3, "SUBTRACTIVE_DITHER_1", 20001, 1});
  for (const std::int64_t seed : {0, -5}) {
    compressed_image made = tiled_image<std::int32_t>(*find_codec(codec_id::gzip_1), -32, {4, 1}, {4, 1}, {1, 2, 3, 4});
    quantize(made, {0.5}, {10.0});
    made.extra = {card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), card("ZDITHER0", seed)};
    expect_error(error_of(compressed_file(made), 1), errc::header_invalid, {"made.fits", 1},
                 {"ZDITHER0", std::to_string(seed)});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
