// Fill that is not the standard's: NULs or text behind END, blanks behind the pixels. The pixels are read, the oddity
// of the header is told, and the next HDU is found.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;

constexpr std::size_t block = 2880;

/// Two images; `header_fill` from behind the three letters of END to the end of the header's block, `data_fill` behind
/// the pixels.
byte_vector padded_with(const std::string& header_fill, std::uint8_t data_fill) {
  byte_vector file = test::plain_image({2, 2}, std::vector<std::int16_t>{1, -2, 300, 4});
  const std::string end_card = test::card_of("END");
  const auto end = std::search(file.begin(), file.end(), end_card.begin(), end_card.end()) + 3;
  for (auto at = end; at != file.begin() + block; ++at) {
    *at = static_cast<std::uint8_t>(header_fill[static_cast<std::size_t>(at - end) % header_fill.size()]);
  }
  std::fill(file.begin() + block + 8, file.end(), data_fill);
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}), {0, 5, 0, 6}));
  return file;
}

void expect_both(const byte_vector& file, bool odd_header) {
  const image first = test::load_both(file, 0);
  test::expect_pixels(first, std::vector<std::int16_t>{1, -2, 300, 4});
  EXPECT_EQ(test::has_note(first, "other bytes than blanks after END"), odd_header);
  test::expect_pixels(test::load_both(file, 1), std::vector<std::int16_t>{5, 6});
}

TEST(sloppy_padding, nuls_behind_end) {
  expect_both(padded_with(std::string(1, '\0'), 0), true);
}

TEST(sloppy_padding, text_behind_end) {
  expect_both(padded_with("     written by a camera, NAXIS1  =                    9", 0), true);
}

TEST(sloppy_padding, anything_behind_the_pixels) {
  for (const std::uint8_t fill : byte_vector{0x20, 0xFF, 0x53}) expect_both(padded_with(" ", fill), false);
}

TEST(sloppy_padding, the_heap_may_be_followed_by_blanks) {
  const shape extents{2, {2, 5}};
  const test::compressed_image made = test::gzip_image(extents, {2, {1, 5}});
  byte_vector file = test::compressed_file(made);
  std::size_t used = 2 * block + 16;  // headers, rows, then the heap
  for (const test::table_cell& cell : made.columns[0].cells) used += std::get<byte_vector>(cell).size();
  std::fill(file.begin() + static_cast<std::ptrdiff_t>(used), file.end(), std::uint8_t{' '});
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}), {0, 5, 0, 6}));
  std::vector<std::int16_t> expected;
  for (std::uint64_t i = 0; i < 10; ++i) expected.push_back(test::made_pixel(i));
  const image pixels = test::load_both(file, 1);
  test::expect_pixels(pixels, expected);
  EXPECT_TRUE(pixels.facts().notes.empty());
  test::expect_pixels(test::load_both(file, 2), std::vector<std::int16_t>{5, 6});
}

}  // namespace
}  // namespace cuphoton::xdr
