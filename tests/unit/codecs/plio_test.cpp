// plio_test.cpp: PLIO_1 streams written by hand: each opcode, each check, both headers, chunks and their borders. Every
// tile goes through the host engine, the core with one lane and shuffled lanes; all must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "codecs/plio/plio_core.hpp"
#include "support/codec_cores.hpp"
#include "support/plio_encoder.hpp"
#if defined(XDR_HAVE_CFITSIO)
#include "support/cfitsio_oracle.hpp"
#endif

namespace cuphoton::xdr::test {
namespace {

using words = std::vector<std::uint16_t>;
using pixels = std::vector<std::int32_t>;

constexpr std::uint16_t zeros = 0x0000, set = 0x1000, raise = 0x2000, lower = 0x3000, high = 0x4000,
                        zeros_high = 0x5000, raise_high = 0x6000, lower_high = 0x7000;
constexpr int header_words = 7;  // of plio_tile_of

std::uint16_t word(std::uint16_t opcode, int d) {
  return static_cast<std::uint16_t>(opcode | d);
}

class plio_streams : public testing::Test {
 protected:
  tile_result decode_bytes(const std::vector<std::uint8_t>& tile, const pixels& expected, std::uint32_t zero = 0) {
    codec_parameters parameters;
    parameters.plio_zero = zero;
    const placement where = (++calls_ & 1U) != 0 ? placement::at_end : placement::at_start;
    const auto [decoded, difference] =
        judge_.decode(*find_codec(codec_id::plio_1), parameters, tile, expected.size(), 4, where, calls_);
    EXPECT_EQ(difference, "");
    got_.resize(decoded.result.bytes_written / 4);
    if (!got_.empty()) std::memcpy(got_.data(), decoded.raw, 4 * got_.size());
    EXPECT_TRUE(got_.size() <= expected.size() && std::equal(got_.begin(), got_.end(), expected.begin()));
    if (decoded.result.status == tile_status::ok) {
      EXPECT_EQ(got_.size(), expected.size());
      EXPECT_EQ(decoded.result.element_bytes, 4);
    }
    return decoded.result;
  }
  tile_result decode(const words& data, const pixels& expected, std::uint32_t zero = 0) {
    return decode_bytes(plio_tile_of(data), expected, zero);
  }
  /// The stream ends at word `position` of the data with `status`, after the pixels `written`.
  void expect_fault(const words& data, tile_status status, std::size_t position, const pixels& written) {
    pixels expected = written;
    expected.resize(written.size() + 50, -1);  // nothing of this may appear
    const tile_result result = decode(data, expected);
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.bits_used, 16 * (header_words + position));
    EXPECT_EQ(result.bytes_written, 4 * written.size());
    EXPECT_EQ(result.check.file, 6);
  }

