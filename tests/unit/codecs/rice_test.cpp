// rice_test.cpp: RICE_1 streams written by hand: each form of block in each width, and each check. Every tile goes
// through the host engine, the core with one lane and shuffled lanes; all must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "support/bit_writer.hpp"
#include "support/codec_cores.hpp"

namespace cuphoton::xdr::test {
namespace {

using byte_vector = std::vector<std::uint8_t>;

class rice_streams : public testing::Test {
 protected:
  template <class Pixel>
  tile_result decode(const byte_vector& tile, const std::vector<Pixel>& expected, std::uint32_t block_pixels = 32) {
    codec_parameters parameters;
    parameters.rice_pixel_bytes = sizeof(Pixel);
    parameters.rice_block_pixels = block_pixels;
    const auto [decoded, difference] = judge_.decode(*find_codec(codec_id::rice_1), parameters, tile, expected.size(),
                                                     sizeof(Pixel), placement::at_end, 3);
    EXPECT_EQ(difference, "");
    std::vector<Pixel> pixels(decoded.result.bytes_written / sizeof(Pixel));
    if (!pixels.empty()) std::memcpy(pixels.data(), decoded.raw, pixels.size() * sizeof(Pixel));
    EXPECT_EQ(decoded.result.bytes_written % sizeof(Pixel), 0u);
    EXPECT_TRUE(pixels.size() <= expected.size() && std::equal(pixels.begin(), pixels.end(), expected.begin()));
    if (decoded.result.status == tile_status::ok) {
      EXPECT_EQ(pixels.size(), expected.size());
      EXPECT_EQ(decoded.result.element_bytes, sizeof(Pixel));
    }
    return decoded.result;
  }
  /// The first pixel of a stream.
  template <class Pixel>
  static msb_bit_writer begin(Pixel first) {
    msb_bit_writer bits;
    bits.put(first, 8 * sizeof(Pixel));
    return bits;
  }
  /// A mapped difference in code f.
  static void put_code(msb_bit_writer& bits, std::uint64_t mapped, int f) {
    bits.zeros(static_cast<int>(mapped >> f)).put(1, 1).put(mapped, f);
  }

