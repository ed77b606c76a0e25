// codec_conformance_test.cpp: every row of the codec table against foreign encoders, damage and wrong sizes. Each tile
// is decoded by the host engine, by the core with one lane and by the core in shuffled order, between unmapped pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <ostream>
#include <string>

#include "support/codec_cores.hpp"
#include "support/encoders.hpp"

namespace cuphoton::xdr {
static void PrintTo(const codec_row& row, std::ostream* out) {
  *out << row.fits_name;
}
}  // namespace cuphoton::xdr

namespace cuphoton::xdr::test {
namespace {

constexpr std::size_t longest_tile_bytes = std::size_t{1} << 20;
constexpr std::size_t largest_room_bytes = std::size_t{1} << 20;

class codec_conformance : public testing::TestWithParam<codec_row> {
 protected:
  tile_judge::outcome decode(const encoded_tile& tile, std::span<const std::uint8_t> bytes, const tile_extents& extents,
                             std::uint32_t bytes_per_pixel, std::uint32_t seed = 1) {
    const placement where = (++calls_ & 1) != 0 ? placement::at_end : placement::at_start;
    return judge_.decode(GetParam(), tile.parameters, bytes, extents, bytes_per_pixel, where, seed);
  }
  static bool same_pixels(const decoded_tile& decoded, const encoded_tile& tile) {
    return decoded.result.bytes_written == tile.raw.size() && std::equal(tile.raw.begin(), tile.raw.end(), decoded.raw);
  }
  static bool has_checksum() { return !GetParam().checks.empty(); }
  /// Small tiles of every kind, for damage of every kind.
  static std::vector<encoded_tile> small_tiles() {
    std::vector<encoded_tile> tiles;
    for (const std::uint64_t pixels : {std::uint64_t{1}, std::uint64_t{21}, std::uint64_t{45}}) {
      for (encoded_tile& tile : make_tiles(GetParam(), pixels, 5)) tiles.push_back(std::move(tile));
    }
    return tiles;
  }

