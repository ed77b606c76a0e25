// scan_test.cpp: the walk: where it starts, stops and what it says.
#include <gtest/gtest.h>

#include "fits/header.hpp"
#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::byte_vector;
using test::card;

byte_vector bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}
// Empty primary, a 4x3 int16 image of ones, an empty IMAGE, a compressed image, a 2x2 byte image.
byte_vector sample_file() {
  byte_vector file = test::empty_primary();
  test::append(file, test::hdu_bytes(test::image_cards(16, {4, 3}, {card("EXTNAME", "A")}), byte_vector(24, 1)));
  test::append(file, test::header_bytes(test::image_cards(8, {}, {card("EXTNAME", "B")})));
  test::append(file, test::compressed_hdu(test::sample_image()));
  test::append(file, test::hdu_bytes(test::image_cards(8, {2, 2}, {card("EXTNAME", "D")}), byte_vector(4, 1)));
  return file;
}

TEST(Scan, WalksAllHdus) {
  const file_structure file = scan_bytes(sample_file());
  ASSERT_EQ(file.hdus.size(), 5u);
  const std::vector<hdu_kind> kinds{hdu_kind::empty, hdu_kind::image, hdu_kind::empty, hdu_kind::compressed_image,
                                    hdu_kind::image};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(file.hdus[i].index, static_cast<int>(i));
    EXPECT_EQ(file.hdus[i].kind, kinds[i]) << i;
    EXPECT_FALSE(file.hdus[i].problem);
    EXPECT_TRUE(file.hdus[i].notes.empty());
    EXPECT_EQ(file.hdus[i].data_offset_bytes, file.hdus[i].header_offset_bytes + block_bytes);
  }
  EXPECT_EQ(file.hdus[1].name, "A");
  EXPECT_EQ(file.hdus[4].header_offset_bytes, 2880u * 6);
  EXPECT_EQ(file.hdus[4].cards.value("EXTNAME").text, "D");
  EXPECT_FALSE(file.problem);
  EXPECT_TRUE(file.notes.empty());
}

TEST(Scan, StopsAtTheLastIndex) {
  EXPECT_EQ(scan_bytes(sample_file(), {}, 0).hdus.size(), 1u);
  EXPECT_EQ(scan_bytes(sample_file(), {}, 2).hdus.size(), 3u);
  EXPECT_EQ(scan_bytes(sample_file(), {}, 99).hdus.size(), 5u);
}

TEST(Scan, WhatIsNotFits) {
  EXPECT_PROBLEM(scan_error({}), errc::not_fits, "the file is empty");
  EXPECT_PROBLEM(scan_error(bytes_of("S")), errc::not_fits, "found 'S'");
  byte_vector short_file = test::empty_primary();
  short_file.resize(100);
  EXPECT_PROBLEM(scan_error(short_file), errc::not_fits, "found a file of 100");
  EXPECT_PROBLEM(scan_error(byte_vector(5760, 0xff)), errc::not_fits, "found '" + std::string(9, '?') + "'");
  byte_vector file = sample_file();
  file[8] = ' ';
  EXPECT_PROBLEM(scan_error(file), errc::not_fits, "expected 'SIMPLE  ='");
}

TEST(Scan, ExternalCompressionIsNamedWithItsCure) {
  for (const auto& [magic, kind, cure] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"\x1f\x8b\x08", ".gz", "gunzip"},
                                                                      {"BZh91AY", ".bz2", "bunzip2"},
                                                                      {"\x1f\x9d\x90", "compress (.Z)", "uncompress"},
                                                                      {"\x1f\x1e", "pack (.z)", "gunzip"},
                                                                      {"\x1f\xa0", ".Z", "gunzip"},
                                                                      {"\x04\x22\x4d\x18", ".lz4", "unlz4"},
                                                                      {"LZIP", ".lz", "lzip -d"},
                                                                      {"7z\xbc\xaf", ".7z", "7z x"},
                                                                      {"PK\x03\x04", ".zip", "unzip"},
                                                                      {std::string("\xfd"
                                                                                   "7zXZ\0",
                                                                                   6),
                                                                       ".xz", "unxz"},
                                                                      {"\x28\xb5\x2f\xfd", ".zst", "unzstd"}}) {
    const auto problem = scan_error(bytes_of(magic));
    EXPECT_PROBLEM(problem, errc::unsupported, kind);
    EXPECT_TRUE(problem->message().ends_with("; unpack it first: " + cure + " FILE")) << problem->message();
    ASSERT_EQ(problem->reasons().size(), 1u);
    EXPECT_EQ(problem->reasons()[0].code, reason_code::externally_compressed);
  }
}

TEST(Scan, BytesAfterTheLastHduAreSpecialRecords) {
  byte_vector file = sample_file();
  file.resize(file.size() + 2880, 'x');
  const file_structure found = scan_bytes(file);
  EXPECT_EQ(found.hdus.size(), 5u);
  EXPECT_FALSE(found.problem);
  EXPECT_TRUE(has_note(found.notes, "last 2880 bytes"));
}

