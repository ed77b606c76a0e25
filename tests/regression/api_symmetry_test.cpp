// A plain and a compressed image of the same pixels answer the same calls with the same results.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

constexpr std::int64_t width = 20;
constexpr std::int64_t height = 12;

/// HDU 1 plain, HDU 2 the same by `row`'s codec in tiles of 7 x 5; without HDU 2 where this build has no encoder.
byte_vector pair_of(const codec_row& row, const std::vector<std::int32_t>& values,
                    const std::vector<std::string>& extra) {
  byte_vector file = test::empty_primary();
  test::append(file, test::hdu_bytes(test::image_cards(32, {width, height}, extra), test::big_endian(values)));
  test::compressed_image tiled = test::integer_image(row, width, height, 7, 5, values);
  tiled.extra = extra;
  if (!tiled.columns[0].cells.empty()) test::append(file, test::compressed_hdu(tiled));
  return file;
}

void expect_same(const image& plain, const image& tiled, const std::string& what) {
  EXPECT_EQ(name(plain.type()), name(tiled.type())) << what;
  EXPECT_EQ(plain.extents(), tiled.extents()) << what;
  EXPECT_EQ(plain.scale, tiled.scale) << what;
  EXPECT_EQ(plain.zero, tiled.zero) << what;
  EXPECT_EQ(plain.null_value, tiled.null_value) << what;
  ASSERT_EQ(plain.size_bytes(), tiled.size_bytes()) << what;
  EXPECT_TRUE(std::equal(plain.data(), plain.data() + plain.size_bytes(), tiled.data())) << what;
}

void expect_symmetry(const codec_row& row, const std::vector<std::int32_t>& values,
                     const std::vector<std::string>& extra) {
  const byte_vector file = pair_of(row, values, extra);
  const auto source = test::source_of(file);
  const file_info listed = inspect(*source);
  if (listed.hdus.size() == 2) return;
  const std::string what(row.fits_name);
  ASSERT_EQ(listed.hdus.size(), 3U);
  EXPECT_EQ(listed.hdus[1].extents, listed.hdus[2].extents) << what;
  EXPECT_EQ(name(listed.hdus[1].stored_type), name(listed.hdus[2].stored_type)) << what;
  EXPECT_EQ(name(listed.hdus[1].scaled_type), name(listed.hdus[2].scaled_type)) << what;
  EXPECT_EQ(listed.hdus[1].null_value, listed.hdus[2].null_value) << what;
  strided_box every_other{box{2, {1, 3}, {5, 6}}};
  every_other.step = {2, 3};
  for (const pixel_values kind : {pixel_values::scaled, pixel_values::stored}) {
    read_options options;
    options.values = kind;
    expect_same(test::load_both(file, 1, options), test::load_both(file, 2, options), what);
    options.section = every_other;
    expect_same(test::load_both(file, 1, options), test::load_both(file, 2, options), what + " section");
    options.engine = engine_choice::host;
    for (int hdu = 1; hdu < 3; ++hdu) {
      const image_plan planned = plan(*source, hdu_selector::number(hdu), options);
      EXPECT_EQ(shape_of(planned.section), (shape{2, {5, 6}}));
      std::vector<double> room(30);
      const std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t*>(room.data()),
                                          30U * static_cast<std::size_t>(size_bytes(planned.output_type)));
      EXPECT_EQ(read_into(*source, planned, bytes, options).bytes_delivered, bytes.size());
      const image whole_read = test::load_both(file, 1, options);
      EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), whole_read.data())) << what;
    }
  }
}

TEST(api_symmetry, plain_and_compressed_answer_alike) {
  const std::vector<std::int32_t> zeros(width * height, 0);
  std::vector<std::int32_t> values;
  for (std::int32_t i = 0; i < width * height; ++i) values.push_back(1000 + i * i % 97);
  for (const codec_row& row : codec_table()) {
    for (const auto& pixels : {zeros, values}) {
      ASSERT_NO_FATAL_FAILURE(expect_symmetry(row, pixels, {}));
      ASSERT_NO_FATAL_FAILURE(expect_symmetry(row, pixels, {card("BZERO", 2147483648.0)}));
      ASSERT_NO_FATAL_FAILURE(expect_symmetry(row, pixels, {card("BSCALE", 0.1), card("BZERO", -3.0)}));
      ASSERT_NO_FATAL_FAILURE(expect_symmetry(row, pixels, {card("BLANK", pixels[3])}));
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
