// Good and damaged tiles in one image: the error names the first damaged tile and what is wrong with it, no pixel is
// handed out, and sections of good tiles are read.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::codec_image;

constexpr int tiles = 6;

/// Damage that each codec can see: less than half of the stream is left. (Half of plain pixels would be narrower ones.)
void spoil(codec_image& made, std::size_t tile) {
  const std::size_t elements = made.tile(tile).size() / made.element_bytes();
  made.tile(tile).resize(std::max<std::size_t>((elements - 1) / 2, 1) * made.element_bytes());
}

TEST(damaged_tiles, the_first_is_named_with_its_reason) {
  for (const codec_row& row : codec_table()) {
    for (const codec_image& good : test::codec_images(row, 60, tiles, 8)) {
      codec_image made = good;
      for (const std::size_t tile : {4U, 2U}) spoil(made, tile);
      const byte_vector file = test::compressed_file(made.image);
      const error found = test::error_of(file, 1);
      test::expect_error(found, errc::tile_corrupt, {"made.fits", 1, 2},
                         {"made.fits", "HDU 1", "tile 2", made.image.codec,
                          std::to_string(made.tile(2).size()) + " bytes at offset", "(check "});
      const bool has_reason = found.message().find("truncated") != std::string::npos ||
                              found.message().find("output_short") != std::string::npos ||
                              found.message().find("bad_") != std::string::npos;
      EXPECT_TRUE(has_reason) << found.what();
      for (const std::int64_t tile : {0, 1, 3, 5}) {
        read_options options;
        options.section = made.place(tile);
        const image pixels = test::load_both(file, 1, options);
        ASSERT_TRUE(std::equal(made.tile_pixels.begin(), made.tile_pixels.end(), pixels.data())) << made.name;
      }
      read_options options;
      options.section = made.place(4);
      test::expect_error(test::error_of(file, 1, options), errc::tile_corrupt, {"made.fits", 1, 4});
    }
  }
}

TEST(damaged_tiles, tables_name_the_tile_too) {
  for (const codec_row& row : codec_table()) {
    for (codec_image made : test::codec_images(row, 60, tiles, 2)) {
      made.image.columns[0].cells[3] = test::raw_descriptor{8, 4'000'000'000};
      test::expect_error(test::error_of(test::compressed_file(made.image), 1), errc::tile_table_invalid,
                         {"made.fits", 1, 3}, {"tile 3", "outside the file"});
      made.image.columns[0].cells[1] = test::table_cell{};
      test::expect_error(test::error_of(test::compressed_file(made.image), 1), errc::tile_table_invalid,
                         {"made.fits", 1, 1}, {"tile 1", "no column"});
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
