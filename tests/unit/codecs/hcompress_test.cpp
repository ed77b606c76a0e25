// hcompress_test.cpp: HCOMPRESS_1 streams written by hand, each check, and random coefficients of all shapes against
// the inverse transform by the text of the format. Every tile goes through the host engine, the core with one lane and
// shuffled lanes; all must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>

#include "codecs/hcompress/hcompress_bits_core.hpp"
#include "codecs/hcompress/hcompress_header_core.hpp"
#include "support/codec_cores.hpp"
#include "support/hcompress_reference.hpp"

namespace cuphoton::xdr::test {
namespace {

using byte_vector = std::vector<std::uint8_t>;
using pixel_vector = std::vector<std::int32_t>;

class hcompress_streams : public testing::Test {
 protected:
  tile_result decode(const byte_vector& tile, const tile_extents& extents, const pixel_vector& expected = {},
                     bool smooth = false, bool clip = false) {
    codec_parameters parameters;
    parameters.hcompress_smooth = smooth;
    parameters.hcompress_clip_16 = clip;
    const placement where = (++calls_ & 1) != 0 ? placement::at_end : placement::at_start;
    const auto [decoded, difference] =
        judge_.decode(*find_codec(codec_id::hcompress_1), parameters, tile, extents, 4, where, calls_);
    EXPECT_EQ(difference, "");
    if (decoded.result.status == tile_status::ok) {
      EXPECT_EQ(decoded.result.element_bytes, 4u);
      EXPECT_EQ(decoded.result.bytes_written, 4 * extents.pixels());
      pixel_vector pixels(expected.size());
      if (!pixels.empty()) std::memcpy(pixels.data(), decoded.raw, 4 * pixels.size());
      EXPECT_EQ(pixels, expected);
    } else {
      EXPECT_EQ(decoded.result.bytes_written, 0u);
      EXPECT_LE(decoded.result.bits_used, 8 * tile.size());
    }
    return decoded.result;
  }
  tile_status status(const byte_vector& tile, const tile_extents& extents) { return decode(tile, extents).status; }

