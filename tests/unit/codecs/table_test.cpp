// table_test.cpp: the codec table and the codec that does nothing.
#include <gtest/gtest.h>

#include <set>

#include "codecs/codec.hpp"

namespace cuphoton::xdr {
namespace {

TEST(codec_table, finds_rows_by_name_and_id) {
  for (const codec_row& row : codec_table()) {
    EXPECT_EQ(find_codec(row.id), &row);
    EXPECT_EQ(find_codec(row.fits_name), &row);
    EXPECT_NE(row.decode_tile, nullptr);
  }
  EXPECT_EQ(find_codec("RICE_ONE"), find_codec(codec_id::rice_1));
  for (const char* name : {"", "rice_1", "RICE", "GZIP", "BZIP2_1", "RICE_1 "}) EXPECT_EQ(find_codec(name), nullptr);
}

TEST(codec_table, names_each_codec_once) {
  std::set<std::string_view> names;
  std::set<codec_id> ids;
  for (const codec_row& row : codec_table()) {
    EXPECT_TRUE(names.insert(row.fits_name).second);
    EXPECT_TRUE(ids.insert(row.id).second);
  }
}

TEST(codec_none, takes_the_width_from_the_length) {
  const std::uint8_t bytes[25] = {};
  const codec_row& row = *find_codec(codec_id::none);
  const auto decode = [&](std::size_t length, std::uint64_t pixels) {
    return row.decode_tile({}, {bytes, length}, pixels, {});
  };
  for (const std::uint8_t width : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}, std::uint8_t{8}}) {
    const decoded_tile tile = decode(3u * width, 3);
    EXPECT_EQ(tile.result.status, tile_status::ok);
    EXPECT_EQ(tile.result.element_bytes, width);
    EXPECT_EQ(tile.result.bytes_written, 3u * width);
    EXPECT_EQ(tile.result.bits_used, 24u * width);
    EXPECT_EQ(tile.raw, bytes);  // nothing is copied
  }
  for (const std::size_t length : {0u, 1u, 2u, 4u, 5u, 7u, 9u, 13u, 18u, 23u}) {
    EXPECT_EQ(decode(length, 3).result.status, tile_status::output_short) << length;
  }
  EXPECT_EQ(decode(25, 3).result.status, tile_status::output_long);
  EXPECT_EQ(decode(1, 0).result.status, tile_status::output_long);
  EXPECT_EQ(decode(0, 0).result.status, tile_status::ok);
  EXPECT_EQ(decode(8, ~std::uint64_t{0}).result.status, tile_status::output_short);
  EXPECT_EQ(decode(8, std::uint64_t{1} << 61).result.status, tile_status::output_short);  // times 8 would wrap to 0
}

TEST(codec_room, keeps_the_slack_free) {
  std::uint8_t bytes[100];
  EXPECT_EQ(raw_room_bytes({bytes, 100}), 100 - raw_slack_bytes);
  EXPECT_EQ(raw_room_bytes({bytes, 10}), 0u);
  EXPECT_EQ(raw_room_bytes({}), 0u);
}

}  // namespace
}  // namespace cuphoton::xdr
