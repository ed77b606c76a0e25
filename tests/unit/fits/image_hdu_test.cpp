// image_hdu_test.cpp: structure and plain images, row by row of fits-semantics 1 and 6.
#include "fits/image_hdu.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "fits/header.hpp"
#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::byte_vector;
using test::card;
using test::raw_card;
using strings = std::vector<std::string>;

// Enough zeros for every small image of this file.
byte_vector primary(int bitpix, const std::vector<std::int64_t>& axes, const strings& extra = {}) {
  return test::hdu_bytes(test::primary_cards(bitpix, axes, extra), byte_vector(block_bytes * 3));
}
hdu first(const byte_vector& bytes) {
  return scan_bytes(bytes, {}, 0).hdus.at(0);
}
hdu extension(const strings& cards) {
  byte_vector bytes = test::empty_primary();
  test::append(bytes, test::hdu_bytes(cards, byte_vector(block_bytes * 3)));
  return scan_bytes(bytes, {}, 1).hdus.at(1);
}
strings replaced(strings cards, std::size_t index, const std::string& text) {
  cards.at(index) = text;
  return cards;
}

TEST(Structure, BitpixGivesType) {
  const std::vector<std::pair<int, pixel_type>> types{{8, pixel_type::u8},    {16, pixel_type::i16},
                                                      {32, pixel_type::i32},  {64, pixel_type::i64},
                                                      {-32, pixel_type::f32}, {-64, pixel_type::f64}};
  for (const auto& [bitpix, type] : types) {
    const hdu found = first(primary(bitpix, {5, 4, 3}));
    ASSERT_TRUE(found.image);
    EXPECT_EQ(found.kind, hdu_kind::image);
    EXPECT_EQ(found.image->stored_type, type);
    EXPECT_EQ(to_string(found.image->extents), "3x4x5");
    EXPECT_EQ(found.data_bytes, 60u * static_cast<unsigned>(std::abs(bitpix)) / 8);
    EXPECT_FALSE(found.image->compressed);
    EXPECT_TRUE(found.notes.empty());
  }
  for (const int bitpix : {0, 1, 12, 24, -8, -16, 128}) {
    EXPECT_PROBLEM(scan_error(primary(bitpix, {4})), errc::header_invalid, "BITPIX: expected");
  }
}

TEST(Structure, MandatoryKeywordsMustBeReadable) {
  const strings good = test::primary_cards(16, {4, 3});
  for (const auto& [index, keyword] :
       std::vector<std::pair<std::size_t, std::string>>{{1, "BITPIX"}, {2, "NAXIS"}, {3, "NAXIS1"}, {4, "NAXIS2"}}) {
    for (const char* value : {"'4'", "4.5", "", "four", "T", "99999999999999999999", "-1"}) {
      const byte_vector bytes = test::header_bytes(replaced(good, index, raw_card(keyword, value)));
      EXPECT_PROBLEM(scan_error(bytes), errc::header_invalid, keyword + ": expected");
    }
    const byte_vector missing = test::header_bytes(replaced(good, index, test::card_of("COMMENT")));
    EXPECT_PROBLEM(scan_error(missing), errc::header_invalid, keyword + ": expected an integer, found no card");
  }
  EXPECT_PROBLEM(scan_error(test::header_bytes(replaced(good, 2, card("NAXIS", 1000)))), errc::header_invalid,
                 "NAXIS: expected 0 to 999");
}

TEST(Structure, WholeNumbersWithAPointAreReadAndNoted) {
  const strings good = test::primary_cards(16, {4, 3});
  const hdu found = first(test::hdu_bytes(replaced(good, 3, raw_card("NAXIS1", "4.")), byte_vector(24)));
  ASSERT_TRUE(found.image);
  EXPECT_EQ(to_string(found.image->extents), "3x4");
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0], "NAXIS1 should be an integer, but is written 4.");
}

