// The first row of the file is the first row of the array, whatever ROWORDER or an axis' sign says; the card is shown.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

TEST(row_order, is_the_files) {
  std::vector<std::int32_t> pixels(12, 0);
  pixels[0] = 11;  // the first pixel of the file
  pixels[3] = 12;
  pixels[8] = 13;
  const std::vector<std::vector<std::string>> claims = {{},
                                                        {card("ROWORDER", "TOP-DOWN")},
                                                        {card("ROWORDER", "BOTTOM-UP")},
                                                        {card("ROWORDER", "TOP-DOWN"), card("CDELT2", -1.0)}};
  for (const std::vector<std::string>& claim : claims) {
    std::vector<byte_vector> files = {test::empty_primary()};
    test::append(files[0], test::hdu_bytes(test::image_cards(32, {4, 3}, claim), test::big_endian(pixels)));
    for (const codec_row& row : codec_table()) {
      test::compressed_image tiled = test::integer_image(row, 4, 3, 2, 2, pixels);
      if (tiled.columns[0].cells.size() < 4) continue;
      if (row.id == codec_id::hcompress_1) tiled = test::integer_image(row, 4, 3, 4, 3, pixels);  // no lines
      tiled.extra = claim;
      files.push_back(test::compressed_file(tiled));
    }
    for (const byte_vector& file : files) {
      test::expect_pixels(test::load_both(file, 1), pixels);
      read_options options;
      options.section = box{2, {0, 0}, {1, 4}};
      test::expect_pixels(test::load_both(file, 1, options), std::vector<std::int32_t>{11, 0, 0, 12});
      const std::vector<std::string> cards = inspect(*test::source_of(file)).hdus.at(1).cards;
      for (const std::string& wanted : claim) {
        EXPECT_NE(std::find(cards.begin(), cards.end(), wanted), cards.end()) << wanted;
      }
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
