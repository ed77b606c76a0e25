// header_values_test.cpp: values for people: every form, and forms that follow no rule.
#include <gtest/gtest.h>

#include <cuphoton/xdr/header.hpp>

#include "support/fits_builder.hpp"

namespace cuphoton::xdr {
namespace {

std::vector<std::string> cards_of(const std::vector<std::string>& texts) {
  std::vector<std::string> cards;
  for (const std::string& text : texts) cards.push_back(test::card_of(text));
  return cards;
}
header_card value_of(const std::string& text) {
  return parse_header_card(test::card_of(text));
}

TEST(HeaderCard, Strings) {
  const header_card card = value_of("OBJECT  = 'O''Hara / b  '  / the / name");
  EXPECT_EQ(card.kind, card_kind::string);
  EXPECT_EQ(card.keyword, "OBJECT");
  EXPECT_EQ(card.text, "O'Hara / b");
  EXPECT_EQ(card.comment, "the / name");
  EXPECT_EQ(value_of("E       = ''").text, "");
  EXPECT_EQ(value_of("OPEN    = 'never closed / x").text, "never closed / x");
  EXPECT_EQ(value_of("OPEN    = 'never closed / x").comment, "");
}

TEST(HeaderCard, Numbers) {
  EXPECT_EQ(value_of("A = 5").kind, card_kind::commentary);  // no value indicator in bytes 9 and 10
  EXPECT_EQ(value_of("EXPTIME = 1.5D+03 / s").real, 1500.0);
  EXPECT_EQ(value_of("EXPTIME = 1.5D+03 / s").comment, "s");
  const header_card small = value_of("N       = -7/x");
  EXPECT_EQ(small.kind, card_kind::integer);
  EXPECT_TRUE(small.fits_int64);
  EXPECT_EQ(small.integer, -7);
  const header_card large = value_of("N       = 12345678901234567890");
  EXPECT_EQ(large.kind, card_kind::integer);
  EXPECT_FALSE(large.fits_int64);
  EXPECT_EQ(large.text, "12345678901234567890");
  EXPECT_EQ(value_of("N       = 1E400").kind, card_kind::text);
}

TEST(HeaderCard, Complex) {
  const header_card card = value_of("Z       = (1.5, -2D1) / z");
  EXPECT_EQ(card.kind, card_kind::complex);
  EXPECT_EQ(card.real, 1.5);
  EXPECT_EQ(card.imaginary, -20.0);
  EXPECT_EQ(card.comment, "z");
  EXPECT_EQ(value_of("Z       = (1.5)").kind, card_kind::text);
  EXPECT_EQ(value_of("Z       = (1, 2").kind, card_kind::text);
  EXPECT_EQ(value_of("Z       = (1, x)").kind, card_kind::text);
}

TEST(HeaderCard, LogicalUndefinedAndText) {
  EXPECT_TRUE(value_of("SIMPLE  =                    T").logical);
  EXPECT_EQ(value_of("SIMPLE  =                    F / no").kind, card_kind::logical);
  EXPECT_EQ(value_of("D       =     / nothing").kind, card_kind::undefined);
  EXPECT_EQ(value_of("D       =     / nothing").comment, "nothing");
  EXPECT_EQ(value_of("F       = 1 2 3 / ill").kind, card_kind::text);
  EXPECT_EQ(value_of("F       = 1 2 3 / ill").text, "1 2 3");
}

TEST(HeaderCard, Hierarch) {
  const header_card card = value_of("HIERARCH ESO DET Chip1 = 'x = y' / c");
  EXPECT_EQ(card.keyword, "ESO DET Chip1");
  EXPECT_EQ(card.text, "x = y");
  EXPECT_EQ(card.comment, "c");
  EXPECT_EQ(value_of("HIERARCH no value").kind, card_kind::commentary);
  EXPECT_EQ(value_of("HIERARCH = 1").kind, card_kind::commentary);
}

TEST(HeaderCard, Commentary) {
  EXPECT_EQ(value_of("COMMENT = 5").text, "= 5");
  EXPECT_EQ(value_of("HISTORY  two  words").text, " two  words");
  EXPECT_EQ(value_of("").keyword, "");
  EXPECT_EQ(parse_header_card("").kind, card_kind::commentary);
  for (const std::size_t length : {1u, 8u, 9u, 10u, 11u}) {  // shorter than a card: never beyond its end
    static_cast<void>(parse_header_card(std::string_view("ABC     = 5").substr(0, length)));
  }
  EXPECT_EQ(parse_header_card("ABC     = 5").integer, 5);
}

TEST(Header, LongStrings) {
  const auto values =
      parse_header(cards_of({"A       = 'abc&' / one", "CONTINUE  'd''ef &' / two", "CONTINUE  '&'", "CONTINUE  'g'",
                             "B       = 'alone&'", "C       = 1", "CONTINUE  'orphan'"}));
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[0].text, "abcd'ef g");
  EXPECT_EQ(values[0].comment, "one two");
  EXPECT_EQ(values[0].card_count, 4u);
  EXPECT_EQ(values[1].text, "alone&");  // no CONTINUE follows: the sign is the string's
  EXPECT_EQ(values[1].first_card, 4u);
  EXPECT_EQ(values[3].kind, card_kind::commentary);
  EXPECT_EQ(values[3].text, "  'orphan'");
}

TEST(ImageHeader, OfACompressedHdu) {
  const std::vector<std::string> table =
      cards_of({"XTENSION= 'BINTABLE'",  "BITPIX  = 8",   "NAXIS   = 2",
                "NAXIS1  = 8",           "NAXIS2  = 3",   "PCOUNT  = 99",
                "GCOUNT  = 1",           "TFIELDS = 1",   "TTYPE1  = 'COMPRESSED_DATA'",
                "TFORM1  = '1PB(9)'",    "ZIMAGE  = T",   "ZTENSION= 'IMAGE   ' / kind",
                "ZBITPIX = 16 / bits",   "ZNAXIS  = 2",   "ZNAXIS1 = 5 / x",
                "ZNAXIS2 = 3",           "ZTILE1  = 5",   "ZCMPTYPE= 'RICE_1'",
                "ZNAME1  = 'BLOCKSIZE'", "ZVAL1   = 32",  "EXTNAME = 'COMPRESSED_IMAGE'",
                "CHECKSUM= 'a'",         "ZHECKSUM= 'b'", "LONG    = 'a&'",
                "CONTINUE  'b'",         "ZOOM    = 4",   "TNAME   = 'M'",
                "COMMENT ZIMAGE",        "ZBLANK  = -1"});
  const std::vector<std::string> expected =
      cards_of({"XTENSION= 'IMAGE   ' / kind", "BITPIX  = 16 / bits", "NAXIS   = 2", "NAXIS1  = 5 / x", "NAXIS2  = 3",
                "PCOUNT  =                    0", "GCOUNT  =                    1", "CHECKSUM= 'b'", "LONG    = 'a&'",
                "CONTINUE  'b'", "ZOOM    = 4", "TNAME   = 'M'", "COMMENT ZIMAGE", "BLANK   = -1"});
  EXPECT_EQ(image_header(table), expected);
}

TEST(ImageHeader, OfAPrimaryImageHasNoGroupCounts) {
  const auto image = image_header(cards_of({"ZIMAGE  = T", "ZSIMPLE = T / conforms", "ZBITPIX = -32", "ZNAXIS  = 0",
                                            "ZEXTEND = T", "ZBLANK  = 5", "EXTNAME = 'SCI'"}));
  EXPECT_EQ(image,
            cards_of({"SIMPLE  = T / conforms", "BITPIX  = -32", "NAXIS   = 0", "EXTEND  = T", "EXTNAME = 'SCI'"}));
}

TEST(ImageHeader, WithoutAWordAboutItsKindItIsAnExtension) {
  EXPECT_EQ(image_header(cards_of({"ZIMAGE  = T"})).front().substr(0, 20), "XTENSION= 'IMAGE   '");
  EXPECT_EQ(image_header(cards_of({"ZIMAGE  = T", "ZTENSION= 'TABLE   '"})).front().substr(0, 20),
            "XTENSION= 'IMAGE   '");
}

TEST(ImageHeader, OtherHdusStayAsTheyAre) {
  const auto plain = cards_of({"XTENSION= 'BINTABLE'", "TFIELDS = 1", "ZIMAGE  = F", "ZTILE1  = 4"});
  EXPECT_EQ(image_header(plain), plain);
  EXPECT_TRUE(image_header({}).empty());
}

TEST(ImageHeader, AnyNumberOfAxesIsBounded) {
  EXPECT_LT(image_header(cards_of({"ZIMAGE  = T", "ZNAXIS  = 99999999999"})).size(), 1100u);
  EXPECT_EQ(image_header(cards_of({"ZIMAGE  = T", "ZNAXIS  = -5"})).size(), 5u);
}

}  // namespace
}  // namespace cuphoton::xdr
