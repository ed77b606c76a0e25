// NAXISn and ZTILEn count from the fastest axis, shapes in memory from the slowest; tiles are counted fastest first.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

void expect_order(const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& tiles, const shape& extents) {
  const codec_row& codec = *find_codec(codec_id::gzip_1);
  std::uint64_t count = 1;
  for (const std::int64_t axis : axes) count *= static_cast<std::uint64_t>(axis);
  const std::vector<std::int32_t> pixels = chosen_pixels<std::int32_t>(codec, count);
  const image plain = load_both(plain_image<std::int32_t>(axes, pixels), 0);
  EXPECT_EQ(plain.extents(), extents);
  expect_pixels(plain, pixels);
  const image tiled = load_both(compressed_file(tiled_image<std::int32_t>(codec, axes, tiles, pixels)), 1);
  EXPECT_EQ(tiled.extents(), extents);
  expect_pixels(tiled, pixels);
}

TEST(axis_order, images_and_tiles_that_are_not_square) {
  expect_order({37, 91}, {8, 20}, {2, {91, 37}});
  expect_order({91, 37}, {8, 20}, {2, {37, 91}});
  expect_order({5, 7, 11}, {2, 3, 4}, {3, {11, 7, 5}});
  expect_order({3, 1, 4, 2}, {2, 1, 1, 2}, {4, {2, 4, 1, 3}});
}

/// Pixel (x, y) by hand: 3 columns, 2 rows, cut into columns; row r of the table is column r of the image.
TEST(axis_order, by_hand) {
  compressed_image made;
  made.codec = "NOCOMPRESS";
  made.axes = {3, 2};
  made.tiles = {1, 2};
  made.columns = {
      {"COMPRESSED_DATA", "1PB", {byte_vector{0, 11, 0, 21}, byte_vector{0, 12, 0, 22}, byte_vector{0, 13, 0, 23}}}};
  const image pixels = load_both(compressed_file(made), 1);
  EXPECT_EQ(pixels.extents(), (shape{2, {2, 3}}));
  expect_pixels(pixels, std::vector<std::int16_t>{11, 12, 13, 21, 22, 23});
}

/// 37 x 91 by 8 x 20 are 5 * 5 tiles, by 20 x 8 they would be 2 * 12: rows and tiles must agree.
TEST(axis_order, rows_must_be_the_product_of_the_tile_counts) {
  const codec_row& codec = *find_codec(codec_id::none);
  for (const std::size_t rows : {std::size_t{24}, std::size_t{26}}) {
    compressed_image made =
        tiled_image<std::int32_t>(codec, {37, 91}, {8, 20}, chosen_pixels<std::int32_t>(codec, 37 * 91));
    ASSERT_EQ(made.columns[0].cells.size(), 25U);
    made.columns[0].cells.resize(rows, byte_vector{0, 1});
    expect_error(error_of(compressed_file(made), 1), errc::tile_table_invalid, {"made.fits", 1},
                 {std::to_string(rows), "25"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
