// Plans of made files: pieces of plain images, groups of compressed ones, reasons, notes, and every refusal.
#include <gtest/gtest.h>

#include <cuphoton/xdr/reader.hpp>

#include "support/encoders.hpp"
#include "support/made_images.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;

image_plan plan_of(const byte_vector& file, const read_options& options = {}, int hdu = 1) {
  return plan(*test::source_of(file), hdu_selector::number(hdu), options);
}
image_plan plan_of(const test::compressed_image& image, const read_options& options = {}) {
  return plan_of(test::compressed_file(image), options);
}

template <class F>
void expect_error(errc code, const std::string& part, F&& f) {
  try {
    f();
    ADD_FAILURE() << "no error where '" << part << "' was expected";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), code) << problem.what();
    EXPECT_NE(std::string(problem.what()).find(part), std::string::npos) << problem.what();
  }
}

constexpr shape small{2, {6, 10}};
test::compressed_image three_tiles() {
  return test::gzip_image(small, {2, {2, 10}});
}

TEST(plan_plain, pieces_are_contiguous_and_about_a_mebibyte) {
  const image_plan whole_image = plan_of(test::plain_file({2, {3000, 1000}}), {}, 0);  // rows of 2000 bytes
  ASSERT_EQ(whole_image.groups.size(), 1U);
  const tile_group& group = whole_image.groups[0];
  EXPECT_EQ(group.codec, codec_id::none);
  EXPECT_EQ(whole_image.grid.tile_shape, (shape{2, {524, 1000}}));
  std::uint64_t next = 2880;
  for (const tile_record& tile : group.tiles) {
    EXPECT_EQ(tile.offset_bytes, next);
    next += tile.length_bytes;
  }
  EXPECT_EQ(next, 2880U + 6'000'000U);
  EXPECT_NO_THROW(validate(whole_image));
}

TEST(plan_plain, empty_images_and_sections_have_no_tiles) {
  EXPECT_TRUE(plan_of(test::plain_file({2, {0, 5}}), {}, 0).groups.empty());
  EXPECT_TRUE(plan_of(test::plain_file({2, {5, 0}}), {}, 0).groups.empty());
  read_options options;
  options.section = box{2, {3, 3}, {0, 4}};
  const image_plan nothing = plan_of(test::plain_file(small), options, 0);
  EXPECT_TRUE(nothing.groups.empty());
  EXPECT_NO_THROW(validate(nothing));
}

TEST(plan, sections_must_lie_inside) {
  const auto stepped = [](std::int64_t rows, std::int64_t step) {
    strided_box section = box{2, {1, 0}, {rows, 1}};
    section.step[0] = step;
    return section;
  };
  EXPECT_EQ(small, (shape{2, {6, 10}}));
  read_options fits;
  fits.section = stepped(2, 4);
  EXPECT_EQ(plan_of(test::plain_file(small), fits, 0).groups.at(0).tiles.size(), 2U);  // rows 1 and 5
  for (const strided_box& section : std::initializer_list<strided_box>{
           stepped(2, 5), stepped(3, 0x7FFFFFFFFFFFFFFF), stepped(1, 0), stepped(1, -1),
           strided_box(box{2, {0, 0}, {7, 1}}), box{2, {-1, 0}, {1, 1}}, box{2, {6, 10}, {1, 0}}, box{1, {0}, {1}},
           box{2, {0, 0}, {-1, 1}}, box{2, {1, 0}, {0x7FFFFFFFFFFFFFFF, 1}}}) {
    read_options options;
    options.section = section;
    expect_error(errc::invalid_argument, "not inside", [&] { plan_of(test::plain_file(small), options, 0); });
    expect_error(errc::invalid_argument, "not inside", [&] { plan_of(three_tiles(), options); });
  }
}

TEST(plan, budgets_are_checked_before_anything_is_taken) {
  read_options options;
  options.caps.max_bytes = 119;  // the image has 120
  expect_error(errc::unsupported, "max_bytes", [&] { plan_of(test::plain_file(small), options, 0); });
  options.section = box{2, {0, 0}, {1, 1}};
  options.caps.max_bytes = 39;  // one pixel is wanted, but its tile has 40 bytes
  expect_error(errc::unsupported, "one tile", [&] { plan_of(three_tiles(), options); });
  EXPECT_NO_THROW(plan_of(test::plain_file(small), options, 0));
}

