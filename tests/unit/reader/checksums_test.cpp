// The option `checksum`: what stops a load and what its receipt says; that no flipped bit of an HDU passes unseen.
#include <gtest/gtest.h>

#include <algorithm>

#include <cuphoton/xdr/checksum.hpp>

#include "support/fits_sums.hpp"
#include "support/made_images.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

read_options with_checksum() {
  read_options options;
  options.checksum = true;
  options.engine = engine_choice::host;
  options.threads = 1;
  return options;
}

/// An image extension with sums between a primary and a table without.
byte_vector made_file() {
  byte_vector file = test::empty_primary();
  test::append(file, test::summed_hdu(test::image_cards(16, {3}, {card("EXTNAME", "SCI")}), {0, 1, 0, 2, 0, 3}));
  test::append(file, test::hdu_bytes(test::image_cards(16, {1}), {7, 7}));
  return file;
}
constexpr std::size_t header_at = 2880;
constexpr std::size_t data_at = 5760;

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void expect_mismatch(const std::function<void()>& work, const std::string& part) {
  try {
    work();
    ADD_FAILURE() << "no error";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::checksum_mismatch) << problem.what();
    EXPECT_EQ(problem.place().hdu, 1);
    EXPECT_EQ(std::string(problem.what()).find("made.fits: HDU 1: DATASUM "), 0U) << problem.what();
    EXPECT_NE(problem.message().find(part), std::string::npos) << problem.what();
  }
}

TEST(option_checksum, good_sums_are_checks_of_the_receipt) {
  const auto source = test::source_of(made_file());
  const image plain = read(*source, hdu_selector::number(1));
  const image checked = read(*source, hdu_selector::number(1), with_checksum());
  EXPECT_TRUE(std::ranges::equal(plain.bytes(), checked.bytes()));
  EXPECT_FALSE(has(plain.facts().checks, "DATASUM"));
  EXPECT_TRUE(has(checked.facts().checks, "DATASUM"));
  EXPECT_TRUE(has(checked.facts().checks, "CHECKSUM"));
  EXPECT_EQ(checked.facts().notes, plain.facts().notes);
  EXPECT_EQ(checked.facts().bytes_read, plain.facts().bytes_read + 5760);
  EXPECT_NE(to_json(checked.facts()).find("\"checksum\": true"), std::string::npos);
  EXPECT_NE(to_json(plain.facts()).find("\"checksum\": false"), std::string::npos);
}

TEST(option_checksum, an_absent_sum_is_a_note) {
  const image pixels = read(*test::source_of(made_file()), hdu_selector::number(2), with_checksum());
  EXPECT_TRUE(has(pixels.facts().notes, "DATASUM is absent: it could not be verified"));
  EXPECT_TRUE(has(pixels.facts().notes, "CHECKSUM is absent: it could not be verified"));
  EXPECT_FALSE(has(pixels.facts().checks, "DATASUM"));
}

TEST(option_checksum, a_bad_sum_stops_every_way_to_read) {
  byte_vector file = made_file();
  const image_plan planned = plan(*test::source_of(file), hdu_selector::number(1));
  file[data_at + 1] = 9;
  const auto source = test::source_of(file);
  const std::string part =
      "DATASUM bad (the words of the data unit add up to 786434, expected 262146), CHECKSUM bad (the words of the HDU "
      "add up to 524288, expected 4294967295); the HDU was damaged";
  expect_mismatch([&] { read(*source, hdu_selector::number(1), with_checksum()); }, part);
  expect_mismatch([&] { read(*source, hdu_selector::named("sci"), with_checksum()); }, part);
  expect_mismatch([&] { read(*source, planned, with_checksum()); }, part);
  alignas(8) std::uint8_t room[6];
  expect_mismatch([&] { read_into(*source, planned, room, with_checksum()); }, part);
  EXPECT_EQ(read(*source, hdu_selector::number(1)).bytes()[0], 9);           // not asked for
  EXPECT_NO_THROW(read(*source, hdu_selector::number(2), with_checksum()));  // another HDU
}

TEST(option_checksum, one_bad_sum_is_enough) {
  byte_vector header = made_file();
  header[header_at + 2879] = 'x';
  expect_mismatch([&] { read(*test::source_of(header), hdu_selector::number(1), with_checksum()); },
                  "DATASUM good, CHECKSUM bad");
  byte_vector data = test::empty_primary();
  test::append(data, test::hdu_bytes(test::image_cards(16, {1}, {card("DATASUM", "'6'")}), {0, 7}));
  expect_mismatch([&] { read(*test::source_of(data), hdu_selector::number(1), with_checksum()); },
                  "expected ''6'', no number), CHECKSUM absent;");
}

TEST(option_checksum, comes_before_the_tile_table_is_judged) {
  test::compressed_image made = test::gzip_image({2, {4, 6}}, {2, {2, 6}});
  byte_vector file = test::empty_primary();
  const byte_vector table = test::compressed_hdu(made);
  const byte_vector data(table.end() - 2880, table.end());
  test::append(file, test::summed_hdu(test::compressed_cards(made), data));
  EXPECT_NO_THROW(read(*test::source_of(file), hdu_selector::number(1), with_checksum()));
  file[file.size() - 2880 + 4] = 0x7F;  // the descriptor of tile 0 points outside
  EXPECT_THROW(read(*test::source_of(file), hdu_selector::number(1)), error);
  expect_mismatch([&] { read(*test::source_of(file), hdu_selector::number(1), with_checksum()); }, "DATASUM bad");
}

TEST(option_checksum, of_another_file_s_plan_says_so) {
  const image_plan planned = plan(*test::source_of(made_file()), hdu_selector::number(1));
  try {
    read(*test::source_of(test::empty_primary()), planned, with_checksum());
    ADD_FAILURE();
  } catch (const error& problem) {
    EXPECT_NE(problem.message().find("plan again"), std::string::npos) << problem.what();
  }
}

/// What a listing and its sums say of HDU 1; nothing where it is not even listed.
std::optional<checksum_report> look(const byte_vector& file) {
  try {
    const auto source = test::source_of(file);
    const file_info listing = inspect(*source);
    if (listing.hdus.size() < 2) return std::nullopt;
    return verify_checksums(*source, listing.hdus[1], 1);
  } catch (const error&) {
    return std::nullopt;
  }
}

TEST(flipped_bits, none_passes_unseen) {
  byte_vector file = made_file();
  file.resize(data_at + 2880);
  const auto right = look(file);
  ASSERT_TRUE(right && right->data.state == checksum_state::good && right->whole.state == checksum_state::good);
  const std::string text(file.begin(), file.end());
  const std::size_t card_at = text.find("CHECKSUM=");
  for (std::size_t bit = header_at * 8; bit < file.size() * 8; ++bit) {
    file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    const auto found = look(file);
    const bool seen = !found || found->data.state == checksum_state::bad || found->whole.state == checksum_state::bad;
    if (bit / 8 >= card_at && bit / 8 <= card_at + 10) {
      // The promise itself is gone: no keyword, no value indicator, or a slash for the quote.
      ASSERT_TRUE(seen || found->whole.state == checksum_state::absent) << "byte " << bit / 8 - header_at;
    } else {
      ASSERT_TRUE(seen) << "byte " << bit / 8 - header_at << " bit " << bit % 8;
    }
    file[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
