// ZBLANK of integer images: it is what BLANK is where that is missing, as a keyword and as a column of other values in
// each tile.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::int32_t> raw{1, 2, 3, 4, 5, 6, 7, 8};

/// Two tiles of two rows.
compressed_image integers(const codec_row& codec, const std::vector<std::string>& extra) {
  compressed_image made = tiled_image<std::int32_t>(codec, {2, 4}, {2, 2}, raw);
  made.extra.insert(made.extra.end(), extra.begin(), extra.end());
  return made;
}

TEST(integer_zblank, as_a_keyword) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    const byte_vector file = compressed_file(integers(*codec, {card("ZBLANK", 6)}));
    const image pixels = load_both(file, 1);
    expect_pixels(pixels, std::vector<double>{1, 2, 3, 4, 5, nan64, 7, 8});
    EXPECT_EQ(pixels.null_value, 6);
    expect_pixels(load_both(file, 1, pixel_values::stored), raw);
  }
}

TEST(integer_zblank, the_lowest_integer) {
  compressed_image made = tiled_image<std::int32_t>(*find_codec(codec_id::rice_1), {3, 1}, {3, 1},
                                                    {5, std::numeric_limits<std::int32_t>::min(), -7});
  made.extra.push_back(card("ZBLANK", -2147483648LL));
  expect_pixels(load_both(compressed_file(made), 1), std::vector<double>{5, nan64, -7});
}

TEST(integer_zblank, as_a_column_of_different_values) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    compressed_image made = integers(*codec, {});
    made.columns.push_back({"ZBLANK", "1J", {std::int64_t{2}, std::int64_t{5}}});
    expect_pixels(load_both(compressed_file(made), 1), std::vector<double>{1, nan64, 3, 4, nan64, 6, 7, 8});
    made.extra.push_back(card("ZBLANK", 8));  // the column wins
    expect_pixels(load_both(compressed_file(made), 1), std::vector<double>{1, nan64, 3, 4, nan64, 6, 7, 8});
  }
}

TEST(integer_zblank, blank_counts_where_both_keywords_stand) {
  const compressed_image made = integers(*find_codec(codec_id::rice_1), {card("ZBLANK", 6), card("BLANK", 3)});
  expect_pixels(load_both(compressed_file(made), 1), std::vector<double>{1, 2, nan64, 4, 5, 6, 7, 8});
}

TEST(integer_zblank, sixteen_bits_become_float32) {
  compressed_image made = tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {3, 1}, {3, 1}, {5, -32768, 32767});
  made.extra.push_back(card("ZBLANK", -32768));
  expect_pixels(load_both(compressed_file(made), 1),
                std::vector<float>{5.0F, std::numeric_limits<float>::quiet_NaN(), 32767.0F});
}

TEST(integer_zblank, unsigned_conventions_stay_integers) {
  compressed_image made = integers(*find_codec(codec_id::rice_1), {card("ZBLANK", 6), card("BZERO", 2147483648LL)});
  std::vector<std::uint32_t> expected;
  for (const std::int32_t value : raw) expected.push_back(2147483648U + static_cast<std::uint32_t>(value));
  expect_pixels(load_both(compressed_file(made), 1), expected);
}

}  // namespace
}  // namespace cuphoton::xdr::test
