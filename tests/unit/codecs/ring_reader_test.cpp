// ring_reader_test.cpp: the device's bit reader on a CPU: on every stream, whole, cut or damaged, at every alignment
// and among other tiles' bytes, the core must give the same result and pixels as with the host's reader.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/lanes.hpp"
#include "codecs/rice/rice_core.hpp"
#include "codecs/rice/ring_reader.hpp"
#include "restore/device_group.hpp"
#include "support/bit_writer.hpp"

namespace cuphoton::xdr::test {
namespace {

using byte_vector = std::vector<std::uint8_t>;
constexpr std::uint32_t small_rebase = 8192;  // a base moves on several times in a small tile

/// Takes pixels in groups as the device's sink does, and notes whether they come in order and once.
template <class Pixel>
struct ordered_sink {
  static constexpr bool repeats_are_harmless = false;
  std::vector<Pixel>& pixels;
  bool& in_order;
  void operator()(std::uint32_t index, Pixel value) const {
    in_order = in_order && index == pixels.size();
    pixels.push_back(value);
  }
  void expect(std::uint32_t) const {}
  void group(std::uint32_t first, const Pixel (&values)[4]) const {
    for (std::uint32_t k = 0; k < 4; ++k) (*this)(first + k, values[k]);
  }
};

/// A stream at `offset` of an arena full of ones, as long as the device's may be read and no longer.
class arena {
 public:
  byte_view hold(const byte_vector& tile, std::size_t offset) {
    memory_.assign(256 + offset + tile.size() + arena_slack_bytes, 0xff);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    std::uint8_t* const first = memory_.data() + ((256 - address % 256) % 256) + offset;
    memory_.resize(static_cast<std::size_t>(first - memory_.data()) + tile.size() + arena_slack_bytes);
    if (!tile.empty()) std::memcpy(first, tile.data(), tile.size());
    return {first, tile.size()};
  }

