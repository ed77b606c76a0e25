// One row of a tile table: order of the columns, both descriptor forms, and each check with the smallest row that
// breaks it.
#include "plan/descriptor_core.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "support/fits_builder.hpp"

namespace cuphoton::xdr {
namespace {

using test::append_be;
using test::byte_vector;

byte_vector row_of(std::uint32_t first, std::uint32_t first_at, std::uint32_t second = 0, std::uint32_t second_at = 0,
                   std::uint32_t third = 0, std::uint32_t third_at = 0) {
  byte_vector row;
  for (const std::uint32_t word : {first, first_at, second, second_at, third, third_at}) append_be(row, word);
  return row;
}

row_layout three_columns() {
  row_layout layout;
  layout.compressed = {0, 8, 1};
  layout.plain_fallback = {8, 8, 4};
  layout.gzip_fallback = {16, 8, 1};
  layout.heap_offset_bytes = 1000;
  layout.file_bytes = 1100;
  return layout;
}

TEST(descriptor, the_first_column_with_bytes_counts) {
  tile_descriptor tile;
  ASSERT_TRUE(parse_descriptor(three_columns(), row_of(7, 3, 2, 8, 9, 50).data(), tile).ok());
  EXPECT_EQ(tile.column, tile_column::compressed);
  EXPECT_EQ(tile.offset_bytes, 1003U);
  EXPECT_EQ(tile.length_bytes, 7U);
  ASSERT_TRUE(parse_descriptor(three_columns(), row_of(0, 3, 2, 8, 9, 50).data(), tile).ok());
  EXPECT_EQ(tile.column, tile_column::plain_fallback);
  EXPECT_EQ(tile.length_bytes, 8U);  // two elements of four bytes
  ASSERT_TRUE(parse_descriptor(three_columns(), row_of(0, 0, 0, 0, 9, 50).data(), tile).ok());
  EXPECT_EQ(tile.column, tile_column::gzip_fallback);
  EXPECT_EQ(tile.offset_bytes, 1050U);
  EXPECT_EQ(parse_descriptor(three_columns(), row_of(0, 0).data(), tile).status, tile_status::no_data);
}

TEST(descriptor, spans_end_inside_the_file) {
  tile_descriptor tile;
  EXPECT_TRUE(parse_descriptor(three_columns(), row_of(100, 0).data(), tile).ok());
  EXPECT_EQ(parse_descriptor(three_columns(), row_of(101, 0).data(), tile).status, tile_status::bad_data);
  EXPECT_EQ(parse_descriptor(three_columns(), row_of(1, 100).data(), tile).status, tile_status::bad_data);
  EXPECT_EQ(parse_descriptor(three_columns(), row_of(1, 101).data(), tile).status, tile_status::bad_data);
  EXPECT_EQ(parse_descriptor(three_columns(), row_of(0, 0, 26, 0).data(), tile).status, tile_status::bad_data);
}

TEST(descriptor, words_of_32_bits_are_unsigned) {
  row_layout layout = three_columns();
  layout.file_bytes = 1000 + (std::uint64_t{3} << 30);
  tile_descriptor tile;
  ASSERT_TRUE(parse_descriptor(layout, row_of(5, 0x80000001U).data(), tile).ok());
  EXPECT_EQ(tile.offset_bytes, 1000U + 0x80000001U);
}

TEST(descriptor, words_of_64_bits_cannot_wrap) {
  row_layout layout = three_columns();
  layout.compressed = {0, 16, 2};
  byte_vector row;
  append_be(row, std::uint64_t{10});
  append_be(row, std::uint64_t{20});
  tile_descriptor tile;
  ASSERT_TRUE(parse_descriptor(layout, row.data(), tile).ok());
  EXPECT_EQ(tile.length_bytes, 20U);
  for (const auto& [elements, offset] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {~0ULL, 0}, {0x8000000000000001ULL, 0}, {1, ~0ULL}, {1, 0xFFFFFFFFFFFFFC18ULL}}) {
    row.clear();
    append_be(row, elements);
    append_be(row, offset);
    EXPECT_EQ(parse_descriptor(layout, row.data(), tile).status, tile_status::bad_data) << elements << ' ' << offset;
  }
}

TEST(descriptor, scalars_of_every_type) {
  const std::uint8_t bytes[] = {0xC0, 0x10, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(load_number({0, 'D'}, bytes), -4.0);
  EXPECT_EQ(load_number({0, 'E'}, bytes), -2.25);
  EXPECT_EQ(load_number({0, 'B'}, bytes), 192.0);
  EXPECT_EQ(load_number({0, 'I'}, bytes), -16368.0);
  EXPECT_EQ(load_number({0, 'J'}, bytes), -1072693248.0);
  EXPECT_EQ(load_integer({0, 'B'}, bytes), 192);
  EXPECT_EQ(load_integer({0, 'I'}, bytes), -16368);
  EXPECT_EQ(load_integer({0, 'J'}, bytes), -1072693248);
  EXPECT_EQ(load_integer({0, 'K'}, bytes), static_cast<std::int64_t>(0xC010000000000000ULL));
}

TEST(descriptor, a_null_mask_is_seen) {
  row_layout layout = three_columns();
  layout.null_mask = {16, 8, 1};
  layout.gzip_fallback = {};
  tile_descriptor tile;
  ASSERT_TRUE(parse_descriptor(layout, row_of(7, 3, 0, 0, 4, 0).data(), tile).ok());
  EXPECT_TRUE(tile.has_null_mask);
  ASSERT_TRUE(parse_descriptor(layout, row_of(7, 3, 0, 0, 0, 0).data(), tile).ok());
  EXPECT_FALSE(tile.has_null_mask);
}

}  // namespace
}  // namespace cuphoton::xdr