TEST(Structure, ConflictingDuplicatesAreNamed) {
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {card("NAXIS1", 5)})), errc::header_invalid,
                 "NAXIS1 appears more than once");
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {card("BITPIX", 8)})), errc::header_invalid,
                 "BITPIX appears more than once");
  EXPECT_TRUE(first(primary(16, {4}, {card("BITPIX", 16), card("NAXIS1", 4)})).image);
}

TEST(Structure, ProductsAreChecked) {
  EXPECT_PROBLEM(scan_error(primary(8, {4294967296, 2147483648})), errc::header_invalid, "2^63 bytes or more");
  EXPECT_PROBLEM(scan_error(primary(8, {4294967296, 4294967296})), errc::header_invalid, "2^63 bytes or more");
  EXPECT_PROBLEM(scan_error(primary(-64, {1152921504606846976})), errc::header_invalid, "2^63 bytes or more");
  EXPECT_PROBLEM(scan_error(primary(8, {4}, {card("PCOUNT", std::numeric_limits<std::int64_t>::max())})),
                 errc::header_invalid, "2^63 bytes or more");
  EXPECT_PROBLEM(scan_error(primary(8, {4}, {card("GCOUNT", std::numeric_limits<std::int64_t>::max())})),
                 errc::header_invalid, "2^63 bytes or more");
  const hdu huge = first(primary(8, {std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(huge.data_bytes, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  EXPECT_PROBLEM(huge.problem, errc::file_truncated, "expected 9223372036854775807 bytes");
}

TEST(Structure, ZeroAxesAreEmptyImages) {
  for (const auto& axes : std::vector<std::vector<std::int64_t>>{
           {0}, {0, 0}, {5, 0}, {777777701, 0}, {4294967296, 4294967296, 4294967296, 0}}) {
    const hdu found = first(primary(-32, axes));
    EXPECT_EQ(found.kind, hdu_kind::image);
    ASSERT_TRUE(found.image);
    EXPECT_EQ(found.data_bytes, 0u);
    EXPECT_EQ(found.image->extents.rank, static_cast<int>(axes.size()));
    EXPECT_EQ(found.image->extents[0], axes.back());
    EXPECT_TRUE(found.image->reasons.empty());
  }
}

TEST(Structure, NoAxesAreAnEmptyHdu) {
  const hdu found = first(test::empty_primary());
  EXPECT_EQ(found.kind, hdu_kind::empty);
  EXPECT_FALSE(found.image);
  EXPECT_FALSE(found.problem);
  EXPECT_EQ(extension(test::image_cards(8, {})).kind, hdu_kind::empty);
}

TEST(Structure, TooManyAxesAreUnsupported) {
  EXPECT_EQ(first(primary(8, std::vector<std::int64_t>(16, 1))).image->extents.rank, 16);
  const hdu found = first(primary(8, std::vector<std::int64_t>(17, 1)));
  ASSERT_TRUE(found.image);
  EXPECT_TRUE(has_reason(*found.image, reason_code::rank_unsupported));
  EXPECT_EQ(found.data_bytes, 1u);
  EXPECT_TRUE(has_reason(*first(primary(8, std::vector<std::int64_t>(999, 1))).image, reason_code::rank_unsupported));
}

TEST(Structure, ExtensionKinds) {
  for (const char* type : {"IMAGE", "IUEIMAGE"}) {
    const hdu found = extension(replaced(test::image_cards(8, {4}), 0, card("XTENSION", type)));
    EXPECT_EQ(found.kind, hdu_kind::image) << type;
  }
  for (const char* type : {"BINTABLE", "A3DTABLE", "3DTABLE"}) {
    const hdu found = extension(replaced(test::image_cards(8, {4, 2}), 0, card("XTENSION", type)));
    EXPECT_EQ(found.kind, hdu_kind::binary_table) << type;
    EXPECT_FALSE(found.image);
  }
  EXPECT_EQ(extension(replaced(test::image_cards(8, {4}), 0, card("XTENSION", "TABLE"))).kind, hdu_kind::ascii_table);
  EXPECT_EQ(extension(replaced(test::image_cards(8, {4}), 0, card("XTENSION", "DUMP"))).kind, hdu_kind::other);
  const hdu unquoted = extension(replaced(test::image_cards(8, {4}), 0, raw_card("XTENSION", "IMAGE")));
  EXPECT_TRUE(has_note(unquoted.notes, "XTENSION"));
}

TEST(Structure, SimpleFalseAndOddOrderAreStillRead) {
  strings cards = test::primary_cards(16, {4, 3});
  cards[0] = card("SIMPLE", false);
  std::swap(cards[1], cards[2]);
  const hdu found = first(test::hdu_bytes(cards, byte_vector(24)));
  ASSERT_TRUE(found.image);
  EXPECT_TRUE(has_note(found.notes, "SIMPLE = F"));
  EXPECT_TRUE(has_note(found.notes, "order"));
}

TEST(Structure, ParametersOfImagesAreUnsupported) {
  EXPECT_TRUE(first(primary(16, {4}, {card("PCOUNT", 0), card("GCOUNT", 1)})).image->reasons.empty());
  const hdu with_parameters = first(primary(16, {4}, {card("PCOUNT", 2)}));
  EXPECT_TRUE(has_reason(*with_parameters.image, reason_code::array_parameters));
  EXPECT_EQ(with_parameters.data_bytes, 12u);
  strings cards = test::image_cards(16, {4});
  const hdu groups = extension(replaced(cards, 5, card("GCOUNT", 3)));
  EXPECT_TRUE(has_reason(*groups.image, reason_code::array_parameters));
  EXPECT_EQ(groups.data_bytes, 24u);
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {card("PCOUNT", -1)})), errc::header_invalid, "PCOUNT: expected");
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {card("GCOUNT", -1)})), errc::header_invalid, "GCOUNT: expected");
  const hdu missing = extension(replaced(cards, 4, test::card_of("COMMENT")));
  EXPECT_TRUE(has_note(missing.notes, "PCOUNT is missing"));
  EXPECT_TRUE(missing.image->reasons.empty());
}