TEST(Scan, ABrokenExtensionStopsTheWalkButNotTheListing) {
  byte_vector file = sample_file();
  const std::vector<std::string> no_end(36, card("XTENSION", "IMAGE"));
  for (const std::string& text : no_end) test::append(file, bytes_of(text));
  file_structure found = scan_bytes(file);
  EXPECT_EQ(found.hdus.size(), 5u);
  EXPECT_PROBLEM(found.problem, errc::header_invalid, "expected END");
  EXPECT_EQ(found.problem->place().hdu, 5);
  file = sample_file();
  test::append(file, test::header_bytes({card("XTENSION", "IMAGE"), card("BITPIX", 7), card("NAXIS", 0)}));
  EXPECT_PROBLEM(scan_bytes(file).problem, errc::header_invalid, "BITPIX");
  EXPECT_FALSE(scan_bytes(file, {}, 4).problem);
}

TEST(Scan, ADamagedDescriptionSpoilsOneHdu) {
  byte_vector file = test::empty_primary();
  test::append(file, test::hdu_bytes(test::image_cards(16, {4}, {card("BSCALE", "x")}), byte_vector(8)));
  test::compressed_image image = test::sample_image();
  image.codec = "";
  test::append(file, test::compressed_hdu(image));
  test::append(file, test::hdu_bytes(test::image_cards(8, {2}), byte_vector(2)));
  const file_structure found = scan_bytes(file);
  ASSERT_EQ(found.hdus.size(), 4u);
  EXPECT_PROBLEM(found.hdus[1].problem, errc::header_invalid, "BSCALE");
  EXPECT_PROBLEM(found.hdus[2].problem, errc::header_invalid, "ZCMPTYPE");
  EXPECT_FALSE(found.hdus[1].image || found.hdus[2].image);
  EXPECT_TRUE(found.hdus[3].image);
  EXPECT_FALSE(found.problem);
}

TEST(Scan, TruncationAtEveryLength) {
  const byte_vector whole = sample_file();
  for (std::size_t length = 0; length < whole.size(); length += 40) {
    const byte_vector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    if (length < block_bytes) {
      EXPECT_TRUE(scan_error(cut)) << length;
      continue;
    }
    const file_structure found = scan_bytes(cut);
    for (const hdu& one : found.hdus) {
      const bool short_data = one.data_bytes > 0 && one.data_offset_bytes + one.data_bytes > length;
      ASSERT_EQ(one.problem.has_value(), short_data) << length;
      if (short_data) {
        EXPECT_EQ(one.problem->code(), errc::file_truncated);
      }
    }
  }
}

TEST(Scan, ShortDataSayExpectedAndActualBytes) {
  byte_vector file = test::hdu_bytes(test::primary_cards(16, {100, 100}), byte_vector(20000));
  file.resize(2880 + 19999);
  const file_structure found = scan_bytes(file);
  ASSERT_EQ(found.hdus.size(), 1u);
  EXPECT_PROBLEM(found.hdus[0].problem, errc::file_truncated,
                 "expected 20000 bytes of data from byte 2880, found 19999");
  ASSERT_TRUE(found.hdus[0].image);  // the header is sound: listings show shape and type
  EXPECT_EQ(to_string(found.hdus[0].image->extents), "100x100");
  file.resize(2880);
  EXPECT_PROBLEM(scan_bytes(file).hdus[0].problem, errc::file_truncated, "found 0");
}

TEST(Scan, ShortHeapIsTruncation) {
  test::compressed_image image = test::sample_image();
  image.columns[0].cells[0] = byte_vector(5000, 7);
  byte_vector file = test::compressed_file(image);
  file.resize(2 * 2880 + 3000);
  EXPECT_PROBLEM(scan_bytes(file).hdus.at(1).problem, errc::file_truncated, "expected 5024 bytes of data");
}

TEST(Scan, MissingPaddingIsNoted) {
  byte_vector file = test::hdu_bytes(test::primary_cards(16, {100, 100}), byte_vector(20000));
  file.resize(2880 + 20000);
  const file_structure found = scan_bytes(file);
  EXPECT_FALSE(found.hdus[0].problem);
  EXPECT_TRUE(found.hdus[0].image);
  EXPECT_TRUE(has_note(found.hdus[0].notes, "padded to 2880"));
}

TEST(Scan, ThingsOfHdu0AreThrown) {
  EXPECT_PROBLEM(scan_error(test::header_bytes(test::primary_cards(7, {4}))), errc::header_invalid, "HDU 0");
  EXPECT_PROBLEM(scan_error(test::hdu_bytes(test::primary_cards(16, {4}, {card("BZERO", "x")}), byte_vector(8))),
                 errc::header_invalid, "BZERO");
  byte_vector no_end = test::empty_primary();
  std::fill(no_end.begin() + 240, no_end.end(), std::uint8_t{' '});
  EXPECT_PROBLEM(scan_error(no_end), errc::header_invalid, "expected END");
}

TEST(Scan, GapBeforeTheHeapDoesNotHideTheNextHdu) {
  test::compressed_image image = test::sample_image();
  image.columns[0].cells[0] = byte_vector(10, 7);
  image.gap_bytes = 5000;
  byte_vector file = test::compressed_file(image);
  test::append(file, test::hdu_bytes(test::image_cards(8, {2}), byte_vector(2)));
  EXPECT_EQ(scan_bytes(file).hdus.size(), 3u);
}

TEST(Scan, ManyHdusAreLinear) {
  byte_vector file = test::empty_primary();
  const byte_vector one = test::header_bytes(test::image_cards(8, {}));
  for (int i = 0; i < 5000; ++i) test::append(file, one);
  EXPECT_EQ(scan_bytes(file).hdus.size(), 5001u);
}

}  // namespace
}  // namespace cuphoton::xdr::fits
