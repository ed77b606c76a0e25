// hostile_cards_test.cpp: cards whose values are too long, of another kind, or no text at all. Whatever a card says,
// the walk ends, messages quote it whole and printable, and what it does not decide is not touched by it.
#include <algorithm>

#include "support/regression_read.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int16_t> four{10, 20, 30, 40};

/// Values that fill a card to its last byte, and some that are none.
std::vector<std::string> long_values() {
  return {std::string(70, '1'),
          "-" + std::string(69, '9'),
          "1." + std::string(68, '0'),
          "1E" + std::string(68, '9'),
          "'" + std::string(68, 'x') + "'",
          "'" + std::string(69, 'x'),
          "'" + std::string(69, '\''),
          "(" + std::string(33, '1') + " " + std::string(33, '2') + ")",
          "(1.0 2.0)",
          "(1.0,2.0",
          std::string(70, '('),
          std::string(70, ' '),
          std::string(70, '\0'),
          std::string(70, '\xff'),
          "%s%n%s%n" + std::string(40, '%')};
}

std::string card_with(const std::string& keyword, const std::string& value) {
  std::string text = keyword;
  text.resize(8, ' ');
  return card_of(text + "= " + value);
}

byte_vector plain(const std::vector<std::string>& extra) {
  return hdu_bytes(primary_cards(16, {4}, extra), big_endian(four));
}

bool is_printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// Lists and loads: every error is the library's and can be printed.
void expect_no_harm(const byte_vector& file, const std::string& what) {
  try {
    for (const hdu_info& hdu : inspect(*source_of(file)).hdus) {
      if (hdu.problem) {
        EXPECT_TRUE(is_printable(hdu.problem->what())) << what;
      }
    }
  } catch (const error& problem) {
    EXPECT_TRUE(is_printable(problem.what())) << what;
    EXPECT_LT(std::string(problem.what()).size(), 600U) << what;
  }
  for (int index = 0; index < 3; ++index) {
    const read_outcome outcome = outcome_of(file, hdu_selector::number(index), {});
    const auto* problem = std::get_if<error>(&outcome);
    if (problem == nullptr) continue;
    EXPECT_TRUE(is_printable(problem->what())) << what;
    EXPECT_EQ(problem->place().file, "made.fits") << what;
  }
}

TEST(hostile_cards, values_of_70_bytes_for_every_keyword_that_counts) {
  const byte_vector last = hdu_bytes(image_cards(16, {4}), big_endian(four));
  for (const std::string& value : long_values()) {
    for (const char* keyword : {"SIMPLE", "BITPIX", "NAXIS", "NAXIS1", "EXTEND", "GROUPS", "PCOUNT", "GCOUNT", "BSCALE",
                                "BZERO", "BLANK", "EXTNAME", "EXTVER", "END"}) {
      std::vector<std::string> cards = primary_cards(16, {4});
      const auto same = [&](const std::string& one) { return one.substr(0, 8) == card_with(keyword, "").substr(0, 8); };
      const auto at = std::find_if(cards.begin(), cards.end(), same);
      at == cards.end() ? cards.push_back(card_with(keyword, value)) : void(*at = card_with(keyword, value));
      expect_no_harm(hdu_bytes(cards, big_endian(four)), keyword + (" " + value));
    }
    for (const char* keyword :
         {"XTENSION", "TFIELDS", "TFORM1", "TTYPE1", "THEAP", "ZIMAGE", "ZCMPTYPE", "ZBITPIX", "ZNAXIS", "ZNAXIS1",
          "ZTILE1", "ZNAME1", "ZVAL1", "ZQUANTIZ", "ZDITHER0", "ZBLANK", "ZSCALE"}) {
      compressed_image image = gzip_image({2, {2, 2}}, {2, {2, 2}});
      std::vector<std::string> cards = compressed_cards(image);
      const auto same = [&](const std::string& one) { return one.substr(0, 8) == card_with(keyword, "").substr(0, 8); };
      const auto at = std::find_if(cards.begin(), cards.end(), same);
      at == cards.end() ? cards.push_back(card_with(keyword, value)) : void(*at = card_with(keyword, value));
      byte_vector file = empty_primary();
      append(file, hdu_bytes(cards, byte_vector(2880)));
      append(file, last);
      expect_no_harm(file, keyword + (" " + value));
      if (std::string(keyword) != "ZIMAGE") expect_pixels(load_both(file, 2), four);  // they do not say how long it is
    }
    for (const char* keyword : {"TBCOL1", "TFORM1", "TNULL1", "TDISP1", "TTYPE1"}) {  // a table of text
      byte_vector file = empty_primary();
      append(file, hdu_bytes({card("XTENSION", "TABLE"), card("BITPIX", 8), card("NAXIS", 2), card("NAXIS1", 10),
                              card("NAXIS2", 2), card("PCOUNT", 0), card("GCOUNT", 1), card("TFIELDS", 1),
                              card_with(keyword, value)},
                             byte_vector(20, ' ')));
      append(file, last);
      expect_no_harm(file, keyword + (" " + value));
      expect_pixels(load_both(file, 2), four);
    }
  }
}