TEST(plan_compressed, one_group_for_each_column) {
  test::compressed_image image = three_tiles();
  test::table_column compressed = image.columns[0];
  byte_vector plain = test::made_bytes(small, box{2, {2, 0}, {2, 10}});
  test::table_column fallback{"uncompressed_data", "1QI", {{}, plain, {}}};
  test::table_column gzip{"GZIP_COMPRESSED_DATA", "PB(99)", {{}, {}, compressed.cells[2]}};
  compressed.cells[1] = compressed.cells[2] = {};
  image.codec = "RICE_1";  // the first tile would not decode; planning does not look
  image.columns = {gzip, fallback, compressed};
  const image_plan made = plan_of(image);
  ASSERT_EQ(made.groups.size(), 3U);
  EXPECT_EQ(made.groups[0].codec, codec_id::rice_1);
  EXPECT_EQ(made.groups[1].codec, codec_id::none);
  EXPECT_EQ(made.groups[1].tiles.at(0).tile_index, 1U);
  EXPECT_EQ(made.groups[1].tiles.at(0).length_bytes, plain.size());
  EXPECT_EQ(made.groups[2].codec, codec_id::gzip_1);
  EXPECT_EQ(made.groups[2].tiles.at(0).tile_index, 2U);
  EXPECT_NO_THROW(validate(made));
}

TEST(plan_compressed, null_column_travels_with_the_tiles) {
  test::compressed_image image = three_tiles();
  image.columns.push_back({"ZBLANK", "1J", {std::int64_t{5}, std::int64_t{-7}, std::int64_t{9}}});
  const image_plan made = plan_of(image);
  ASSERT_EQ(made.groups.size(), 1U);
  EXPECT_EQ(made.groups[0].null_values, (std::vector<std::int64_t>{5, -7, 9}));
  EXPECT_EQ(made.output_type, pixel_type::f32);
}

TEST(plan_compressed, plio_stores_physical_numbers_where_bzero_says_so) {
  const auto zero_of = [](int bitpix, std::vector<std::string> extra) {
    test::compressed_image image = three_tiles();
    image.codec = "PLIO_1";
    image.bitpix = bitpix;
    image.columns[0].form = "1PI";
    image.columns[0].cells[2] = {};
    image.columns.push_back({"GZIP_COMPRESSED_DATA", "1PB", {{}, {}, byte_vector(40)}});
    image.extra = std::move(extra);
    const image_plan made = plan_of(image);
    EXPECT_EQ(made.groups.at(1).parameters.plio_zero, 0U);  // of the fallback
    EXPECT_EQ(to_json(plan_from_json(to_json(made))), to_json(made));
    EXPECT_EQ(plan_from_json(to_json(made)).groups.at(0).parameters, made.groups.at(0).parameters);
    return made.groups.at(0).parameters.plio_zero;
  };
  EXPECT_EQ(zero_of(16, {}), 0U);
  EXPECT_EQ(zero_of(16, {test::card("BZERO", 32768)}), 32768U);
  EXPECT_EQ(zero_of(16, {test::card("BZERO", 32768), test::card("BSCALE", 2)}), 32768U);  // CFITSIO asks BZERO alone
  EXPECT_EQ(zero_of(16, {test::card("BZERO", 32767)}), 0U);
  EXPECT_EQ(zero_of(32, {test::card("BZERO", 32768)}), 0U);
  EXPECT_EQ(zero_of(8, {test::card("BZERO", 32768)}), 0U);
}

TEST(plan_compressed, what_nothing_decodes_is_a_reason) {
  test::compressed_image image = three_tiles();
  image.codec = "XYZ_9";
  image_plan made = plan_of(image);
  ASSERT_EQ(made.reasons.size(), 1U);
  EXPECT_EQ(made.reasons[0].code, reason_code::codec_unsupported);
  EXPECT_NE(made.reasons[0].detail.find("'XYZ_9'"), std::string::npos);
  EXPECT_TRUE(made.groups.empty());
  image.codec = "gzip_1";  // case-sensitive, as in CFITSIO and Astropy
  EXPECT_EQ(plan_of(image).reasons.size(), 1U);

  image = three_tiles();
  image.columns.push_back({"NULL_PIXEL_MASK", "1PB", {{}, byte_vector{1}, {}}});
  made = plan_of(image);
  ASSERT_EQ(made.reasons.size(), 1U);
  EXPECT_EQ(made.reasons[0].code, reason_code::null_mask_unsupported);
  EXPECT_TRUE(made.groups.empty());
  image.columns.back().cells[1] = {};  // an empty mask column means nothing
  EXPECT_TRUE(plan_of(image).reasons.empty());
}

