// nvcomp_core_test.cpp: which tiles nvCOMP may see, and which of its answers are believed. Against our own core: what
// is believed has the same verdict there.
#include "codecs/gzip/nvcomp_core.hpp"

#include <gtest/gtest.h>

#include "base/lanes.hpp"
#include "support/encoders.hpp"

namespace cuphoton::xdr {
namespace {

using bytes = std::vector<std::uint8_t>;

byte_view view(const bytes& tile) {
  return {tile.data(), tile.size()};
}

/// What our own core says of the tile.
tile_result own_result(const bytes& tile, std::uint64_t pixels, std::uint32_t capacity) {
  bytes room(pixels * capacity);
  gzip_workspace work;
  one_lane lanes;
  return decode_gzip_tile(lanes, work, crc32_host_tables, view(tile), pixels, room.data(), room.size());
}

bool believed(const framed_tile& framed, const nvcomp_answer& answer, const bytes& raw) {
  std::uint32_t partial[crc32_slices];
  shuffled_lanes lanes(7);
  return nvcomp_was_right(lanes, crc32_host_tables, framed, answer, raw.data(), partial);
}

TEST(nvcomp_core, every_whole_tile_is_seen_and_its_right_answer_believed) {
  for (const char* const codec : {"GZIP_1", "GZIP_2"}) {
    for (const std::uint64_t pixels : {1U, 31U, 1000U}) {
      for (const test::encoded_tile& tile : test::make_tiles(*find_codec(codec), pixels, 3)) {
        const framed_tile framed = frame_for_nvcomp(view(tile.bytes), pixels, 8);
        ASSERT_EQ(framed.raw_bytes, tile.raw.size()) << tile.name;
        ASSERT_TRUE(believed(framed, {0, tile.raw.size()}, tile.raw)) << tile.name;
        const tile_result wanted = own_result(tile.bytes, pixels, 8);
        EXPECT_EQ(nvcomp_result(framed, pixels), wanted) << tile.name;
      }
    }
  }
}

TEST(nvcomp_core, an_answer_that_is_wrong_in_any_way_is_not_believed) {
  const test::encoded_tile tile = test::make_tiles(*find_codec("GZIP_1"), 700, 1).front();
  const framed_tile framed = frame_for_nvcomp(view(tile.bytes), 700, 8);
  ASSERT_NE(framed.raw_bytes, 0U);
  for (const int status : {-1, 10, 12, 14, 1000}) EXPECT_FALSE(believed(framed, {status, tile.raw.size()}, tile.raw));
  EXPECT_FALSE(believed(framed, {0, tile.raw.size() - 1}, tile.raw));
  EXPECT_FALSE(believed(framed, {0, tile.raw.size() + 1}, tile.raw));
  EXPECT_FALSE(believed(framed, {0, 0}, tile.raw));
  for (std::size_t bit = 0; bit < tile.raw.size() * 8; bit += 13) {
    bytes raw = tile.raw;
    raw[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    ASSERT_FALSE(believed(framed, {0, raw.size()}, raw)) << bit;
  }
  // The stand-in's answer must not pass for the tile's.
  EXPECT_FALSE(believed(framed_tile{}, {0, 0}, tile.raw));
  EXPECT_FALSE(believed(framed_tile{}, {0, 1}, tile.raw));
}

TEST(nvcomp_core, a_tile_that_does_not_promise_itself_is_not_seen) {
  const std::uint64_t pixels = 50;
  bytes raw(pixels * 4);
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::uint8_t>(i * i);
  const bytes whole = test::gzip_by_libdeflate(raw, 6);
  EXPECT_EQ(frame_for_nvcomp(view(whole), pixels, 4).raw_bytes, raw.size());
  EXPECT_EQ(frame_for_nvcomp(view(whole), pixels, 2).raw_bytes, 0U) << "more than the room";
  EXPECT_EQ(frame_for_nvcomp(view(whole), 2 * pixels, 8).raw_bytes, 2 * pixels * 2) << "another width";
  EXPECT_EQ(frame_for_nvcomp(view(whole), pixels + 1, 8).raw_bytes, 0U) << "no width";
  EXPECT_EQ(frame_for_nvcomp(view(whole), 0, 8).raw_bytes, 0U) << "no pixels";
  for (std::size_t surplus = 1; surplus < 20; ++surplus) {
    bytes longer = whole;
    longer.resize(whole.size() + surplus, 0x5a);
    EXPECT_EQ(frame_for_nvcomp(view(longer), pixels, 4).raw_bytes, 0U) << surplus;
  }
  for (std::size_t length = 0; length < 18; ++length) {
    EXPECT_EQ(
        frame_for_nvcomp(view(bytes(whole.begin(), whole.begin() + static_cast<long>(length))), pixels, 4).raw_bytes,
        0U);
  }
  for (const std::size_t place : {0U, 1U, 2U}) {  // magic and method
    bytes other = whole;
    other[place] ^= 1;
    EXPECT_EQ(frame_for_nvcomp(view(other), pixels, 4).raw_bytes, 0U) << place;
  }
  bytes longer_than_promised(4 * raw.size());  // the fault that destroyed neighbours: four times the pixels
  EXPECT_EQ(frame_for_nvcomp(view(test::gzip_by_libdeflate(longer_than_promised, 6)), pixels, 4).raw_bytes, 0U);
}

/// The payload is what lies between header and trailer, whatever optional fields there are.
TEST(nvcomp_core, optional_fields_are_skipped) {
  const bytes raw(64, 9);
  const bytes plain = test::gzip_by_libdeflate(raw, 6);
  bytes named = plain;
  named[3] |= 8;  // FNAME
  const std::string file = "tile.bin";
  named.insert(named.begin() + 10, file.c_str(), file.c_str() + file.size() + 1);
  const framed_tile a = frame_for_nvcomp(view(plain), 64, 1);
  const framed_tile b = frame_for_nvcomp(view(named), 64, 1);
  EXPECT_EQ(a.payload_begin, 10U);
  EXPECT_EQ(b.payload_begin, 10 + file.size() + 1);
  EXPECT_TRUE(std::equal(plain.begin() + 10, plain.end() - 8, named.begin() + static_cast<long>(b.payload_begin)));
  EXPECT_EQ(b.payload_end, named.size() - 8);
  EXPECT_EQ(a.crc32, b.crc32);
}

}  // namespace
}  // namespace cuphoton::xdr