  tile_judge judge_{std::size_t{1} << 20, std::size_t{1} << 20};
  std::uint32_t calls_ = 0;
};

hcompress_stream two_by_two() {
  hcompress_stream stream;
  stream.rows = stream.columns = 2;
  stream.sum = 10;
  stream.planes[1] = 3;
  return stream;
}

/// The pixels 1 2 / 3 4: sum 10, differences 4 down (quadrant 2) and 2 to the right (quadrant 1), none across.
msb_bit_writer one_to_four() {
  msb_bit_writer bits;
  put_hcompress_header(bits, two_by_two());
  bits.put(0b0000'0000, 8).put(0b0000'1000, 8).put(0b0000'0000, 8);       // 2 = 010, each plane directly
  bits.put(0b1111'011, 7).put(0b1111'111110, 10).put(0b1111'111110, 10);  // 4 = 100, each plane a quadtree: 8, 0, 0
  return bits.put(0b0000, 4).zeros(1);                                    // end, rest of the byte
}

TEST_F(hcompress_streams, a_block_by_hand) {
  const byte_vector tile = one_to_four().put(0b00, 2).bytes();
  ASSERT_EQ(tile.size(), 33u);
  const tile_result result = decode(tile, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_EQ(result.bits_used, 8u * 32 + 2);
  EXPECT_FALSE(result.surplus_input);
  // Signs in raster order: the difference to the right first. 10 is 12 - 2: bits that the differences share.
  EXPECT_EQ(decode(one_to_four().put(0b10, 2).bytes(), {2, 2}, {2, 1, 4, 3}).status, tile_status::ok);
  EXPECT_EQ(decode(one_to_four().put(0b01, 2).bytes(), {2, 2}, {3, 4, 1, 2}).status, tile_status::ok);
}

TEST_F(hcompress_streams, bytes_left_over_are_noted) {
  byte_vector tile = one_to_four().put(0, 2).bytes();
  tile.push_back(0);
  EXPECT_TRUE(decode(tile, {2, 2}, {1, 2, 3, 4}).surplus_input);
}

TEST_F(hcompress_streams, headers_are_judged) {
  const auto with = [](auto change) {
    hcompress_stream stream = two_by_two();
    stream.planes[1] = 0;
    change(stream);
    msb_bit_writer bits;
    put_hcompress_header(bits, stream);
    return bits.zeros(8).bytes();
  };
  const byte_vector good = with([](hcompress_stream&) {});
  EXPECT_EQ(decode(good, {2, 2}, {3, 3, 3, 3}).status, tile_status::ok);  // 10 is rounded to 12
  EXPECT_EQ(status({good.begin(), good.begin() + 24}, {2, 2}), tile_status::truncated);
  for (const std::size_t byte : {0u, 1u}) {
    byte_vector other = good;
    other[byte] ^= 1;
    EXPECT_EQ(status(other, {2, 2}), tile_status::bad_data);
  }
  for (const int wrong : {0, -1, std::numeric_limits<int>::min()}) {
    EXPECT_EQ(status(with([&](hcompress_stream& s) { s.rows = wrong; }), {2, 2}), tile_status::bad_data);
    EXPECT_EQ(status(with([&](hcompress_stream& s) { s.columns = wrong; }), {2, 2}), tile_status::bad_data);
  }
  EXPECT_EQ(status(with([](hcompress_stream& s) { s.rows = 1; }), {2, 2}), tile_status::output_short);
  EXPECT_EQ(status(with([](hcompress_stream& s) { s.rows = 4096; }), {2, 2}), tile_status::output_long);
  EXPECT_EQ(status(with([](hcompress_stream& s) { s.rows = s.columns = 1 << 30; }), {2, 2}), tile_status::output_long);
  EXPECT_EQ(status(with([](hcompress_stream& s) { s.rows = s.columns = 1; }), {1, 1}), tile_status::bad_data);
  EXPECT_EQ(status(with([](hcompress_stream& s) { s.scale = -1; }), {2, 2}), tile_status::bad_data);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(status(with([&](hcompress_stream& s) { s.planes[i] = 63; }), {2, 2}), tile_status::bad_data);
    EXPECT_EQ(status(with([&](hcompress_stream& s) { s.planes[i] = 255; }), {2, 2}), tile_status::bad_data);
  }
  std::vector<std::uint8_t> room(15 + raw_slack_bytes);
  const codec_row& row = *find_codec(codec_id::hcompress_1);
  EXPECT_EQ(row.decode_tile({}, {good.data(), good.size()}, {2, 2}, room).result.status, tile_status::output_long);
  room.resize(16 + raw_slack_bytes);
  EXPECT_EQ(row.decode_tile({}, {good.data(), good.size()}, {2, 2}, room).result.status, tile_status::ok);
}

TEST_F(hcompress_streams, the_shape_is_the_tiles_but_a_line_may_lie_or_stand) {
  const auto tile = [](int rows, int columns) {
    hcompress_stream stream;
    stream.rows = rows;
    stream.columns = columns;
    stream.coefficients.assign(static_cast<std::size_t>(rows * columns), 0);
    return write_hcompress(stream, 0);
  };
  EXPECT_EQ(decode(tile(3, 4), {3, 4}, pixel_vector(12)).status, tile_status::ok);
  EXPECT_EQ(status(tile(4, 3), {3, 4}), tile_status::bad_data);
  EXPECT_EQ(status(tile(2, 6), {3, 4}), tile_status::bad_data);
  EXPECT_EQ(status(tile(1, 12), {3, 4}), tile_status::bad_data);
  EXPECT_EQ(status(tile(3, 4), {1, 12}), tile_status::bad_data);
  for (const auto& [rows, columns] : {std::pair{1, 7}, std::pair{7, 1}}) {
    EXPECT_EQ(decode(tile(rows, columns), {1, 7}, pixel_vector(7)).status, tile_status::ok);
    EXPECT_EQ(decode(tile(rows, columns), {7, 1}, pixel_vector(7)).status, tile_status::ok);
  }
}

TEST_F(hcompress_streams, bits_are_judged) {
  hcompress_stream stream = two_by_two();
  stream.rows = stream.columns = 8;  // quadrants of 4 x 4: 2 x 2 cells, one level below the root
  stream.planes[1] = 0;
  stream.planes[0] = 1;
  const auto begin = [&] {
    msb_bit_writer bits;
    put_hcompress_header(bits, stream);
    return bits;
  };
  const auto verdict_on = [&](const msb_bit_writer& bits) { return decode(bits.bytes(), {8, 8}); };
  EXPECT_EQ(verdict_on(begin()).status, tile_status::truncated);  // no format
  for (int format = 1; format < 15; ++format) {
    const tile_result other = verdict_on(begin().put(static_cast<std::uint64_t>(format), 4).zeros(60));
    EXPECT_EQ(other.status, tile_status::bad_data);
    EXPECT_EQ(other.bits_used, 204u);
  }
  EXPECT_EQ(verdict_on(begin().zeros(4 + 12)).status, tile_status::truncated);  // 3 of 4 cells
  const tile_result root = verdict_on(begin().put(0xff, 8));                    // 1111 of a code of 5 or 6
  EXPECT_EQ(root.status, tile_status::truncated);
  EXPECT_EQ(root.bits_used, 208u);
  // Root 15 asks for four symbols: 8 8 8 is all there is.
  EXPECT_EQ(verdict_on(begin().put(0b1111'1100, 8).put(0b011'011'01, 8)).status, tile_status::truncated);
  EXPECT_EQ(verdict_on(begin().zeros(4 + 16).put(1, 4).zeros(8)).status, tile_status::bad_data);  // end is not 0000
  stream.planes[0] = 0;
  EXPECT_EQ(verdict_on(begin()).status, tile_status::truncated);  // no end
  EXPECT_EQ(verdict_on(begin().put(0b0011, 4).zeros(4)).status, tile_status::bad_data);
  stream.planes[2] = 1;
  // All 16 coefficients of the last quadrant are one; one byte of signs.
  const tile_result signs = verdict_on(begin().put(0x0ffff, 20).zeros(4).zeros(8));
  EXPECT_EQ(signs.status, tile_status::truncated);
  EXPECT_EQ(signs.bits_used, 28u * 8);
}

TEST_F(hcompress_streams, a_lying_stream_costs_no_more_than_its_pixels_and_planes) {
  hcompress_stream stream;
  stream.rows = stream.columns = 512;
  for (int& planes : stream.planes) planes = 62;
  msb_bit_writer bits;
  put_hcompress_header(bits, stream);
  for (int i = 0; i < 20000; ++i) bits.put(0b1111'011'000, 10);
  EXPECT_NE(status(bits.bytes(), {512, 512}), tile_status::ok);
}

TEST(hcompress_code, is_complete_and_that_of_the_format) {
  constexpr std::string_view codes[] = {"111110", "000",   "001",  "1000",  "010",  "1001",  "11010",  "11011",
                                        "011",    "11100", "1010", "11101", "1011", "11110", "111111", "1100"};
  int entries = 0;
  for (std::uint32_t symbol = 0; symbol < 16; ++symbol) {
    for (std::uint32_t next = 0; next < 64; ++next) {
      bool matches = true;
      for (std::size_t k = 0; k < codes[symbol].size(); ++k) {
        matches = matches && (next >> (5 - k) & 1U) == static_cast<std::uint32_t>(codes[symbol][k] - '0');
      }
      if (!matches) continue;
      ++entries;
      EXPECT_EQ(hcompress_host_codes.entries[next], symbol | codes[symbol].size() << 4);
    }
  }
  EXPECT_EQ(entries, 64);
}

TEST(hcompress_bits, both_windows_give_the_same_bits_wherever_the_view_begins) {
  std::mt19937 random(3);
  byte_vector bytes(64);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  for (std::size_t first = 0; first < 9; ++first) {
    for (std::size_t length = 0; length < 30; ++length) {
      const byte_view view{bytes.data() + first, length};
      const hcompress_view_bits loose(view);
      const hcompress_word_bits words(view);
      for (std::uint64_t at = 0; at < 8 * length + 70; ++at) {
        for (int k = 0; k < 57; ++k) {
          const std::uint64_t bit = at + static_cast<std::uint64_t>(k);
          const bool here = bit < 8 * length;
          const bool want = here && loose.bit(bit);
          ASSERT_EQ((loose.window(at) >> (63 - k) & 1U) != 0, want);
          if (!here) continue;
          ASSERT_EQ((words.window(at) >> (63 - k) & 1U) != 0, want);
        }
        if (at + 4 > 8 * length) continue;
        ASSERT_EQ(loose.nybble(at), loose.window(at) >> 60);
      }
    }
  }
}

TEST_F(hcompress_streams, random_coefficients_of_every_shape) {
  std::mt19937 random(11);
  for (int rows = 1; rows <= 19; ++rows) {
    for (int columns = 1; columns <= 19; ++columns) {
      if (rows * columns == 1) continue;
      for (int turn = 0; turn < 6; ++turn) {
        hcompress_stream stream;
        stream.rows = rows;
        stream.columns = columns;
        constexpr std::int32_t scales[] = {0, 1, 2, 9, 300, 70000};
        stream.scale = scales[turn];
        stream.sum = static_cast<std::int32_t>(random()) >> (random() % 31);
        for (int& planes : stream.planes) planes = static_cast<int>(random() % (turn % 2 != 0 ? 12 : 30));
        stream.randomize(random(), turn < 4 ? 1 : 7);
        const bool smooth = turn >= 2;
        const byte_vector tile = write_hcompress(stream, turn == 0 ? 0 : static_cast<std::uint32_t>(random()));
        const tile_extents extents(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns));
        const tile_result result = decode(tile, extents, invert_hcompress(stream, smooth), smooth);
        ASSERT_EQ(result.status, tile_status::ok) << rows << " x " << columns << " turn " << turn;
        ASSERT_FALSE(result.surplus_input);
        ASSERT_FALSE(HasFailure()) << rows << " x " << columns << " turn " << turn;
      }
    }
  }
}

TEST_F(hcompress_streams, wide_numbers_wrap_around_and_narrow_arithmetic_is_taken_where_it_fits) {
  std::mt19937_64 random(12);
  int narrow = 0;
  for (int turn = 0; turn < 400; ++turn) {
    hcompress_stream stream;
    stream.rows = 1 + static_cast<int>(random() % 70);
    stream.columns = 2 + static_cast<int>(random() % 70);
    stream.scale = static_cast<std::int32_t>(random() >> 33) >> (random() % 31);
    stream.sum = static_cast<std::int64_t>(random()) >> (random() % 63);
    if (turn % 2 != 0) stream.sum %= 1 << 28;
    for (int& planes : stream.planes) planes = static_cast<int>(random() % (turn % 2 != 0 ? 28 : 63));
    stream.randomize(random(), 2);
    const bool smooth = turn % 3 == 0;
    const byte_vector tile = write_hcompress(stream, static_cast<std::uint32_t>(random()));
    hcompress_header header;
    const tile_extents extents(static_cast<std::uint64_t>(stream.rows), static_cast<std::uint64_t>(stream.columns));
    ASSERT_TRUE(parse_hcompress_header({tile.data(), tile.size()}, extents, 1 << 20, header).ok());
    narrow += hcompress_fits_32_bits(header, smooth) ? 1 : 0;
    decode(tile, extents, invert_hcompress(stream, smooth), smooth);
    ASSERT_FALSE(HasFailure()) << turn;
  }
  EXPECT_GT(narrow, 20);
  EXPECT_LT(narrow, 380);
}

/// The largest numbers that the bound lets through: every magnitude all ones, signs at random.
TEST_F(hcompress_streams, the_bound_of_narrow_arithmetic_holds) {
  std::mt19937_64 random(13);
  for (int turn = 0; turn < 200; ++turn) {
    const bool smooth = turn % 2 != 0;
    hcompress_stream stream;
    stream.rows = 1 + static_cast<int>(random() % 17);
    stream.columns = 2 + static_cast<int>(random() % 60);
    stream.scale = smooth ? 2 + static_cast<std::int32_t>(random() % 3000) : 0;
    const int planes = static_cast<int>(random() % 29);
    for (int& each : stream.planes) each = planes;
    hcompress_header header{static_cast<std::uint32_t>(stream.rows),
                            static_cast<std::uint32_t>(stream.columns),
                            stream.scale,
                            0,
                            {planes, planes, planes}};
    while (header.planes[0] > 0 && !hcompress_fits_32_bits(header, smooth)) {
      for (int i = 0; i < 3; ++i) stream.planes[i] = --header.planes[i];
    }
    std::int64_t step = std::int64_t{1} << 30;
    for (; step > 0; step /= 2) {
      header.sum += step;
      if (!hcompress_fits_32_bits(header, smooth)) header.sum -= step;
    }
    stream.sum = random() % 2 != 0 ? header.sum : -header.sum;
    const int rows_above = (stream.rows + 1) / 2;
    const int columns_before = (stream.columns + 1) / 2;
    stream.coefficients.assign(static_cast<std::size_t>(stream.rows * stream.columns), 0);
    for (int i = 0; i < stream.rows; ++i) {
      for (int j = 0; j < stream.columns; ++j) {
        const std::int64_t most =
            (std::int64_t{1} << stream.planes[(i >= rows_above ? 1 : 0) + (j >= columns_before ? 1 : 0)]) - 1;
        stream.at(i, j) = random() % 2 != 0 ? most : -most;
      }
    }
    const tile_extents extents(static_cast<std::uint64_t>(stream.rows), static_cast<std::uint64_t>(stream.columns));
    decode(write_hcompress(stream, 0), extents, invert_hcompress(stream, smooth), smooth);
    ASSERT_FALSE(HasFailure()) << turn;
  }
}

TEST_F(hcompress_streams, sixteen_bits_are_clipped_where_asked) {
  hcompress_stream stream = two_by_two();
  stream.scale = 1000;
  stream.sum = 1000;
  stream.planes[1] = stream.planes[2] = 9;
  stream.coefficients = {0, -300, 100, 20};
  const pixel_vector wide = invert_hcompress(stream, false);
  pixel_vector clipped = wide;
  for (std::int32_t& pixel : clipped) pixel = std::clamp(pixel, -32768, 32767);
  ASSERT_NE(wide, clipped);
  EXPECT_EQ(decode(write_hcompress(stream, 0), {2, 2}, wide).status, tile_status::ok);
  EXPECT_EQ(decode(write_hcompress(stream, 0), {2, 2}, clipped, false, true).status, tile_status::ok);
  stream.sum = std::int64_t{1} << 40;  // in 64 bits
  EXPECT_EQ(decode(write_hcompress(stream, 0), {2, 2}, pixel_vector(4, 32767), false, true).status, tile_status::ok);
}

}  // namespace
}  // namespace cuphoton::xdr::test
