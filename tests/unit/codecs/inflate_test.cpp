// inflate_test.cpp: DEFLATE streams written field by field: each block type, each rule about codes, each bound. Every
// stream goes through the core in two orders and through libdeflate; all must agree.
#include <gtest/gtest.h>

#include <string>

#include "support/codec_cores.hpp"
#include "support/deflate_writer.hpp"

namespace cuphoton::xdr::test {
namespace {

class inflate_streams : public testing::Test {
 protected:
  /// Decodes `bits` as a tile of expected.size() bytes with a trailer that belongs to `expected`.
  tile_result decode(const byte_vector& payload, const byte_vector& expected) {
    const auto [decoded, difference] = judge_.decode(*find_codec(codec_id::gzip_1), {}, gzip_member(payload, expected),
                                                     expected.size(), 1, placement::at_end, 3);
    EXPECT_EQ(difference, "");
    if (decoded.result.status == tile_status::ok) {
      EXPECT_EQ(byte_vector(decoded.raw, decoded.raw + decoded.result.bytes_written), expected);
    }
    return decoded.result;
  }
  tile_status status(const lsb_bit_writer& bits, const byte_vector& expected) {
    return decode(bits.bytes(), expected).status;
  }
  static byte_vector text(const std::string& characters) { return {characters.begin(), characters.end()}; }