TEST(Structure, RandomGroupsAreUnsupported) {
  const strings extra{card("GROUPS", true), card("PCOUNT", 6), card("GCOUNT", 3)};
  const hdu found = first(primary(-32, {0, 3, 2}, extra));
  EXPECT_EQ(found.kind, hdu_kind::random_groups);
  EXPECT_EQ(found.data_bytes, 4u * 3u * (6u + 6u));
  ASSERT_TRUE(found.image);
  EXPECT_TRUE(has_reason(*found.image, reason_code::random_groups));
  EXPECT_EQ(first(primary(-32, {0, 3, 2}, {card("GROUPS", false)})).kind, hdu_kind::image);
  EXPECT_EQ(first(primary(8, {}, extra)).kind, hdu_kind::empty);
}

TEST(Naming, ExtnameAndExtver) {
  const hdu named = extension(test::image_cards(8, {4}, {card("EXTNAME", "  SCI "), card("EXTVER", 7)}));
  EXPECT_EQ(named.name, "SCI");
  EXPECT_EQ(named.version, 7);
  const hdu plain = extension(test::image_cards(8, {4}));
  EXPECT_EQ(plain.name, "");
  EXPECT_EQ(plain.version, 1);
  const hdu odd = extension(test::image_cards(8, {4}, {raw_card("EXTNAME", "5"), card("EXTVER", "two")}));
  EXPECT_EQ(odd.name, "");
  EXPECT_EQ(odd.version, 1);
  EXPECT_TRUE(has_note(odd.notes, "EXTVER"));
}