  tile_judge judge_{1 << 17, 1 << 20};
};

TEST_F(rice_streams, a_tile_byte_by_byte) {
  // 0064: 100. Field 0001: f = 0. Differences 0, 1, -2, 0 -> mapped 0, 2, 3, 0 -> 1, 001, 0001, 1.
  // 0001 1001 0001 1000 -> 19 18.
  const tile_result result = decode<std::uint16_t>({0x00, 0x64, 0x19, 0x18}, {100, 101, 99, 99});
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_EQ(result.bits_used, 16 + 4 + 1 + 3 + 4 + 1u);
  EXPECT_FALSE(result.surplus_input);
}

TEST_F(rice_streams, eight_and_32_bits_byte_by_byte) {
  // 0a; 3 bits 010: f = 1; differences 0, -1, 5 -> 0, 1, 10 -> 1 0, 1 1, 000001 0 -> 010 10 11 0|00001 0 00 -> 56 08.
  EXPECT_EQ(decode<std::uint8_t>({0x0a, 0x56, 0x08}, {10, 9, 14}).status, tile_status::ok);
  // 00000007; 5 bits 00011: f = 2; differences 0, 1, -3 -> 0, 2, 5 -> 1 00, 1 10, 01 01 -> 00011 100 110 0101|0 -> 1c
  // ca.
  EXPECT_EQ(decode<std::uint32_t>({0, 0, 0, 7, 0x1c, 0xca}, {7, 8, 5}).status, tile_status::ok);
}

TEST_F(rice_streams, blocks_of_equal_pixels) {
  // Three blocks of 2, 2 and 1 pixels, field 0 each: 4 bits a block.
  EXPECT_EQ(decode<std::uint16_t>({0xab, 0xcd, 0x00, 0x00}, {0xabcd, 0xabcd, 0xabcd, 0xabcd, 0xabcd}, 2).status,
            tile_status::ok);
  EXPECT_EQ(decode<std::uint8_t>({9, 0}, std::vector<std::uint8_t>(60, 9)).status, tile_status::ok);  // 2 x 3 bits
  EXPECT_EQ(decode<std::uint32_t>({0, 0, 1, 0, 0}, {256}).status, tile_status::ok);
}

TEST_F(rice_streams, blocks_of_plain_differences) {
  // 8 bits: field 7, then 8 bits each; +100 = 200, -50 = 99.
  msb_bit_writer narrow = begin<std::uint8_t>(50);
  narrow.put(7, 3).put(0, 8).put(200, 8).put(99, 8);
  EXPECT_EQ(decode<std::uint8_t>(narrow.bytes(), {50, 150, 100}).status, tile_status::ok);
  msb_bit_writer middle = begin<std::uint16_t>(5);  // field 15; +20000 = 40000, -20001 = 40001
  middle.put(15, 4).put(0, 16).put(40000, 16).put(40001, 16);
  EXPECT_EQ(decode<std::uint16_t>(middle.bytes(), {5, 20005, 4}).status, tile_status::ok);
  msb_bit_writer wide = begin<std::uint32_t>(5);  // field 26; -2^31 = ffffffff
  wide.put(26, 5).put(0, 32).put(0xffffffffu, 32).put(0, 32);
  EXPECT_EQ(decode<std::uint32_t>(wide.bytes(), {5, 0x80000005u, 0x80000005u}).status, tile_status::ok);
}

TEST_F(rice_streams, sums_wrap_around) {
  msb_bit_writer bits = begin<std::uint8_t>(250);  // f = 3; +10, then -10
  bits.put(4, 3);
  for (const int mapped : {0, 20, 19}) put_code(bits, static_cast<std::uint64_t>(mapped), 3);
  EXPECT_EQ(decode<std::uint8_t>(bits.bytes(), {250, 4, 250}).status, tile_status::ok);
  msb_bit_writer middle = begin<std::uint16_t>(65535);
  middle.put(1, 4);
  for (const int mapped : {0, 2, 1}) put_code(middle, static_cast<std::uint64_t>(mapped), 0);
  EXPECT_EQ(decode<std::uint16_t>(middle.bytes(), {65535, 0, 65535}).status, tile_status::ok);
  msb_bit_writer wide = begin<std::uint32_t>(0xffffffffu);
  wide.put(1, 5);
  for (const int mapped : {0, 4, 3}) put_code(wide, static_cast<std::uint64_t>(mapped), 0);
  EXPECT_EQ(decode<std::uint32_t>(wide.bytes(), {0xffffffffu, 1, 0xffffffffu}).status, tile_status::ok);
}

TEST_F(rice_streams, a_difference_wider_than_the_pixel_is_reduced) {  // old encoders write one bit more
  msb_bit_writer bits = begin<std::uint8_t>(1);                       // f = 5; mapped 512 = +256 = 0, 515 = -258 = -2
  bits.put(6, 3);
  for (const int mapped : {0, 512, 515}) put_code(bits, static_cast<std::uint64_t>(mapped), 5);
  EXPECT_EQ(decode<std::uint8_t>(bits.bytes(), {1, 1, 255}).status, tile_status::ok);
}

/// Every f of every width, with codes of all lengths among short ones, far from the end and near it.
template <class Pixel>
void check_every_code(int fs_bits, int fs_max,
                      const std::function<void(const byte_vector&, const std::vector<Pixel>&)>& check) {
  for (int f = 0; f < fs_max; ++f) {
    for (const int long_zeros : {3, 20, 31, 32, 55, 56, 57, 63, 64, 65, 111, 112, 113, 200}) {
      msb_bit_writer bits;
      bits.put(1, 8 * sizeof(Pixel)).put(static_cast<std::uint64_t>(f + 1), fs_bits);
      std::vector<Pixel> expected;
      std::uint32_t last = 1;
      for (int i = 0; i < 61; ++i) {
        const std::uint64_t zeros =
            i % 9 == 4 ? static_cast<std::uint64_t>(long_zeros) : static_cast<std::uint64_t>(i % 3);
        const std::uint64_t low = (static_cast<std::uint64_t>(i) * 2654435761u) & ((std::uint64_t{1} << f) - 1);
        bits.zeros(static_cast<int>(zeros)).put(1, 1).put(low, f);
        const auto mapped = static_cast<std::uint32_t>((zeros << f) | low);
        last += (mapped & 1) != 0 ? ~(mapped >> 1) : mapped >> 1;
        expected.push_back(static_cast<Pixel>(last));
      }
      check(bits.bytes(), expected);
    }
  }
}

TEST_F(rice_streams, every_code_of_8_bits) {
  check_every_code<std::uint8_t>(3, 6, [&](const byte_vector& tile, const std::vector<std::uint8_t>& expected) {
    EXPECT_EQ(decode(tile, expected, 61).status, tile_status::ok);
  });
}
TEST_F(rice_streams, every_code_of_16_bits) {
  check_every_code<std::uint16_t>(4, 14, [&](const byte_vector& tile, const std::vector<std::uint16_t>& expected) {
    EXPECT_EQ(decode(tile, expected, 61).status, tile_status::ok);
  });
}
TEST_F(rice_streams, every_code_of_32_bits) {
  check_every_code<std::uint32_t>(5, 25, [&](const byte_vector& tile, const std::vector<std::uint32_t>& expected) {
    EXPECT_EQ(decode(tile, expected, 61).status, tile_status::ok);
  });
}

TEST_F(rice_streams, block_lengths) {
  // Pixels 1, 2, 3, ... in blocks with f = 0: a field, then +1 = mapped 2 = 001 (0 = 1 for the first).
  for (const std::uint32_t block : {1u, 3u, 5u, 7u, 16u, 31u, 1000u, 0xffffffffu}) {
    msb_bit_writer bits = begin<std::uint16_t>(1);
    std::vector<std::uint16_t> expected;
    for (std::uint32_t i = 0; i < 50; ++i) {
      if (i % block == 0) bits.put(1, 4);
      put_code(bits, i == 0 ? 0 : 2, 0);
      expected.push_back(static_cast<std::uint16_t>(i + 1));
    }
    EXPECT_EQ(decode(bits.bytes(), expected, block).status, tile_status::ok) << block;
  }
}

TEST_F(rice_streams, a_fill_block_longer_than_a_phase) {
  codec_parameters parameters;
  parameters.rice_pixel_bytes = 1;
  parameters.rice_block_pixels = 3u << 20;
  std::vector<std::uint8_t> room((std::size_t{5} << 20) + raw_slack_bytes);
  const byte_vector tile{42, 0};  // two blocks: 3 Mi and 2 Mi pixels
  const decoded_tile decoded = find_codec(codec_id::rice_1)->decode_tile(parameters, {tile.data(), 2}, 5u << 20, room);
  EXPECT_EQ(decoded.result.status, tile_status::ok);
  EXPECT_EQ(decoded.result.bytes_written, 5u << 20);
  EXPECT_EQ(room[(5u << 20) - 1], 42);
}

TEST_F(rice_streams, streams_that_end_early) {
  EXPECT_EQ(decode<std::uint8_t>({1}, {1}).status, tile_status::truncated);  // width + 1 bytes at least
  EXPECT_EQ(decode<std::uint16_t>({0, 1}, {1}).status, tile_status::truncated);
  EXPECT_EQ(decode<std::uint32_t>({0, 0, 0, 1}, {1}).status, tile_status::truncated);
  // Block 2 of 16-bit pixels: field 0, field 0, then no field for the third block.
  const tile_result field = decode<std::uint16_t>({0, 7, 0}, {7, 7, 7, 7, 7}, 2);
  EXPECT_EQ(field.status, tile_status::truncated);
  EXPECT_EQ(field.bytes_written, 8u);
  EXPECT_EQ(field.bits_used, 24u);
  // f = 0: 1, then zeros to the end.
  const tile_result run = decode<std::uint16_t>({0, 7, 0x18, 0, 0, 0}, {7, 7});
  EXPECT_EQ(run.status, tile_status::truncated);
  EXPECT_EQ(run.bytes_written, 2u);
  EXPECT_EQ(run.bits_used, 48u);
  // f = 7 (field 8): a one, and 3 of 7 low bits.
  EXPECT_EQ(decode<std::uint16_t>({0, 7, 0x8c}, {7}).status, tile_status::truncated);
  // Plain: field 15, 16 bits, then 4 of 16.
  EXPECT_EQ(decode<std::uint16_t>({0, 7, 0xf0, 0x00, 0x00}, {7, 7}).status, tile_status::truncated);
  // A very long run of zeros and nothing else.
  byte_vector zeros(100000, 0);
  zeros[2] = 0x10;
  EXPECT_EQ(decode<std::uint16_t>(zeros, {0}).status, tile_status::truncated);
}

TEST_F(rice_streams, fields_that_no_encoder_writes) {
  for (int field = 27; field < 32; ++field) {  // f = 26 ... 30
    msb_bit_writer bits = begin<std::uint32_t>(3);
    bits.put(static_cast<std::uint64_t>(field), 5).put(~std::uint64_t{0}, 59);
    const tile_result result = decode<std::uint32_t>(bits.bytes(), {3});
    EXPECT_EQ(result.status, tile_status::bad_data);
    EXPECT_EQ(result.bits_used, 37u);
  }
}

TEST_F(rice_streams, parameters_that_are_none) {
  const byte_vector tile{0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<std::uint8_t> room(64 + raw_slack_bytes);
  const codec_row& row = *find_codec(codec_id::rice_1);
  for (const std::uint32_t width : {0u, 3u, 8u, 0x10001u}) {
    codec_parameters parameters;
    parameters.rice_pixel_bytes = width;
    EXPECT_EQ(row.decode_tile(parameters, {tile.data(), tile.size()}, 4, room).result.status, tile_status::bad_data);
  }
  EXPECT_EQ(decode<std::uint16_t>(tile, {0}, 0).status, tile_status::bad_data);
}

TEST_F(rice_streams, a_tile_larger_than_its_room) {
  const byte_vector tile{0, 7, 0, 0};
  std::vector<std::uint8_t> room(7 + raw_slack_bytes);
  codec_parameters parameters;
  parameters.rice_pixel_bytes = 2;
  const codec_row& row = *find_codec(codec_id::rice_1);
  EXPECT_EQ(row.decode_tile(parameters, {tile.data(), tile.size()}, 3, room).result.status, tile_status::ok);
  for (const std::uint64_t pixels : {std::uint64_t{4}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_EQ(row.decode_tile(parameters, {tile.data(), tile.size()}, pixels, room).result.status,
              tile_status::output_long);
  }
}

TEST_F(rice_streams, bytes_left_over_are_noted) {
  EXPECT_TRUE(decode<std::uint16_t>({0, 7, 0, 0}, {7}).surplus_input);
  EXPECT_FALSE(decode<std::uint16_t>({0, 7, 0}, {7}).surplus_input);
  EXPECT_TRUE(decode<std::uint16_t>({0, 7, 0}, {}).surplus_input);  // no pixels, but bytes
}

}  // namespace
}  // namespace cuphoton::xdr::test
