// Cards that are not as the standard has them: no value, an illegal keyword, more digits than an integer holds, a value
// that is none. Where they decide nothing they are kept as written and the image is read; where they decide, the error
// names the keyword.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;
using test::card_of;

const std::vector<std::int16_t> values = {1, -2, 3, 400};

/// The same cards in a plain and in a compressed image.
std::vector<byte_vector> files_with(const std::vector<std::string>& extra) {
  byte_vector plain = test::empty_primary();
  test::append(plain, test::hdu_bytes(test::image_cards(16, {2, 2}, extra), test::big_endian(values)));
  test::compressed_image image;
  image.codec = "NOCOMPRESS";
  image.axes = {2, 2};
  image.tiles = {2, 2};
  image.columns = {{"COMPRESSED_DATA", "1PB", {test::big_endian(values)}}};
  image.extra = extra;
  return {plain, test::compressed_file(image)};
}

void expect_kept_and_read(const std::vector<std::string>& extra) {
  for (const byte_vector& file : files_with(extra)) {
    test::expect_pixels(test::load_both(file, 1), values);
    const file_info listed = inspect(*test::source_of(file));
    EXPECT_FALSE(listed.problem);
    const std::vector<std::string>& cards = listed.hdus.at(1).cards;
    for (const std::string& wanted : extra) {
      EXPECT_NE(std::find(cards.begin(), cards.end(), wanted), cards.end()) << wanted;
    }
  }
}

TEST(odd_cards, a_keyword_without_value) {
  expect_kept_and_read({card_of("OBSERVER=                    / none"), card_of("KEY     ="), card_of("KEY2    = "),
                        card_of("EXTNAME = "), card_of("BSCALE  =                      / unknown"),
                        card_of("BZERO   ="), card_of("ZBLANK  = "), card_of("NOEQUALS")});
}

TEST(odd_cards, an_illegal_keyword) {
  expect_kept_and_read({card_of("EXPID** =                    1"), card_of("lower   =                    2"),
                        card_of("KEY-_9  =                    3"), card_of("bitpix  =                   64"),
                        card_of("naxis1  =                  999"), card_of("\xe9t\xe9     =                    4"),
                        card_of("A B     =                    5"), card_of("=       =        6"),
                        card_of(std::string("NUL\0KEY =        7", 19))});
}

TEST(odd_cards, integers_of_twenty_digits) {
  expect_kept_and_read({card_of("QID     = 55700500000000067457"),
                        card_of("QID2    = -55700500000000067457 / negative"),
                        card_of("QID3    = 1" + std::string(68, '0'))});
}

TEST(odd_cards, values_that_are_none) {
  expect_kept_and_read({card_of("SKEW    = 1.95E+00,"), card_of(""), card_of("MIDAS   = 1.0.0"),
                        card_of("ESO     = T,F,T"), card_of("OPEN    = 'no closing quote"),
                        card_of("HIERARCH ESO DET OUT1 = 12,5 / comma"), card_of("DATE    = 2001-02-03T04:05"),
                        card_of("CONTINUE  'of nothing'"), card_of(""), card_of(""), card_of("")});
}

TEST(odd_cards, that_decide_are_named) {
  struct wrong {
    const char* keyword;
    std::string text;
  };
  for (const wrong& one : {wrong{"BSCALE", "BSCALE  = 1.95E+00,"}, wrong{"BZERO", "BZERO   = 'much'"}}) {
    for (const byte_vector& file : files_with({card_of(one.text)})) {
      test::expect_error(test::error_of(file, 1), errc::header_invalid, {"made.fits", 1}, {one.keyword});
    }
  }
  for (const wrong& one : {wrong{"NAXIS1", "NAXIS1  = 55700500000000067457"}, wrong{"NAXIS1", "NAXIS1  ="},
                           wrong{"BITPIX", "BITPIX  = 16,"}, wrong{"NAXIS2", "NAXIS2  = -2"}}) {
    std::vector<std::string> cards = test::primary_cards(16, {2, 2});
    for (std::string& each : cards) {
      if (each.starts_with(one.keyword)) each = card_of(one.text);
    }
    test::expect_error(test::error_of(test::hdu_bytes(cards, test::big_endian(values)), 0), errc::header_invalid,
                       {"made.fits", 0}, {one.keyword});
  }
}

TEST(odd_cards, a_blank_that_is_no_integer_is_told_and_ignored) {
  for (const char* text : {"BLANK   = 55700500000000067457", "BLANK   = 'none'", "BLANK   =", "BLANK   = 1.5"}) {
    for (const byte_vector& file : files_with({card_of(text)})) {
      const image pixels = test::load_both(file, 1);
      test::expect_pixels(pixels, values);
      EXPECT_TRUE(test::has_note(pixels, "BLANK is ignored")) << text;
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
