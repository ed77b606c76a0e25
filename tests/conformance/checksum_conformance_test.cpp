// checksum_conformance_test.cpp: our verdict on DATASUM and CHECKSUM, and both sums, against CFITSIO's, for every kind
// of HDU, for damaged data and for every form of the two values; and CFITSIO's verdict on sums made by the tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include <cuphoton/xdr/xdr.hpp>

#include "support/cfitsio_sums.hpp"
#include "support/fits_sums.hpp"

namespace cuphoton::xdr::test {
namespace {

#if defined(XDR_HAVE_CFITSIO)

int number_of(checksum_state state) {
  return state == checksum_state::good ? 1 : state == checksum_state::bad ? -1 : 0;
}

/// Compares every HDU of the file; returns how many keywords were good, absent and bad.
std::array<int, 3> compare_with_cfitsio(const byte_vector& file) {
  std::array<int, 3> seen{};
  const auto source = memory_source(file);
  const file_info listing = inspect(*source);
  const std::vector<cfitsio_sums> theirs = sums_by_cfitsio(file);
  EXPECT_EQ(listing.hdus.size(), theirs.size());
  for (std::size_t index = 0; index < std::min(listing.hdus.size(), theirs.size()); ++index) {
    const checksum_report ours = verify_checksums(*source, listing.hdus[index], 1);
    const cfitsio_sums& sums = theirs[index];
    EXPECT_EQ(sums.status, 0) << index;
    EXPECT_EQ(number_of(ours.data.state), sums.data) << "HDU " << index << ": " << to_string(ours);
    EXPECT_EQ(number_of(ours.whole.state), sums.whole) << "HDU " << index << ": " << to_string(ours);
    ++seen[static_cast<std::size_t>(ours.data.state)];
    ++seen[static_cast<std::size_t>(ours.whole.state)];
    if (ours.bytes_read == 0) continue;
    EXPECT_EQ(ours.data.actual, sums.data_sum) << index;
    EXPECT_EQ(ours.whole.actual, sums.whole_sum) << index;
  }
  return seen;
}

TEST(checksum_conformance, every_kind_of_hdu) {
  const byte_vector file = write_sums_by_cfitsio();
  std::vector<hdu_kind> kinds;
  for (const hdu_info& hdu : inspect(*memory_source(file)).hdus) kinds.push_back(hdu.kind);
  // CFITSIO puts an empty primary, without sums, before tables that are the first thing written; here an image is.
  EXPECT_EQ(kinds, (std::vector{hdu_kind::image, hdu_kind::compressed_image, hdu_kind::compressed_image,
                                hdu_kind::binary_table, hdu_kind::ascii_table, hdu_kind::empty}));
  EXPECT_EQ(compare_with_cfitsio(file), (std::array{12, 0, 0}));
}

TEST(checksum_conformance, damaged_data) {
  const byte_vector right = write_sums_by_cfitsio();
  const file_info listing = inspect(*memory_source(right));
  std::mt19937 random(23);
  for (const hdu_info& hdu : listing.hdus) {
    if (hdu.data_bytes == 0) continue;
    for (int round = 0; round < 20; ++round) {
      byte_vector file = right;
      const std::uint64_t padded = (hdu.data_bytes + 2879) / 2880 * 2880;
      const std::uint64_t at = hdu.data_offset_bytes + random() % (round == 0 ? padded : hdu.data_bytes);
      file[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << random() % 8);
      EXPECT_EQ(compare_with_cfitsio(file), (std::array{10, 2, 0})) << "byte " << at;
    }
  }
}

TEST(checksum_conformance, values_of_the_keywords) {
  const byte_vector data{0, 1, 0, 0, 0, 2};  // they add up to 196608
  const std::vector<std::string> datasums{
      card("DATASUM", "196608"), card("DATASUM", "   196608"), raw_card("DATASUM", "196608"),
      card("DATASUM", "196609"), card("DATASUM", "0"),         card("DATASUM", "4295163904"),
      card("DATASUM", "word"),   card("DATASUM", ""),          card("COMMENT", "196608")};
  const std::vector<std::string> checksums{card("CHECKSUM", "0000000000000000"), card("CHECKSUM", "word"),
                                           card("CHECKSUM", ""), card("COMMENT", "word")};
  for (const std::string& datasum : datasums) {
    for (const std::string& checksum : checksums) {
      SCOPED_TRACE(datasum.substr(0, 30) + checksum.substr(0, 30));
      compare_with_cfitsio(hdu_bytes(primary_cards(16, {3}, {datasum, checksum}), data));
    }
  }
}

TEST(checksum_conformance, cfitsio_accepts_the_sums_that_tests_make) {
  std::mt19937 random(29);
  for (int round = 0; round < 200; ++round) {
    byte_vector data(static_cast<std::size_t>(random() % 5000 + 1));
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
    const byte_vector file = summed_hdu(primary_cards(8, {static_cast<std::int64_t>(data.size())}), data);
    ASSERT_EQ(compare_with_cfitsio(file), (std::array{2, 0, 0})) << round;
  }
}

/// CFITSIO gives no verdict on a last block that is not there as a whole (bug-cases 24); here its fill is what the
/// standard says it must have been.
TEST(checksum_conformance, cfitsio_refuses_missing_padding) {
  byte_vector file = summed_hdu(primary_cards(8, {5}), {1, 2, 3, 4, 5});
  file.resize(2885);
  EXPECT_NE(sums_by_cfitsio(file).at(0).status, 0);
  const auto source = memory_source(file);
  const checksum_report ours = verify_checksums(*source, inspect(*source).hdus.at(0));
  EXPECT_EQ(ours.data.state, checksum_state::good);
  EXPECT_EQ(ours.whole.state, checksum_state::good);
}

#endif

}  // namespace
}  // namespace cuphoton::xdr::test