  tile_judge judge_{longest_tile_bytes, largest_room_bytes};
  unsigned calls_ = 0;
};

TEST_P(codec_conformance, round_trips_at_many_sizes) {
  for (const std::uint64_t pixels : {1u, 2u, 3u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 255u, 1000u, 4096u, 20011u}) {
    for (const encoded_tile& tile : make_tiles(GetParam(), pixels, static_cast<std::uint32_t>(pixels))) {
      SCOPED_TRACE(tile.name + ", pixels " + std::to_string(pixels) + " of " + std::to_string(tile.element_bytes));
      // The plan may give room for wider elements than come.
      for (const std::uint32_t room : {tile.element_bytes, std::uint32_t{8}}) {
        const auto [decoded, difference] = decode(tile, tile.bytes, tile.extents(), room);
        EXPECT_EQ(difference, "");
        ASSERT_EQ(decoded.result.status, tile_status::ok);
        EXPECT_EQ(decoded.result.element_bytes, tile.element_bytes);
        EXPECT_TRUE(same_pixels(decoded, tile));
        EXPECT_EQ(decoded.result.check, check_id{});
        EXPECT_FALSE(decoded.result.surplus_input);
        EXPECT_EQ((decoded.result.bits_used + 7) / 8, tile.bytes.size());
      }
    }
  }
}

TEST_P(codec_conformance, lanes_may_run_in_any_order) {
  for (const encoded_tile& tile : make_tiles(GetParam(), 700, 3)) {
    SCOPED_TRACE(tile.name);
    for (std::uint32_t seed = 1; seed <= 16; ++seed) {
      EXPECT_EQ(decode(tile, tile.bytes, tile.extents(), tile.element_bytes, seed).difference, "");
    }
  }
}

TEST_P(codec_conformance, every_truncation_is_seen) {
  for (const encoded_tile& tile : small_tiles()) {
    SCOPED_TRACE(tile.name + " of " + std::to_string(tile.element_bytes));
    for (std::size_t length = 0; length < tile.bytes.size(); ++length) {
      const auto [decoded, difference] =
          decode(tile, std::span(tile.bytes).first(length), tile.extents(), tile.element_bytes);
      EXPECT_EQ(difference, "") << length;
      // Plain bytes know no end: half of them are pixels of half the width.
      const bool whole_pixels =
          GetParam().id == codec_id::none && std::has_single_bit(length / tile.pixels) && length % tile.pixels == 0;
      EXPECT_EQ(decoded.result.status == tile_status::ok, whole_pixels) << length;
      EXPECT_LE(decoded.result.bits_used, 8 * length);
    }
  }
}

TEST_P(codec_conformance, no_flipped_bit_crashes_or_divides_the_engines) {
  for (const encoded_tile& tile : make_tiles(GetParam(), 21, 5)) {
    SCOPED_TRACE(tile.name + " of " + std::to_string(tile.element_bytes));
    std::vector<std::uint8_t> bytes = tile.bytes;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      const auto mask = static_cast<std::uint8_t>(1u << (bit % 8));
      bytes[bit / 8] ^= mask;
      const auto [decoded, difference] =
          decode(tile, bytes, tile.extents(), tile.element_bytes, static_cast<std::uint32_t>(1 + bit % 5));
      EXPECT_EQ(difference, "") << bit;
      if (has_checksum() && decoded.result.status == tile_status::ok) {
        EXPECT_TRUE(same_pixels(decoded, tile)) << bit;
      }
      bytes[bit / 8] ^= mask;
    }
  }
}

TEST_P(codec_conformance, another_number_of_pixels_never_reads_or_writes_outside) {
  for (const encoded_tile& tile : small_tiles()) {
    SCOPED_TRACE(tile.name + " of " + std::to_string(tile.element_bytes));
    for (const std::uint64_t pixels :
         {tile.pixels - 1, tile.pixels + 1, 2 * tile.pixels, 8 * tile.pixels, 9 * tile.pixels}) {
      if (pixels == 0) continue;
      const auto [decoded, difference] = decode(tile, tile.bytes, pixels, tile.element_bytes);
      EXPECT_EQ(difference, "") << pixels;
      if (decoded.result.status == tile_status::ok) {
        EXPECT_EQ(decoded.result.bytes_written, pixels * decoded.result.element_bytes);
      }
      // Whoever knows his length notices, unless another width fits it by chance.
      if (has_checksum() && tile.raw.size() % pixels != 0) {
        EXPECT_EQ(decoded.result.status, pixels < tile.pixels ? tile_status::output_long : tile_status::output_short);
      }
    }
  }
}

TEST_P(codec_conformance, a_room_too_small_is_an_error) {
  if (GetParam().id == codec_id::none) return;  // needs no room
  for (const encoded_tile& tile : small_tiles()) {
    if (tile.element_bytes == 1) continue;
    const auto [decoded, difference] = decode(tile, tile.bytes, tile.extents(), tile.element_bytes / 2);
    EXPECT_EQ(difference, "") << tile.name;
    EXPECT_EQ(decoded.result.status, tile_status::output_long) << tile.name;
  }
}

TEST_P(codec_conformance, surplus_input_is_tolerated_and_noted) {
  if (GetParam().id == codec_id::none) return;  // its length is its meaning
  for (const encoded_tile& tile : small_tiles()) {
    std::vector<std::uint8_t> bytes = tile.bytes;
    for (const std::uint8_t surplus : {std::uint8_t{0}, std::uint8_t{0x1f}, std::uint8_t{0x8b}}) {
      bytes.push_back(surplus);
      const auto [decoded, difference] = decode(tile, bytes, tile.extents(), tile.element_bytes);
      EXPECT_EQ(difference, "") << tile.name;
      EXPECT_EQ(decoded.result.status, tile_status::ok) << tile.name;
      EXPECT_TRUE(decoded.result.surplus_input) << tile.name;
      EXPECT_EQ((decoded.result.bits_used + 7) / 8, tile.bytes.size());
      EXPECT_TRUE(same_pixels(decoded, tile)) << tile.name;
    }
  }
}

TEST_P(codec_conformance, no_pixels_in_no_bytes_is_a_tile) {
  const auto [decoded, difference] = decode({}, {}, 0, 8);
  EXPECT_EQ(difference, "");
  EXPECT_EQ(decoded.result.status, tile_status::ok);
  EXPECT_EQ(decoded.result.bytes_written, 0u);
  EXPECT_EQ(decoded.result.bits_used, 0u);
  // The same without any memory at all.
  EXPECT_EQ(GetParam().decode_tile({}, {}, 0, {}).result.status, tile_status::ok);
}

TEST_P(codec_conformance, no_bytes_are_no_pixels) {
  const auto [decoded, difference] = decode({}, {}, 3, 8);
  EXPECT_EQ(difference, "");
  EXPECT_NE(decoded.result.status, tile_status::ok);
  EXPECT_EQ(decoded.result.bytes_written, 0u);
}

TEST(codec_cores_table, has_a_core_for_every_row) {
  for (const codec_row& row : codec_table()) EXPECT_NE(find_core(row.id), nullptr) << row.fits_name;
}

#if defined(XDR_HAVE_CFITSIO)
TEST(codec_encoders, exist_for_every_row) {
  for (const codec_row& row : codec_table()) EXPECT_FALSE(make_tiles(row, 10, 1).empty()) << row.fits_name;
}
#endif

INSTANTIATE_TEST_SUITE_P(rows, codec_conformance, testing::ValuesIn(codec_table().begin(), codec_table().end()),
                         [](const testing::TestParamInfo<codec_row>& parameter) {
                           return std::string(parameter.param.fits_name);
                         });

}  // namespace
}  // namespace cuphoton::xdr::test
