// Nulls of quantised tiles are NaN in the plain call, without an argument for them, and what a writer left in a tile is
// read as it is: tiles of only nulls, a null first, a scale of zero, of NaN or of infinity.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;
using test::table_cell;

constexpr double step = 0.25;
constexpr double offset = 100.0;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Bits, but any NaN for a NaN.
void expect_values(const image& pixels, const std::vector<double>& expected, const std::string& what) {
  const std::vector<double> found = test::values_of<double>(pixels);
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << what << ", pixel " << i << ": " << found[i];
    if (std::isnan(expected[i])) continue;
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], sizeof(double)), 0)
        << what << ", pixel " << i << ": " << found[i] << " for " << expected[i];
  }
}

TEST(nan_tiles, the_plain_call_gives_nan_where_the_null_is) {
  // As writers of the two common readers code it, and as a mask codec can.
  for (const std::int32_t null : {-2147483647, INT32_MIN, 5}) {
    for (const codec_row& row : codec_table()) {
      if (row.id == codec_id::plio_1 && null < 0) continue;
      std::vector<std::int32_t> integers;
      std::vector<double> expected;
      for (std::int32_t i = 0; i < 48; ++i) {
        const bool is_null = i == 0 || i == 19 || i == 47;
        integers.push_back(is_null ? null : 400 + i);
        expected.push_back(is_null ? not_a_number : (400 + i) * step + offset);
      }
      const test::compressed_image made = test::integer_image(row, 8, 6, 8, 2, integers);
      if (made.columns[0].cells.empty()) continue;
      const std::string what = std::string(row.fits_name) + ", null " + std::to_string(null);
      test::compressed_image keyword = test::quantised(made, -64, step, offset, {card("ZBLANK", null)});
      for (const pixel_values values : {pixel_values::scaled, pixel_values::stored}) {
        expect_values(test::load_both(test::compressed_file(keyword), 1, values), expected, what);
      }
      test::compressed_image column = test::quantised(made, -64, step, offset);
      column.columns.push_back({"ZBLANK", "1J", std::vector<table_cell>(3, std::int64_t{null})});
      expect_values(test::load_both(test::compressed_file(column), 1), expected, what + " in a column");
      // Without ZBLANK nothing is null.
      const std::vector<double> plain =
          test::values_of<double>(test::load_both(test::compressed_file(test::quantised(made, -64, step, offset)), 1));
      EXPECT_EQ(plain.at(19), null * step + offset) << what;
    }
  }
}

TEST(nan_tiles, are_read_as_they_are_stored) {
  const std::vector<std::int32_t> integers = {5,  5,  5,  5,  5,  5,  5,  5,    // only nulls
                                              5,  21, 22, 23, 24, 25, 26, 27,   // a null first
                                              30, 31, 32, 5,  34, 35, 36, 37};  // a scale of zero
  for (const codec_row& row : codec_table()) {
    const test::compressed_image made = test::integer_image(row, 4, 6, 4, 2, integers);
    if (made.columns[0].cells.empty()) continue;
    test::compressed_image image = test::quantised(made, -64, step, offset, {card("ZBLANK", 5)});
    image.columns[1].cells[2] = 0.0;
    std::vector<double> expected(9, not_a_number);
    for (int i = 21; i < 28; ++i) expected.push_back(i * step + offset);
    for (int i = 30; i < 38; ++i) expected.push_back(i == 33 ? not_a_number : offset);
    expect_values(test::load_both(test::compressed_file(image), 1), expected, std::string(row.fits_name));
  }
}

TEST(nan_tiles, scales_that_are_no_numbers_propagate) {
  const std::vector<std::int32_t> integers = {40, 41, 42, 43, 44, 45, 5,  47,  // a zero point of NaN
                                              50, 51, 52, 53, 54, 55, 56, 0};  // an infinite scale
  std::vector<double> expected(8, not_a_number);
  expected.insert(expected.end(), 7, std::numeric_limits<double>::infinity());
  expected.push_back(not_a_number);  // zero times infinity
  for (const codec_row& row : codec_table()) {
    const test::compressed_image made = test::integer_image(row, 4, 4, 4, 2, integers);
    if (made.columns[0].cells.empty()) continue;
    test::compressed_image tiles = test::quantised(made, -64, step, offset, {card("ZBLANK", 5)});
    tiles.columns[2].cells[0] = not_a_number;
    tiles.columns[1].cells[1] = std::numeric_limits<double>::infinity();
    // One engine after the other: which NaN arithmetic makes is the processor's affair.
    const auto source = test::source_of(test::compressed_file(tiles));
    for (const engine_choice engine : {engine_choice::host, engine_choice::gpu}) {
      if (engine == engine_choice::gpu && !test::device_is_there()) continue;
      const test::read_outcome outcome = test::outcome_on(*source, hdu_selector::number(1), {}, engine);
      ASSERT_TRUE(std::holds_alternative<image>(outcome)) << test::describe(outcome);
      expect_values(std::get<image>(outcome), expected, std::string(row.fits_name));
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