TEST(Naming, OfTwoNamesTheOneThatIsNotTheDefault) {
  for (const auto& [a, b] :
       std::vector<std::pair<std::string, std::string>>{{"COMPRESSED_IMAGE", "ccd00"}, {"ccd00", "COMPRESSED_IMAGE"}}) {
    EXPECT_EQ(extension(test::image_cards(8, {4}, {card("EXTNAME", a), card("EXTNAME", b)})).name, "ccd00");
  }
  EXPECT_EQ(extension(test::image_cards(8, {4}, {card("EXTNAME", "A"), card("EXTNAME", "B")})).name, "B");
  EXPECT_EQ(extension(test::image_cards(8, {4}, {card("EXTNAME", "COMPRESSED_IMAGE")})).name, "COMPRESSED_IMAGE");
}

TEST(Scaling, BzeroInAnyForm) {
  for (const char* text : {"32768", "32768.0", "3.2768E4", "3.2768D+04", "'32768'", "32768."}) {
    const hdu found = first(primary(16, {4}, {raw_card("BZERO", text), raw_card("BSCALE", "1")}));
    ASSERT_TRUE(found.image) << text;
    EXPECT_EQ(found.image->zero, 32768.0) << text;
    EXPECT_EQ(found.image->scale, 1.0);
    EXPECT_EQ(found.image->zero_is_integer, std::string(text).find_first_of(".E") == std::string::npos) << text;
    EXPECT_EQ(has_note(found.notes, "quoted"), text[0] == '\'');
  }
  const hdu unsigned64 = first(primary(64, {4}, {raw_card("BZERO", "9223372036854775808")}));
  EXPECT_EQ(unsigned64.image->zero, 0x1p63);
  EXPECT_TRUE(unsigned64.image->zero_is_integer);
  const hdu absent = first(primary(16, {4}));
  EXPECT_TRUE(absent.image->zero_is_integer);
  EXPECT_EQ(absent.image->scale, 1.0);
  EXPECT_EQ(absent.image->zero, 0.0);
}

TEST(Scaling, OddNumbers) {
  EXPECT_EQ(first(primary(16, {4}, {raw_card("BSCALE", "0")})).image->scale, 0.0);
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {card("BSCALE", "one")})), errc::header_invalid,
                 "BSCALE: expected a number");
  EXPECT_PROBLEM(scan_error(primary(16, {4}, {raw_card("BZERO", "1.5,")})), errc::header_invalid,
                 "BZERO: expected a number");
  const hdu repeated = first(primary(16, {4}, {card("BZERO", 1), card("BZERO", 2)}));
  EXPECT_EQ(repeated.image->zero, 2.0);
  EXPECT_TRUE(has_note(repeated.notes, "the last counts"));
  EXPECT_TRUE(first(test::empty_primary({card("BSCALE", "one")})).notes.empty());  // no pixels, no judgement
}

TEST(Scaling, Blank) {
  EXPECT_EQ(first(primary(16, {4}, {card("BLANK", 0)})).image->blank, 0);
  EXPECT_EQ(first(primary(16, {4}, {card("BLANK", -32768)})).image->blank, -32768);
  EXPECT_FALSE(first(primary(16, {4})).image->blank);
  const hdu outside = first(primary(16, {4}, {card("BLANK", 40000)}));
  EXPECT_EQ(outside.image->blank, 40000);
  EXPECT_TRUE(has_note(outside.notes, "lies outside int16"));
  EXPECT_TRUE(has_note(first(primary(8, {4}, {card("BLANK", -1)})).notes, "lies outside uint8"));
  const hdu on_float = first(primary(-32, {4}, {card("BLANK", 5)}));
  EXPECT_FALSE(on_float.image->blank);
  EXPECT_TRUE(has_note(on_float.notes, "BLANK is ignored"));
  const hdu real = first(primary(16, {4}, {raw_card("BLANK", "-1.0")}));
  EXPECT_FALSE(real.image->blank);
  EXPECT_TRUE(has_note(real.notes, "BLANK is ignored: expected an integer, found -1.0"));
  EXPECT_EQ(first(primary(16, {4}, {card("BLANK", 1), card("BLANK", 2)})).image->blank, 2);
}

}  // namespace
}  // namespace cuphoton::xdr::fits