  tile_judge judge_{1 << 18, 1 << 22};
  pixels got_;
  std::uint32_t calls_ = 0;
};

TEST_F(plio_streams, a_tile_byte_by_byte) {
  // Two zeros; three of the high value 1; up by 4: 5, twice as single pixel of raise (2 more: 7) and lower (4: 3).
  const std::vector<std::uint8_t> tile{0x00, 0x00, 0x00, 0x07, 0xff, 0x9c, 0x00, 0x0d, 0x00, 0x00, 0x00, 0x00, 0x00,
                                       0x00, 0x00, 0x02, 0x40, 0x03, 0x20, 0x04, 0x60, 0x02, 0x70, 0x04, 0x50, 0x03};
  const tile_result result = decode_bytes(tile, {0, 0, 1, 1, 1, 7, 3, 0, 0, 3});
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_EQ(result.bits_used, 8 * tile.size());
  EXPECT_FALSE(result.surplus_input);
}

TEST_F(plio_streams, the_short_header_byte_by_byte) {
  // Word 3 is the length, 6 words in all; set 2 * 4096 + 5 = 8197; one zero, then a high pixel.
  const std::vector<std::uint8_t> tile{0x00, 0x00, 0x00, 0x00, 0x00, 0x06, 0x10, 0x05, 0x00, 0x02, 0x50, 0x02};
  EXPECT_EQ(decode_bytes(tile, {0, 8197}).status, tile_status::ok);
  // A length that ends before the run does: the rest is zero, the run is left over.
  std::vector<std::uint8_t> shorter = tile;
  shorter[5] = 5;
  const tile_result result = decode_bytes(shorter, {0, 0});
  EXPECT_EQ(result.status, tile_status::ok);
  EXPECT_EQ(result.bits_used, 80u);
  EXPECT_TRUE(result.surplus_input);
}

TEST_F(plio_streams, a_long_header_of_any_size) {
  for (const std::uint16_t size : {std::uint16_t{3}, std::uint16_t{5}, std::uint16_t{7}, std::uint16_t{9}}) {
    // Data begin behind the header; a short one has its own fields as data: here runs of no pixels.
    const std::uint16_t length = size < 7 ? 8 : static_cast<std::uint16_t>(size + 1);
    words all{0, size, 0, length, 0, 0, 0, 0, 0, 0};
    all.resize(length);
    all.back() = word(high, 2);
    EXPECT_EQ(decode_bytes(plio_bytes(all), size == 3 ? pixels(8, 0) : pixels{1, 1, 0}).status, tile_status::ok)
        << size;
  }
  // 2^15 words and more need the second word of the length.
  words many(40000, word(raise_high, 1));
  pixels expected(40000);
  for (std::size_t i = 0; i < many.size(); ++i) expected[i] = static_cast<std::int32_t>(i + 2);
  EXPECT_EQ(decode(many, expected).status, tile_status::ok);
}

TEST_F(plio_streams, headers_that_are_none) {
  const auto status_of = [&](const words& all) {
    const tile_result result = decode_bytes(plio_bytes(all), {9});
    EXPECT_EQ(result.bits_used, 0u);
    EXPECT_EQ(result.bytes_written, 0u);
    return result.status;
  };
  EXPECT_EQ(status_of({}), tile_status::truncated);
  EXPECT_EQ(status_of({0, 7}), tile_status::truncated);
  EXPECT_EQ(status_of({0, 0, 4}), tile_status::truncated);                       // says 4 words
  EXPECT_EQ(status_of({0, 0, 2}), tile_status::bad_data);                        // less than its header
  EXPECT_EQ(status_of({0, 7, 0xff9c, 7, 0, 0}), tile_status::truncated);         // six words
  EXPECT_EQ(status_of({0, 2, 0xff9c, 7, 0, 0, 0}), tile_status::bad_data);       // data in word 3
  EXPECT_EQ(status_of({0, 0xffff, 0xff9c, 7, 0, 0, 0}), tile_status::bad_data);  // before word 1
  EXPECT_EQ(status_of({0, 7, 0xff9c, 0x8007, 0, 0, 0}), tile_status::bad_data);  // lengths below zero
  EXPECT_EQ(status_of({0, 7, 0xff9c, 7, 0x8000, 0, 0}), tile_status::bad_data);
  EXPECT_EQ(status_of({0, 7, 0xff9c, 6, 0, 0, 0}), tile_status::bad_data);  // less than its header
  EXPECT_EQ(status_of({0, 7, 0xff9c, 0, 0, 0, 0}), tile_status::bad_data);
  EXPECT_EQ(status_of({0, 0x7fff, 0xff9c, 7, 0, 0, 0}), tile_status::bad_data);
  EXPECT_EQ(status_of({0, 7, 0xff9c, 8, 0, 0, 0}), tile_status::truncated);
  EXPECT_EQ(status_of({0, 7, 0xff9c, 7, 0x7fff, 0, 0}), tile_status::truncated);  // 2^30 words
  std::vector<std::uint8_t> odd = plio_tile_of({word(high, 1)});
  odd.pop_back();
  EXPECT_EQ(decode_bytes(odd, {1}).status, tile_status::truncated);  // half a word
}

TEST_F(plio_streams, runs_of_no_and_of_most_pixels) {
  EXPECT_EQ(decode({zeros, high, zeros_high, word(high, 1)}, {1}).status, tile_status::ok);
  pixels expected(3 * 4095, 0);
  std::fill_n(expected.begin(), 4095, 1);
  expected.back() = 1;
  EXPECT_EQ(decode({word(high, 4095), word(zeros, 4095), word(zeros_high, 4095)}, expected).status, tile_status::ok);
}

TEST_F(plio_streams, what_no_word_writes_is_zero) {
  EXPECT_EQ(decode({}, pixels(5000, 0)).status, tile_status::ok);
  EXPECT_EQ(decode({word(high, 2)}, {1, 1, 0, 0, 0}).status, tile_status::ok);
  EXPECT_EQ(decode({word(high, 2)}, {1 - 0x8000, 1 - 0x8000, -0x8000}, 0x8000).status, tile_status::ok);
}

TEST_F(plio_streams, what_lies_behind_the_last_pixel_is_cut) {
  EXPECT_EQ(decode({word(high, 9)}, {1, 1, 1}).status, tile_status::ok);
  EXPECT_EQ(decode({word(zeros_high, 4)}, {0, 0, 0}).status, tile_status::ok);  // the high one is outside
  EXPECT_EQ(decode({word(zeros_high, 3)}, {0, 0, 1}).status, tile_status::ok);
  // Words behind a full tile are not looked at, wrong as they may be.
  for (const std::uint16_t wrong : {std::uint16_t{0x8000}, std::uint16_t{0xffff}, word(lower, 99), word(set, 1)}) {
    const tile_result result = decode({word(high, 3), wrong}, {1, 1, 1});
    EXPECT_EQ(result.status, tile_status::ok);
    EXPECT_EQ(result.bits_used, 16u * (header_words + 1));
    EXPECT_TRUE(result.surplus_input);
  }
  EXPECT_TRUE(decode({word(high, 3)}, {}).surplus_input);  // no pixels, but words
}

TEST_F(plio_streams, opcodes_that_do_not_exist) {
  for (int opcode = 8; opcode < 16; ++opcode) {
    const auto wrong = static_cast<std::uint16_t>(opcode << 12 | 1);
    expect_fault({word(high, 2), wrong, word(high, 60)}, tile_status::bad_data, 1, {1, 1});
    expect_fault({wrong}, tile_status::bad_data, 0, {});
    EXPECT_EQ(decode({set, wrong, word(high, 1)}, {}).status, tile_status::ok);  // as an operand nothing is wrong
  }
}

TEST_F(plio_streams, operands) {
  // What looks like a set is one only if it is no operand.
  EXPECT_EQ(decode({word(set, 1), 0x0fff, word(high, 1)}, {0xfff001}).status, tile_status::ok);
  EXPECT_EQ(decode({word(set, 1), 0x0000, word(set, 2), 0x0001, word(high, 1)}, {0x1002}).status, tile_status::ok);
  expect_fault({word(high, 1), word(set, 1)}, tile_status::truncated, 1, {1});
  expect_fault({word(set, 1), 1, word(set, 1)}, tile_status::truncated, 2, {});
  // The first is an operand that looks like a set: 0x1001 * 4096 is too high.
  expect_fault({word(set, 1), word(set, 1), word(high, 3)}, tile_status::bad_data, 0, {});
  EXPECT_EQ(decode_bytes(plio_bytes({0, 0, 5, word(set, 1), 0, word(high, 3)}), {0}).status, tile_status::ok);
  EXPECT_EQ(decode_bytes(plio_bytes({0, 0, 4, word(set, 1), 0}), {9}).status, tile_status::truncated);  // behind len
}

TEST_F(plio_streams, the_high_value_has_24_bits) {
  const int top = plio_highest;
  EXPECT_EQ(decode({word(set, 0xfff), 0xfff, word(high, 1)}, {top}).status, tile_status::ok);
  expect_fault({word(set, 0), 0x1000, word(high, 1)}, tile_status::bad_data, 0, {});
  expect_fault({word(set, 0), 0xffff, word(high, 1)}, tile_status::bad_data, 0, {});
  expect_fault({word(set, 0xfff), 0xfff, word(high, 1), word(raise, 1)}, tile_status::bad_data, 3, {top});
  expect_fault({word(set, 0xfff), 0xfff, word(high, 1), word(raise_high, 1)}, tile_status::bad_data, 3, {top});
  EXPECT_EQ(decode({word(lower, 1), word(high, 1)}, {0}).status, tile_status::ok);
  EXPECT_EQ(decode({word(lower_high, 1), word(high, 1)}, {0, 0}).status, tile_status::ok);
  expect_fault({word(high, 1), word(lower, 2), word(raise, 2)}, tile_status::bad_data, 1, {1});
  expect_fault({word(high, 1), word(lower_high, 2)}, tile_status::bad_data, 1, {1});
}

/// A word that changes nothing, then one of another kind at every place around the border of a chunk.
TEST_F(plio_streams, borders_of_chunks) {
  for (int before = 0; before <= 2 * plio_chunk_words + 2; ++before) {
    const std::size_t at = static_cast<std::size_t>(before);
    words data(at, word(raise_high, 0));
    pixels expected(at, 1);
    words sets = data;
    for (const std::uint16_t each : {word(set, 7), std::uint16_t{0x002}, word(high, 2), word(zeros_high, 3)}) {
      sets.push_back(each);
    }
    pixels wanted = expected;
    for (const int each : {0x2007, 0x2007, 0, 0, 0x2007}) wanted.push_back(each);
    EXPECT_EQ(decode(sets, wanted).status, tile_status::ok) << before;

    words wrong = data;
    wrong.push_back(0x9000);
    expect_fault(wrong, tile_status::bad_data, at, expected);
    wrong.back() = set;
    expect_fault(wrong, tile_status::truncated, at, expected);
    wrong.back() = word(lower, 2);
    expect_fault(wrong, tile_status::bad_data, at, expected);
    wrong.back() = word(lower_high, 2);
    expect_fault(wrong, tile_status::bad_data, at, expected);
  }
}

/// Alternating sets and operands that look like sets, longer than a chunk, from an even and an odd place on.
TEST_F(plio_streams, operands_that_look_like_sets) {
  for (const int before : {0, 1, 2, 3}) {
    for (const int pairs : {1, 2, 3, 63, 64, 65, 127, 128, 129, 200}) {
      words data(static_cast<std::size_t>(before), word(raise_high, 1));
      for (int i = 0; i < pairs; ++i) {
        data.push_back(word(set, 5));
        data.push_back(0x0fff);
      }
      data.push_back(word(set, 5));
      data.push_back(0x0003);
      data.push_back(word(high, 2));
      pixels expected;
      for (int i = 0; i < before; ++i) expected.push_back(i + 2);
      for (int i = 0; i < 2; ++i) expected.push_back(0x3005);
      EXPECT_EQ(decode(data, expected).status, tile_status::ok) << before << ' ' << pairs;
      // All of them sets: the first operand is out of range.
      std::fill(data.begin() + before, data.end() - 1, word(set, 5));
      expected.resize(static_cast<std::size_t>(before));
      expect_fault(data, tile_status::bad_data, static_cast<std::size_t>(before), expected);
    }
  }
}

TEST_F(plio_streams, of_several_faults_the_first_counts) {
  words data(100, word(raise_high, 0));
  data[90] = 0x8000;
  data[60] = word(lower, 2);
  data[77] = 0xf000;
  expect_fault(data, tile_status::bad_data, 60, pixels(60, 1));
  data[3] = word(high, 4095);  // the tile is full before any of them
  EXPECT_EQ(decode(data, pixels(1000, 1)).status, tile_status::ok);
}

TEST_F(plio_streams, a_tile_larger_than_its_room) {
  const std::vector<std::uint8_t> tile = plio_tile_of({word(high, 3)});
  std::vector<std::uint8_t> room(15 + raw_slack_bytes);
  const codec_row& row = *find_codec(codec_id::plio_1);
  EXPECT_EQ(row.decode_tile({}, {tile.data(), tile.size()}, 3, room).result.status, tile_status::ok);
  for (const std::uint64_t count : {std::uint64_t{4}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    EXPECT_EQ(row.decode_tile({}, {tile.data(), tile.size()}, count, room).result.status, tile_status::output_long);
  }
}

#if defined(XDR_HAVE_CFITSIO)
/// Random words that every reader takes, opcodes of all kinds: our pixels are CFITSIO's.
TEST_F(plio_streams, random_words_as_cfitsio_reads_them) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    const unsigned longest = round % 3 == 0 ? 4096 : round % 3 == 1 ? 40 : 3;
    std::int32_t now = 1;
    words data;
    const std::size_t count = random() % (round % 10 == 0 ? 700 : 60);
    while (data.size() < count) {
      const auto opcode = static_cast<std::uint16_t>((random() % 8) << 12);
      const auto d = static_cast<std::int32_t>(random() % longest);
      if ((opcode == lower || opcode == lower_high) && d > now) continue;
      if ((opcode == raise || opcode == raise_high) && now + d > plio_highest) continue;
      data.push_back(word(opcode, d));
      if (opcode == raise || opcode == raise_high) now += d;
      if (opcode == lower || opcode == lower_high) now -= d;
      if (opcode == set) {
        data.push_back(static_cast<std::uint16_t>(random() % 4096));
        now = (data.back() << 12) + d;
      }
    }
    const auto form = round % 2 == 0 ? plio_header_form::long_length : plio_header_form::short_length;
    const std::vector<std::uint8_t> tile = plio_tile_of(data, form);
    std::vector<short> stream;
    for (std::size_t i = 0; i < tile.size(); i += 2) {
      stream.push_back(static_cast<short>(tile[i] << 8 | tile[i + 1]));
    }
    pixels expected(1 + random() % (longest * (1 + count / 3)), -1);
    pl_l2pi(stream.data(), 1, expected.data(), static_cast<int>(expected.size()));
    ASSERT_EQ(decode_bytes(tile, expected).status, tile_status::ok) << round;
  }
}
#endif

}  // namespace
}  // namespace cuphoton::xdr::test
