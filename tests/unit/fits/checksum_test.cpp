// The sum on vectors made by hand and against a plain loop; which words, which fill and which keyword values count.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "fits/checksum.hpp"
#include "support/fits_sums.hpp"
#include "support/guarded_buffer.hpp"

#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::byte_vector;
using test::card;

std::uint32_t sum_of(const byte_vector& bytes) {
  return sum_bytes(bytes.data(), bytes.size());
}

TEST(sum, of_words_made_by_hand) {
  EXPECT_EQ(sum_of({}), 0U);
  EXPECT_EQ(sum_of({0, 0, 0, 0, 0, 0, 0, 0}), 0U);
  EXPECT_EQ(sum_of({1, 2, 3, 4}), 0x01020304U);
  EXPECT_EQ(sum_of({0xFF, 0xFF, 0xFF, 0xFF}), 0xFFFFFFFFU);     // not 0: only zeros are
  EXPECT_EQ(sum_of({0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1}), 1U);  // a carry comes back as 1
  EXPECT_EQ(sum_of({0x80, 0, 0, 0, 0x80, 0, 0, 0}), 1U);        //
  EXPECT_EQ(sum_of({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), 0xFFFFFFFFU);
  EXPECT_EQ(sum_of({0x12, 0x34, 0x56, 0x78, 0xED, 0xCB, 0xA9, 0x87}), 0xFFFFFFFFU);  // a word and its complement
  EXPECT_EQ(sum_of({1, 2, 3, 4, 5}), 0x06020304U);                                   // zeros follow
  EXPECT_EQ(sum_of({1, 2, 3, 4, 5, 6, 7}), 0x06080A04U);
}

TEST(sum, is_a_plain_loop_s_for_any_length_and_alignment) {
  std::mt19937 random(3);
  test::guarded_buffer guard(6000);
  for (const bool largest : {true, false}) {  // 0xFF fills the columns of bytes to their last bit
    for (std::size_t length = 0; length < 4200; length += length < 40 ? 1 : 61) {
      byte_vector bytes(length);
      for (std::uint8_t& byte : bytes) byte = largest ? 0xFF : static_cast<std::uint8_t>(random());
      byte_vector words = bytes;
      words.resize((length + 3) / 4 * 4);
      for (const auto where : {test::placement::at_start, test::placement::at_end}) {
        const auto held = guard.hold(bytes, where);
        ASSERT_EQ(sum_bytes(held.data(), held.size()), test::plain_sum(words)) << length;
      }
    }
  }
}

/// One large HDU and another behind it, whose bytes must not count.
byte_vector large_file(std::size_t data_bytes) {
  std::mt19937 random(11);
  byte_vector data(data_bytes);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
  byte_vector file = test::summed_hdu(test::primary_cards(8, {static_cast<std::int64_t>(data_bytes)}), data);
  test::append(file, test::summed_hdu(test::image_cards(16, {1}), {9, 9}));
  return file;
}

TEST(sum, of_pieces_by_threads_from_file_and_memory) {
  const byte_vector file = large_file((std::size_t{7} << 20) + 1234);
  const std::string path = testing::TempDir() + "xdr_checksum_test.fits";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  const auto on_disk = open_source(path);
  const auto in_memory = memory_source(file);
  for (const auto& source : {on_disk, in_memory}) {
    const file_structure found = scan(*source, {});
    ASSERT_EQ(found.hdus.size(), 2U);
    for (const unsigned threads : {0U, 1U, 2U, 3U, 5000U}) {
      for (const hdu& unit : found.hdus) {
        const checksum_report report = verify_checksums(*source, unit, threads);
        EXPECT_EQ(report.data.state, checksum_state::good);
        EXPECT_EQ(report.whole.state, checksum_state::good);
        EXPECT_EQ(report.whole.actual, 0xFFFFFFFFU);
        EXPECT_EQ(report.bytes_read, unit.index == 0 ? file.size() - 5760 : 5760);
      }
    }
  }
  std::remove(path.c_str());
}

checksum_report verify_bytes(const byte_vector& file, std::size_t index = 0) {
  const file_structure found = scan_bytes(file);
  return verify_checksums(*memory_source(file, "test.fits"), found.hdus.at(index), 1);
}

TEST(keyword_of_sum, values_that_are_good_bad_and_absent) {
  struct row {
    std::string datasum;  // the card; the data sum to 0x00030000
    checksum_state state;
  };
  const checksum_state good = checksum_state::good;
  const checksum_state bad = checksum_state::bad;
  const checksum_state absent = checksum_state::absent;
  const std::vector<row> rows{
      {card("DATASUM", "196608"), good},
      {card("DATASUM", "    196608"), good},
      {card("DATASUM", "0196608"), good},
      {test::raw_card("DATASUM", "196608"), good},  // without quotes
      {card("DATASUM", "196609"), bad},
      {card("DATASUM", "0"), bad},
      {card("DATASUM", "-196608"), bad},
      {card("DATASUM", "196608x"), bad},
      {card("DATASUM", "x"), bad},
      {card("DATASUM", "4295163904"), bad},  // right in its lower 32 bits
      {card("DATASUM", "99999999999999999999999999"), bad},
      {test::raw_card("DATASUM", "T"), bad},
      {card("DATASUM", ""), absent},
      {card("DATASUM", "   "), absent},
      {test::raw_card("DATASUM", "/ nothing"), absent},
      {test::card_of("DATASUM 196608"), absent},  // no value indicator
      {card("DATASUX", "7"), absent},
  };
  for (const row& one : rows) {
    const auto cards = test::primary_cards(16, {2}, {one.datasum, card("CHECKSUM", "nothing")});
    const checksum_report report = verify_bytes(test::hdu_bytes(cards, {0, 1, 0, 0, 0, 2}));
    EXPECT_EQ(report.data.state, one.state) << one.datasum;
    EXPECT_EQ(report.whole.state, bad);
    EXPECT_EQ(report.data.expected == 196608U, report.data.state == good);
  }
}

TEST(keyword_of_sum, an_hdu_without_any_is_not_read) {
  const byte_vector file = test::hdu_bytes(test::primary_cards(16, {2}, {card("CHECKSUM", "")}), {1, 2, 3, 4});
  const checksum_report report = verify_bytes(file);
  EXPECT_EQ(report, checksum_report{});
  EXPECT_EQ(report.bytes_read, 0U);
}

TEST(keyword_of_sum, data_alone_leave_the_header_out) {
  byte_vector file = test::hdu_bytes(test::primary_cards(16, {2}, {card("DATASUM", "16909060")}), {1, 2, 3, 4});
  file[79] = 'x';
  const checksum_report report = verify_bytes(file);
  EXPECT_EQ(report.data.state, checksum_state::good);
  EXPECT_EQ(report.whole.state, checksum_state::absent);
}

TEST(keyword_of_sum, a_whole_of_zero_is_as_good_as_all_ones) {
  // Only an HDU of zeros sums to 0, and no header is one: nothing but the report of a made-up extent shows the rule.
  const byte_vector file = test::summed_hdu(test::primary_cards(16, {2}), {1, 2, 3, 4});
  const file_structure found = scan_bytes(file);
  byte_vector zeros(file.size());
  hdu unit = found.hdus[0];
  EXPECT_EQ(verify_checksums(*memory_source(zeros), unit, 1).whole.state, checksum_state::good);
  zeros[3] = 1;
  EXPECT_EQ(verify_checksums(*memory_source(zeros), unit, 1).whole.state, checksum_state::bad);
}

TEST(padding_of_sum, that_is_missing_counts_as_the_standard_s_fill) {
  const byte_vector image = test::summed_hdu(test::primary_cards(8, {5}), {1, 2, 3, 4, 5});
  const std::vector<std::string> table_cards{
      card("XTENSION", "TABLE"), card("BITPIX", 8), card("NAXIS", 2),   card("NAXIS1", 3), card("NAXIS2", 2),
      card("PCOUNT", 0),         card("GCOUNT", 1), card("TFIELDS", 1), card("TBCOL1", 1), card("TFORM1", "I3")};
  byte_vector text(2880, ' ');
  std::copy_n("  1 23", 6, text.begin());
  byte_vector table = test::empty_primary();
  test::append(table, test::summed_hdu(table_cards, text));
  byte_vector header = test::empty_primary();
  test::append(header, test::summed_hdu(test::image_cards(8, {}), {}));
  struct row {
    const char* what;
    byte_vector file;
    std::size_t index;
    std::size_t needed_bytes;  // of the file
  };
  const std::size_t end_of_header = 2880 + 9 * 80 - 80;  // XTENSION BITPIX NAXIS PCOUNT GCOUNT DATASUM CHECKSUM END
  for (const row& one :
       {row{"image", image, 0, 2885}, row{"table", table, 1, 5766}, row{"header", header, 1, end_of_header}}) {
    for (std::size_t length = one.needed_bytes; length <= one.file.size(); ++length) {
      const byte_vector cut(one.file.begin(), one.file.begin() + static_cast<std::ptrdiff_t>(length));
      const checksum_report report = verify_bytes(cut, one.index);
      ASSERT_EQ(report.data.state, checksum_state::good) << one.what << " of " << length << " bytes";
      ASSERT_EQ(report.whole.state, checksum_state::good) << one.what << " of " << length << " bytes";
    }
  }
}

TEST(extent_of_sum, that_is_not_the_file_s_is_refused) {
  const byte_vector file = test::summed_hdu(test::primary_cards(8, {5}), {1, 2, 3, 4, 5});
  const hdu right = scan_bytes(file).hdus[0];
  const auto verify = [&](auto&& change) {
    hdu unit = right;
    change(unit);
    return error_of([&] { verify_checksums(*memory_source(file, "test.fits"), unit, 2); });
  };
  EXPECT_FALSE(verify([](hdu&) {}));
  EXPECT_PROBLEM(verify([](hdu& unit) { unit.data_bytes = 2881; }), errc::file_truncated, "get it again");
  EXPECT_PROBLEM(verify([](hdu& unit) { unit.data_bytes = ~std::uint64_t{0}; }), errc::file_truncated, "get it again");
  const char* const offsets = "offsets";
  EXPECT_PROBLEM(verify([](hdu& unit) { unit.header_offset_bytes = 2880; }), errc::invalid_argument, offsets);
  EXPECT_PROBLEM(verify([](hdu& unit) { unit.header_offset_bytes = 1; }), errc::invalid_argument, offsets);
  EXPECT_PROBLEM(verify([](hdu& unit) { unit.data_offset_bytes = 8640 + 2880; }), errc::invalid_argument, offsets);
  EXPECT_PROBLEM(verify([](hdu& unit) {
                   unit.header_offset_bytes = 5760;
                   unit.data_offset_bytes = 8640;
                 }),
                 errc::invalid_argument, offsets);
}

}  // namespace
}  // namespace cuphoton::xdr::fits