TEST(plan_compressed, hcompress_is_smoothed_as_the_header_says_and_clipped_where_pixels_have_16_bits) {
  test::compressed_image image = three_tiles();
  image.codec = "HCOMPRESS_1";
  image_plan made = plan_of(image);
  ASSERT_EQ(made.groups.size(), 1U);
  EXPECT_FALSE(made.groups[0].parameters.hcompress_smooth);
  EXPECT_EQ(made.groups[0].parameters.hcompress_clip_16, image.bitpix == 16);
  EXPECT_EQ(made.groups[0].capacity_bytes_per_pixel, 4U);
  image.extra = {test::card("ZNAME1", "SMOOTH"), test::card("ZVAL1", 1)};
  image.bitpix = image.bitpix == 16 ? 32 : 16;
  made = plan_of(image);
  EXPECT_TRUE(made.groups.at(0).parameters.hcompress_smooth);
  EXPECT_EQ(made.groups[0].parameters.hcompress_clip_16, image.bitpix == 16);
}

TEST(plan_compressed, tables_are_checked) {
  test::compressed_image image = three_tiles();
  image.columns[0].cells[1] = {};
  expect_error(errc::tile_table_invalid, "tile 1: no column", [&] { plan_of(image); });

  image = three_tiles();
  image.columns[0].cells[2] = test::raw_descriptor{1'000'000, 0};
  expect_error(errc::tile_table_invalid, "tile 2: the descriptor points outside", [&] { plan_of(image); });

  image = three_tiles();
  image.codec = "RICE_1";
  image.columns[0].cells[0] = byte_vector(8 * 20 + 4097);  // the cap is 8n + 4096
  expect_error(errc::tile_table_invalid, "tile 0: 4257 bytes for 20 pixels of RICE_1", [&] { plan_of(image); });
  image.columns[0].cells[0] = byte_vector(8 * 20 + 4096);
  EXPECT_NO_THROW(plan_of(image));

  image.codec = "HCOMPRESS_1";
  image.columns[0].cells[0] = byte_vector(8 * 20 + 4097);
  expect_error(errc::tile_table_invalid, "tile 0: 4257 bytes for 20 pixels of HCOMPRESS_1", [&] { plan_of(image); });

  image = three_tiles();
  image.codec = "PLIO_1";
  image.columns[0].form = "1PI";
  image.columns[0].cells[0] = byte_vector(2 * (3 * 20 + 8) + 2);  // the cap is 3n + 8 words
  expect_error(errc::tile_table_invalid, "tile 0: 138 bytes for 20 pixels of PLIO_1", [&] { plan_of(image); });
  image.columns[0].cells[0] = byte_vector(2 * (3 * 20 + 8));
  EXPECT_NO_THROW(plan_of(image));

  image = three_tiles();
  image.columns[0].cells[0] = {};
  image.columns.push_back({"UNCOMPRESSED_DATA", "1PE", {byte_vector(80), {}, {}}});
  expect_error(errc::tile_table_invalid, "elements of type E", [&] { plan_of(image); });
}

TEST(plan_compressed, a_gzip_bomb_is_refused_before_memory_is_taken) {
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = 8;
  image.axes = image.tiles = {2'000'000'000};
  image.columns.push_back({"COMPRESSED_DATA", "1PB", {byte_vector(100)}});
  expect_error(errc::tile_table_invalid, "cannot hold 2000000000 pixels", [&] { plan_of(image); });
}

TEST(plan_compressed, bytes_beyond_pcount_are_read_and_noted) {
  test::compressed_image image = three_tiles();
  image.pcount = 40;
  const image_plan made = plan_of(image);
  ASSERT_FALSE(made.notes.empty());
  EXPECT_NE(made.notes.back().find("PCOUNT"), std::string::npos);
}

TEST(plan, tables_and_empty_hdus_hold_no_image) {
  expect_error(errc::unsupported, "holds no image", [] { plan_of(test::empty_primary(), {}, 0); });
}

}  // namespace
}  // namespace cuphoton::xdr