 private:
  byte_vector memory_;
};

template <class Pixel, std::uint32_t RebaseBits>
void compare_rings(byte_view view, std::uint32_t block_pixels, std::uint32_t pixels, const tile_result& expected,
                   const byte_vector& expected_pixels) {
  one_lane lanes;
  std::vector<std::uint32_t> lane_ring(ring::rows, 0xdeadbeef);
  const auto open = [&](byte_view bytes) { return ring_reader<1, RebaseBits>(bytes, lane_ring.data()); };
  std::vector<Pixel> found;
  bool in_order = true;
  tile_result result;
  const verdict outcome = decode_rice_into<Pixel>(lanes, view, open, block_pixels, pixels, pixels * sizeof(Pixel),
                                                  ordered_sink<Pixel>{found, in_order}, result);
  result.status = outcome.status;
  result.check = outcome.check;
  EXPECT_EQ(result.status, expected.status);
  EXPECT_EQ(result, expected);
  EXPECT_TRUE(in_order);
  ASSERT_EQ(found.size() * sizeof(Pixel), expected.bytes_written);
  EXPECT_TRUE(found.empty() || std::memcmp(found.data(), expected_pixels.data(), expected.bytes_written) == 0);
}

template <class Pixel>
tile_result compare(const byte_vector& tile, std::uint32_t block_pixels, std::uint32_t pixels, std::size_t offset) {
  arena memory;
  const byte_view view = memory.hold(tile, offset);
  one_lane lanes;
  byte_vector room(pixels * sizeof(Pixel));
  const tile_result expected =
      decode_rice_tile(lanes, view, sizeof(Pixel), block_pixels, pixels, room.data(), room.size());
  compare_rings<Pixel, ring::rebase_bits>(view, block_pixels, pixels, expected, room);
  compare_rings<Pixel, small_rebase>(view, block_pixels, pixels, expected, room);
  return expected;
}

std::uint32_t below(std::mt19937& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random()) % bound;
}

/// Any stream is a stream: fields and codes of every form, f changing from block to block, with runs of zeros up to
/// `longest_zeros` now and then.
template <class Pixel>
byte_vector random_stream(std::mt19937& random, std::uint32_t block_pixels, std::uint32_t pixels, int longest_zeros) {
  using traits = rice_traits<Pixel>;
  const auto number = [&](int bound) { return static_cast<int>(below(random, static_cast<std::uint32_t>(bound))); };
  msb_bit_writer bits;
  bits.put(random(), 8 * sizeof(Pixel));
  const int usual = 1 + number(traits::fs_max);
  for (std::uint32_t i = 0; i < pixels; i += block_pixels) {
    const int field = number(4) != 0 ? usual : number(traits::fs_max + 2);
    bits.put(static_cast<std::uint64_t>(field), traits::fs_bits);
    for (std::uint32_t k = i; k < pixels && k - i < block_pixels && field != 0; ++k) {
      if (field == traits::fs_max + 1) {
        bits.put(random(), 8 * sizeof(Pixel));
      } else {
        bits.zeros(number(40) == 0 ? number(longest_zeros) : number(4)).put(1, 1).put(random(), field - 1);
      }
    }
  }
  return bits.bytes();
}

template <class Pixel>
class ring_reading : public testing::Test {};
using pixel_types = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(ring_reading, pixel_types);

TYPED_TEST(ring_reading, whole_streams_at_every_alignment) {
  std::mt19937 random(1);
  for (const std::uint32_t block : {1U, 3U, 16U, 31U, 32U, 33U, 64U, 1000U, 0xffffffffU}) {
    for (const std::uint32_t pixels : {1U, 2U, 5U, 31U, 32U, 33U, 100U, 1000U, 5000U}) {
      for (const int longest : {8, 40, 300}) {
        SCOPED_TRACE(std::to_string(block) + " " + std::to_string(pixels) + " " + std::to_string(longest));
        const auto blocks = pixels < block ? pixels : block;
        const byte_vector tile = random_stream<TypeParam>(random, blocks, pixels, longest);
        if (tile.size() < sizeof(TypeParam) + 1) continue;
        const tile_result result = compare<TypeParam>(tile, block, pixels, random() % 67);
        EXPECT_EQ(result.status, tile_status::ok);
        EXPECT_FALSE(result.surplus_input);
      }
    }
  }
}

TYPED_TEST(ring_reading, every_truncation) {
  std::mt19937 random(2);
  for (const std::uint32_t block : {7U, 32U}) {
    const byte_vector tile = random_stream<TypeParam>(random, block, 150, 90);
    for (std::size_t length = 0; length <= tile.size(); ++length) {
      SCOPED_TRACE(length);
      compare<TypeParam>({tile.begin(), tile.begin() + static_cast<std::ptrdiff_t>(length)}, block, 150, length % 33);
    }
  }
}

TYPED_TEST(ring_reading, damaged_streams_and_noise) {
  std::mt19937 random(3);
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const std::uint32_t block = round % 3 == 0 ? 1 + below(random, 70) : 32;
    const std::uint32_t pixels = 1 + below(random, 900);
    byte_vector tile = random_stream<TypeParam>(random, block, pixels, 60);
    if (round % 5 == 0) {
      for (std::uint8_t& byte : tile) byte = static_cast<std::uint8_t>(random());
    }
    for (int k = 0; k < 3; ++k) tile[random() % tile.size()] ^= static_cast<std::uint8_t>(1U << (random() % 8));
    compare<TypeParam>(tile, block, pixels + below(random, 40), random() % 64);
  }
}

TYPED_TEST(ring_reading, zeros_to_the_end_and_beyond) {
  for (const std::size_t length : {3U, 8U, 40U, 300U, 5000U}) {
    byte_vector tile(length + sizeof(TypeParam), 0);
    tile[sizeof(TypeParam)] = 0x10;  // f = 0, -1 + 1 or a fill, then zeros
    for (const std::size_t offset : {0U, 1U, 31U}) compare<TypeParam>(tile, 32, 64, offset);
    tile.back() = 1;
    compare<TypeParam>(tile, 32, 64, 5);
  }
}

TYPED_TEST(ring_reading, no_block_length) {
  EXPECT_EQ(compare<TypeParam>(byte_vector(20, 1), 0, 4, 3).status, tile_status::bad_data);
}

}  // namespace
}  // namespace cuphoton::xdr::test