TEST(hostile_cards, a_message_quotes_the_longest_value_whole) {
  const std::string ones(70, '1');
  std::vector<std::string> cards = primary_cards(16, {4});
  cards[3] = card_with("NAXIS1", ones);
  expect_error(error_of(hdu_bytes(cards, big_endian(four))), errc::header_invalid, {"made.fits", 0},
               {"NAXIS1: expected an integer of at most 64 bits, found " + ones});
  cards[3] = card_with("NAXIS1", "-9223372036854775808");
  expect_error(error_of(hdu_bytes(cards, big_endian(four))), errc::header_invalid, {"made.fits", 0},
               {"found -9223372036854775808"});
  cards = primary_cards(16, {4}, {card_with("BSCALE", "'" + std::string(68, 'x') + "'")});
  expect_error(error_of(hdu_bytes(cards, big_endian(four))), errc::header_invalid, {"made.fits", 0},
               {"BSCALE: expected a number, found '" + std::string(68, 'x') + "'"});
}

TEST(hostile_cards, a_complex_number_without_its_comma_is_text) {
  for (const char* value : {"(1.0 2.0)", "(1.0", "()", "(,)", "(1.0,2.0", "1.0,2.0)"}) {
    expect_pixels(load_both(plain({card_with("COMPLEX", value)}), 0), four);
    const error found = error_of(plain({card_with("BSCALE", value)}), 0);
    expect_error(found, errc::header_invalid, {"made.fits", 0}, {"BSCALE: expected a number, found", value});
  }
}

TEST(hostile_cards, a_hundred_damaged_headers_are_a_hundred_errors) {
  byte_vector file = empty_primary();
  compressed_image damaged = gzip_image({2, {2, 2}}, {2, {2, 2}});
  damaged.codec = std::string(60, 'C');
  damaged.extra = {card("ZNAME1", "BLOCKSIZE"), card_with("ZTILE1", std::string(70, '7'))};
  damaged.tiles = {};
  for (int i = 0; i < 100; ++i) append(file, compressed_hdu(damaged));
  append(file, hdu_bytes(image_cards(16, {4}), big_endian(four)));
  const file_info listing = inspect(*source_of(file));
  ASSERT_EQ(listing.hdus.size(), 102U);
  for (int index = 1; index <= 100; ++index) {
    const hdu_info& hdu = listing.hdus[static_cast<std::size_t>(index)];
    ASSERT_TRUE(hdu.problem.has_value()) << index;
    EXPECT_EQ(hdu.problem->place().hdu, index);
    EXPECT_NE(std::string(hdu.problem->what()).find(std::string(70, '7')), std::string::npos);
  }
  expect_pixels(load_both(file, 101), four);
}

TEST(hostile_cards, an_extension_without_a_word_is_of_no_kind) {
  for (const char* value : {"", "        ", "T", "42", "1.5E3", "'", "''", "'        '", "/ 'IMAGE'", "('IMAGE')"}) {
    byte_vector file = empty_primary();
    std::vector<std::string> cards = image_cards(16, {4});
    cards[0] = card_with("XTENSION", value);
    append(file, hdu_bytes(cards, big_endian(four)));
    append(file, hdu_bytes(image_cards(16, {4}), big_endian(four)));
    const file_info listing = inspect(*source_of(file));
    ASSERT_EQ(listing.hdus.size(), 3U) << value;
    EXPECT_EQ(name(listing.hdus[1].kind), name(hdu_kind::other)) << value;
    expect_error(error_of(file, 1), errc::unsupported, {"made.fits", 1}, {"holds no image"});
    expect_pixels(load_both(file, 2), four);
  }
  std::vector<std::string> cards = image_cards(16, {4});
  cards[0] = card_with("XTENSION", "IMAGE");  // a word all the same
  byte_vector file = empty_primary();
  append(file, hdu_bytes(cards, big_endian(four)));
  expect_pixels(load_both(file, 1), four);
  EXPECT_TRUE(has_note(load_both(file, 1), "XTENSION: expected a string, found IMAGE"));
  cards[0] = card_of("XTENSION 'IMAGE   '");  // no value indicator
  file = empty_primary();
  append(file, hdu_bytes(cards, big_endian(four)));
  expect_no_harm(file, "no value indicator");
}

TEST(hostile_cards, no_byte_at_no_place_of_a_card_changes_pixels_it_does_not_decide) {
  for (int byte = 0; byte < 256; ++byte) {
    std::vector<std::string> extra;
    for (std::size_t at = 0; at < 80; ++at) {
      std::string text = card_with("OBSERVER", "'Somebody'          / who looked");
      text[at] = static_cast<char>(byte);
      extra.push_back(text);
    }
    const byte_vector file = plain(extra);
    expect_pixels(load_both(file, 0), four);
    const file_info listing = inspect(*source_of(file));
    ASSERT_EQ(listing.hdus.size(), 1U);
    const std::vector<std::string>& kept = listing.hdus[0].cards;
    EXPECT_TRUE(std::search(kept.begin(), kept.end(), extra.begin(), extra.end()) != kept.end()) << byte;
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