  tile_judge judge_{1 << 18, 1 << 18};
};

TEST_F(inflate_streams, stored_blocks) {
  lsb_bit_writer bits;
  stored_block(bits, false, text("one "));
  stored_block(bits, false, {});
  stored_block(bits, true, text("two"));
  EXPECT_EQ(status(bits, text("one two")), tile_status::ok);

  byte_vector longest(65535);
  for (std::size_t i = 0; i < longest.size(); ++i) longest[i] = static_cast<std::uint8_t>(i * 7 >> 2);
  lsb_bit_writer large;
  stored_block(large, true, longest);
  EXPECT_EQ(status(large, longest), tile_status::ok);
}

TEST_F(inflate_streams, stored_block_in_the_middle_of_a_byte) {
  lsb_bit_writer bits;
  fixed_symbol(block_header(bits, false, 1), 'x');
  fixed_symbol(bits, 256);
  stored_block(bits, true, text("yz"));
  EXPECT_EQ(status(bits, text("xyz")), tile_status::ok);
}

TEST_F(inflate_streams, stored_blocks_that_lie) {
  lsb_bit_writer complement;
  block_header(complement, true, 0).align().put(2, 16).put(0xfffc, 16).byte('a').byte('b');
  EXPECT_EQ(status(complement, text("ab")), tile_status::bad_data);
  lsb_bit_writer longer;
  block_header(longer, true, 0).align().put(3, 16).put(0xfffc, 16).byte('a').byte('b');
  EXPECT_EQ(status(longer, text("abc")), tile_status::truncated);
  lsb_bit_writer no_length;
  block_header(no_length, true, 0).align().put(3, 16).byte(0xfc);
  EXPECT_EQ(status(no_length, text("abc")), tile_status::truncated);
  lsb_bit_writer too_much;
  stored_block(too_much, true, text("abcd"));
  EXPECT_EQ(status(too_much, text("abc")), tile_status::output_long);
}

TEST_F(inflate_streams, fixed_block_byte_by_byte) {
  // 1, 01 (last, fixed), 'a' = 0x61 -> 10010001, end of block -> 0000000. Bits in the order of the stream:
  // 1 10 10010001 0000000 -> bytes filled from their lowest bit: 01001011 00000100 00000000 -> 4b 04 00.
  const byte_vector payload{0x4b, 0x04, 0x00};
  EXPECT_EQ(decode(payload, text("a")).status, tile_status::ok);
  lsb_bit_writer bits;
  fixed_symbol(fixed_symbol(block_header(bits, true, 1), 'a'), 256);
  EXPECT_EQ(bits.bytes(), payload);
}

TEST_F(inflate_streams, every_literal_of_the_fixed_code) {
  byte_vector all(256);
  lsb_bit_writer bits;
  block_header(bits, true, 1);
  for (int symbol = 0; symbol < 256; ++symbol) {
    all[static_cast<std::size_t>(symbol)] = static_cast<std::uint8_t>(symbol);
    fixed_symbol(bits, symbol);
  }
  fixed_symbol(bits, 256);
  EXPECT_EQ(status(bits, all), tile_status::ok);
}

TEST_F(inflate_streams, overlapping_matches) {
  for (const int distance : {1, 2, 3, 4}) {  // distance symbols 0 to 3 have no extra bits
    for (int length = 3; length <= 10; ++length) {
      byte_vector expected = text("abcd");
      for (int i = 0; i < length; ++i)
        expected.push_back(expected[expected.size() - static_cast<std::size_t>(distance)]);
      lsb_bit_writer bits;
      block_header(bits, true, 1);
      for (const char letter : {'a', 'b', 'c', 'd'}) fixed_symbol(bits, letter);
      fixed_distance(fixed_symbol(bits, 254 + length), distance - 1);
      fixed_symbol(bits, 256);
      EXPECT_EQ(status(bits, expected), tile_status::ok) << distance << " " << length;
    }
  }
}

TEST_F(inflate_streams, every_length_symbol) {
  // RFC 1951 §3.2.5; 286 and 287 are not allowed there: libdeflate takes them as 285, zlib refuses them.
  constexpr int base[] = {3,  4,  5,  6,  7,  8,  9,  10,  11,  13,  15,  17,  19,  23,  27, 31,
                          35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258, 258, 258};
  constexpr int extra_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2,
                                3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0, 0, 0};
  for (int i = 0; i < 31; ++i) {
    for (const int extra : {0, (1 << extra_bits[i]) - 1}) {
      lsb_bit_writer bits;
      fixed_symbol(fixed_symbol(block_header(bits, true, 1), 'q'), 257 + i);
      bits.put(static_cast<std::uint64_t>(extra), extra_bits[i]);
      fixed_symbol(fixed_distance(bits, 0), 256);
      EXPECT_EQ(status(bits, byte_vector(static_cast<std::size_t>(1 + base[i] + extra), 'q')), tile_status::ok)
          << 257 + i;
    }
  }
}

TEST_F(inflate_streams, every_distance_symbol) {
  // RFC 1951 §3.2.5; 30 and 31 are not allowed there: libdeflate takes them as 29, zlib refuses them.
  constexpr int base[] = {1,    2,    3,    4,    5,    7,     9,     13,    17,    25,   33,
                          49,   65,   97,   129,  193,  257,   385,   513,   769,   1025, 1537,
                          2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577, 24577, 24577};
  byte_vector prefix(32768);
  for (std::size_t i = 0; i < prefix.size(); ++i) prefix[i] = static_cast<std::uint8_t>((i * 31) ^ (i >> 7));
  for (int i = 0; i < 32; ++i) {
    const int extra_bits = i < 4 ? 0 : (i < 30 ? i : 29) / 2 - 1;
    for (const int extra : {0, (1 << extra_bits) - 1}) {
      lsb_bit_writer bits;
      stored_block(bits, false, prefix);
      fixed_symbol(block_header(bits, true, 1), 257 + 7);  // ten bytes
      fixed_distance(bits, i).put(static_cast<std::uint64_t>(extra), extra_bits);
      fixed_symbol(bits, 256);
      byte_vector expected = prefix;
      for (int k = 0; k < 10; ++k)
        expected.push_back(expected[expected.size() - static_cast<std::size_t>(base[i] + extra)]);
      EXPECT_EQ(status(bits, expected), tile_status::ok) << i << " " << extra;
    }
  }
}

TEST_F(inflate_streams, a_match_reaches_no_further_than_the_tile) {
  lsb_bit_writer bits;
  fixed_symbol(fixed_symbol(block_header(bits, true, 1), 'a'), 257);
  fixed_symbol(fixed_distance(bits, 1), 256);  // distance 2 behind one byte
  const tile_result result = decode(bits.bytes(), text("aaaa"));
  EXPECT_EQ(result.status, tile_status::bad_data);
  EXPECT_EQ(result.bytes_written, 1u);
  EXPECT_EQ(result.bits_used, 8 * 10 + 3u + 8 + 7 + 5);
}

TEST_F(inflate_streams, output_that_does_not_fit) {
  lsb_bit_writer literal;
  fixed_symbol(fixed_symbol(fixed_symbol(block_header(literal, true, 1), 'a'), 'b'), 256);
  EXPECT_EQ(status(literal, text("a")), tile_status::output_long);
  lsb_bit_writer match;
  fixed_symbol(fixed_symbol(block_header(match, true, 1), 'a'), 257);
  fixed_symbol(fixed_distance(match, 0), 256);
  EXPECT_EQ(status(match, text("aaa")), tile_status::output_long);
  EXPECT_EQ(status(match, text("aaaa")), tile_status::ok);
}

TEST_F(inflate_streams, block_type_3) {
  lsb_bit_writer bits;
  block_header(bits, true, 3).align();
  EXPECT_EQ(status(bits, text("a")), tile_status::bad_data);
}

TEST_F(inflate_streams, streams_that_end_early) {
  EXPECT_EQ(decode({}, text("a")).status, tile_status::truncated);  // no block header
  lsb_bit_writer open;
  stored_block(open, false, text("a"));
  EXPECT_EQ(status(open, text("a")), tile_status::truncated);  // no last block
  lsb_bit_writer literal;
  fixed_symbol(fixed_symbol(block_header(literal, true, 1), 'a'), 256);
  const tile_result in_literal = decode({literal.bytes()[0]}, text("a"));  // 5 of a code's 8 bits
  EXPECT_EQ(in_literal.status, tile_status::truncated);
  EXPECT_EQ(in_literal.bytes_written, 0u);  // nothing is written that was not read
  EXPECT_EQ(decode({literal.bytes()[0], literal.bytes()[1]}, text("a")).status,
            tile_status::truncated);  // end of block
  lsb_bit_writer match;               // 3 + 6 * 9 + 7 bits: eight whole bytes, and no distance behind the length
  block_header(match, true, 1);
  for (int i = 0; i < 6; ++i) fixed_symbol(match, 200);
  fixed_symbol(match, 257);
  const tile_result in_match = decode(match.bytes(), byte_vector(9, 200));
  EXPECT_EQ(in_match.status, tile_status::truncated);
  EXPECT_EQ(in_match.bytes_written, 6u);
  lsb_bit_writer dynamic;
  dynamic_codes(dynamic, true, {{'a', 1}, {256, 1}}, {});
  dynamic.code(0, 1).code(1, 1);
  EXPECT_EQ(status(dynamic, text("a")), tile_status::ok);
  for (std::size_t length = 0; length < dynamic.bytes().size(); ++length) {  // header, precode, lengths, symbols
    byte_vector cut = dynamic.bytes();
    cut.resize(length);
    EXPECT_EQ(decode(cut, text("a")).status, tile_status::truncated) << length;
  }
}

TEST_F(inflate_streams, dynamic_block_with_runs) {
  // Lengths: 'a' 2, 'b' 2, 256 2, 257 2; distance 0 and 1 with 1 bit. Runs: 18 = 11-138 zeros, 17 = 3-10, 16 = 3-6
  // more.
  lsb_bit_writer bits;
  dynamic_header(bits, true, 258, 2);
  precode_symbol(bits, 18).put(97 - 11, 7);                     // 0-96
  precode_symbol(precode_symbol(bits, 2), 2);                   // 'a', 'b'
  precode_symbol(bits, 18).put(127, 7);                         // 138 zeros: 99-236
  precode_symbol(bits, 17).put(7, 3);                           // 10 zeros: 237-246
  precode_symbol(precode_symbol(bits, 0), 16).put(3, 2);        // one zero and six more: 247-253
  precode_symbol(precode_symbol(bits, 0), 0);                   // 254, 255
  precode_symbol(precode_symbol(bits, 2), 2);                   // 256, 257
  precode_symbol(precode_symbol(bits, 1), 1);                   // distances
  bits.code(0, 2).code(1, 2).code(3, 2).code(1, 1).code(2, 2);  // a, b, length 3 at distance 2, end
  EXPECT_EQ(status(bits, text("ababa")), tile_status::ok);
}

TEST_F(inflate_streams, codes_longer_than_the_tables) {
  // Lengths 1, 2, ..., 14, 15, 15: code of the n-th symbol is n ones and a zero; the last two differ in the 15th bit.
  const symbol_lengths letters_to_n = {{'a', 1},  {'b', 2},  {'c', 3},  {'d', 4},  {'e', 5},  {'f', 6},
                                       {'g', 7},  {'h', 8},  {'i', 9},  {'j', 10}, {'k', 11}, {'l', 12},
                                       {'m', 13}, {'n', 14}, {256, 15}, {257, 15}};
  lsb_bit_writer bits;
  dynamic_codes(bits, true, letters_to_n,
                {{0, 1},
                 {1, 2},
                 {2, 3},
                 {3, 4},
                 {4, 5},
                 {5, 6},
                 {6, 7},
                 {7, 8},
                 {8, 9},
                 {9, 10},
                 {10, 11},
                 {11, 12},
                 {12, 13},
                 {13, 14},
                 {14, 15},
                 {15, 15}});
  byte_vector expected;
  for (int n = 0; n < 14; ++n) {
    bits.code((std::uint64_t{1} << (n + 1)) - 2, n + 1);
    expected.push_back(static_cast<std::uint8_t>('a' + n));
  }
  bits.code(0x7fff, 15)
      .code(0x1fe, 9)
      .put(0, 3);  // 257, then distance symbol 8: 17 and 3 extra bits -> too far: 14 bytes
  EXPECT_EQ(status(bits, expected), tile_status::bad_data);

  lsb_bit_writer good;
  dynamic_codes(good, true, letters_to_n,
                {{9, 1},
                 {10, 2},
                 {11, 3},
                 {12, 4},
                 {13, 5},
                 {14, 6},
                 {15, 7},
                 {16, 8},
                 {17, 9},
                 {18, 10},
                 {19, 11},
                 {20, 12},
                 {21, 13},
                 {3, 14},
                 {4, 15},
                 {2, 15}});
  for (int n = 0; n < 14; ++n) good.code((std::uint64_t{1} << (n + 1)) - 2, n + 1);
  good.code(0x7fff, 15).code(0x3ffe, 14);            // length 3, distance symbol 3 (4 bytes back): klm
  good.code(0x7fff, 15).code(0x7ffe, 15);            // length 3, distance symbol 2 (3 back): klm
  good.code(0x7fff, 15).code(0x7fff, 15).put(1, 1);  // length 3, distance symbol 4: 5 + 1 = 6 back
  good.code(0x7ffe, 15);
  byte_vector letters = text("abcdefghijklmnklmklmklm");
  EXPECT_EQ(status(good, letters), tile_status::ok);
}

TEST_F(inflate_streams, a_lone_code_of_one_bit_stands_for_both_values) {
  for (const std::uint64_t bit : {0u, 1u}) {
    lsb_bit_writer end_only;
    dynamic_codes(end_only, false, {{256, 1}}, {}).code(bit, 1);
    stored_block(end_only, true, text("a"));
    EXPECT_EQ(status(end_only, text("a")), tile_status::ok);
    lsb_bit_writer distance;  // codes: 257 = 0, 'a' = 10, 256 = 11; distance symbol 1 alone
    dynamic_codes(distance, true, {{'a', 2}, {256, 2}, {257, 1}}, {{1, 1}}).code(2, 2).code(2, 2);
    distance.code(0, 1).code(bit, 1).code(3, 2);
    EXPECT_EQ(status(distance, text("aaaaa")), tile_status::ok);
  }
}

TEST_F(inflate_streams, an_empty_distance_set_acts_as_distance_1) {
  lsb_bit_writer unused;
  dynamic_codes(unused, true, {{'a', 1}, {256, 1}}, {}).code(0, 1).code(1, 1);
  EXPECT_EQ(status(unused, text("a")), tile_status::ok);
  for (const std::uint64_t bit :
       {0u, 1u}) {  // libdeflate: symbol 0 of one bit, whatever the bit; zlib refuses the match
    lsb_bit_writer used;
    dynamic_codes(used, true, {{'a', 2}, {256, 2}, {257, 1}}, {}).code(2, 2).code(0, 1).code(bit, 1).code(3, 2);
    EXPECT_EQ(status(used, text("aaaa")), tile_status::ok);
  }
}

TEST_F(inflate_streams, incomplete_and_oversubscribed_codes) {
  const auto judged = [&](symbol_lengths literal, symbol_lengths distance) {
    lsb_bit_writer bits;
    dynamic_codes(bits, true, literal, distance).put(0, 64);
    return status(bits, text("a"));
  };
  EXPECT_EQ(judged({{256, 2}}, {}), tile_status::bad_data);            // lone, but of two bits
  EXPECT_EQ(judged({{'a', 2}, {256, 2}}, {}), tile_status::bad_data);  // half of the codes unused
  EXPECT_EQ(judged({{'a', 1}, {256, 2}}, {}), tile_status::bad_data);
  EXPECT_EQ(judged({{'a', 1}, {'b', 1}, {256, 1}}, {}), tile_status::bad_data);  // one too many
  EXPECT_EQ(judged({{'a', 1}, {256, 1}}, {{0, 2}}), tile_status::bad_data);
  EXPECT_EQ(judged({{'a', 1}, {256, 1}}, {{0, 15}}), tile_status::bad_data);
  EXPECT_EQ(judged({{'a', 1}, {256, 1}}, {{0, 1}, {1, 2}}), tile_status::bad_data);
  EXPECT_EQ(judged({{'a', 1}, {256, 1}}, {{0, 1}, {1, 1}, {2, 1}}), tile_status::bad_data);
  EXPECT_EQ(judged({{'a', 1}, {'b', 1}}, {}), tile_status::bad_data);  // no end of block
  EXPECT_EQ(judged({}, {}), tile_status::bad_data);                    // no literal code at all
}

TEST_F(inflate_streams, precodes) {
  lsb_bit_writer empty;  // HCLEN 4, all lengths 0: acts as symbol 0, so no symbol gets a code
  block_header(empty, true, 2).put(0, 5).put(0, 5).put(0, 4).put(0, 12).put(0, 400);
  EXPECT_EQ(status(empty, text("a")), tile_status::bad_data);
  lsb_bit_writer incomplete;  // 16 and 17 with two bits each
  block_header(incomplete, true, 2).put(0, 5).put(0, 5).put(0, 4).put(2, 3).put(2, 3).put(0, 6).put(0, 64);
  EXPECT_EQ(status(incomplete, text("a")), tile_status::bad_data);
  lsb_bit_writer oversubscribed;  // 16, 17, 18 with one bit each
  block_header(oversubscribed, true, 2).put(0, 5).put(0, 5).put(0, 4).put(1, 3).put(1, 3).put(1, 3).put(0, 64);
  EXPECT_EQ(status(oversubscribed, text("a")), tile_status::bad_data);
  lsb_bit_writer nothing_to_repeat;
  dynamic_header(nothing_to_repeat, true, 257, 1);
  precode_symbol(nothing_to_repeat, 16).put(0, 2).put(0, 64);
  EXPECT_EQ(status(nothing_to_repeat, text("a")), tile_status::bad_data);
}

TEST_F(inflate_streams, a_run_past_the_last_length_is_cut_off) {  // as in libdeflate 1.14; zlib refuses it
  for (const int run : {16, 17, 18}) {
    lsb_bit_writer bits;
    dynamic_header(bits, true, 257, 2);
    for (int symbol = 0; symbol < 257; ++symbol) precode_symbol(bits, symbol == 'a' || symbol == 256 ? 1 : 0);
    if (run == 16) precode_symbol(bits, 0);
    precode_symbol(bits, run).put(0, run == 16 ? 2 : run == 17 ? 3 : 7);
    bits.code(0, 1).code(1, 1);
    EXPECT_EQ(status(bits, text("a")), tile_status::ok) << run;
  }
}

TEST_F(inflate_streams, more_symbols_than_the_standard_has) {  // HLIT, HDIST: as in libdeflate; zlib refuses them
  for (const int literals : {286, 287, 288}) {
    for (const int distances : {30, 31, 32}) {
      lsb_bit_writer bits;  // codes: the last length symbol = 0, 'a' = 10, 256 = 11; the last distance symbol alone
      dynamic_codes(bits, false, {{'a', 2}, {256, 2}, {literals - 1, 1}}, {{0, 1}, {distances - 1, 1}}, literals,
                    distances);
      bits.code(2, 2).code(0, 1).code(0, 1).code(3, 2);  // 'a', 258 bytes at distance 1
      stored_block(bits, true, {});
      EXPECT_EQ(status(bits, byte_vector(259, 'a')), tile_status::ok) << literals << " " << distances;
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
