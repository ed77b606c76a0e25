// What a stream says of itself is never believed: the tile's place in the image bounds all output. Streams that declare
// other extents are refused, and no damage reaches the pixels of another tile.
#include <gtest/gtest.h>

#include <random>

#include "support/codec_images.hpp"
#include "support/guarded_buffer.hpp"
#include "support/hcompress_reference.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::codec_image;

constexpr int rows = 16;
constexpr int columns = 15;

test::hcompress_stream small_stream() {
  test::hcompress_stream stream;
  stream.rows = rows;
  stream.columns = columns;
  stream.sum = 900;
  for (int& planes : stream.planes) planes = 5;
  stream.randomize(7, 2);
  return stream;
}

test::compressed_image hcompress_image(const byte_vector& tile) {
  test::compressed_image image;
  image.codec = "HCOMPRESS_1";
  image.bitpix = 32;
  image.axes = {columns, rows};
  image.tiles = {columns, rows};
  image.columns = {{"COMPRESSED_DATA", "1PB", {tile}}};
  return image;
}

TEST(stated_geometry, hcompress_extents_must_be_the_tiles) {
  const test::hcompress_stream stream = small_stream();
  const byte_vector good = test::write_hcompress(stream, 0x5a5a5a5aU);
  test::expect_pixels(test::load_both(test::compressed_file(hcompress_image(good)), 1),
                      test::invert_hcompress(stream, false));
  const std::pair<std::int32_t, std::int32_t> claims[] = {{4096, 4096},
                                                          {2 * rows, columns},
                                                          {rows / 2, columns},
                                                          {columns, rows},
                                                          {rows, columns + 1},
                                                          {rows - 1, columns},
                                                          {1, rows * columns},
                                                          {rows * columns, 1},
                                                          {2 * rows, columns / 2},
                                                          {8, 30},
                                                          {0, columns},
                                                          {rows, 0},
                                                          {-rows, -columns},
                                                          {-1, columns},
                                                          {0x7fffffff, 0x7fffffff},
                                                          {0x10000, 0x10000},
                                                          {INT32_MIN, INT32_MIN}};
  for (const auto& [claimed_rows, claimed_columns] : claims) {
    byte_vector extents;
    test::append_be(extents, claimed_rows);
    test::append_be(extents, claimed_columns);
    byte_vector tile = good;
    std::copy(extents.begin(), extents.end(), tile.begin() + 2);
    const error found = test::error_of(test::compressed_file(hcompress_image(tile)), 1);
    test::expect_error(found, errc::tile_corrupt, {"made.fits", 1, 0}, {"HCOMPRESS_1"});
    if (::testing::Test::HasFailure()) FAIL() << claimed_rows << " x " << claimed_columns;
  }
}

TEST(stated_geometry, text_behind_a_rice_stream_is_no_pixels) {
  std::vector<std::int32_t> values;
  for (int i = 0; i < 50; ++i) values.push_back(1000 + i * i % 23);
  byte_vector tile = test::rice_tile(values);
  const std::string text = "HISTORY nothing that belongs to the stream, and longer than a block of codes is";
  tile.insert(tile.end(), text.begin(), text.end());
  test::compressed_image made;
  made.bitpix = 32;
  made.axes = {50};
  made.tiles = {50};
  made.columns = {{"COMPRESSED_DATA", "1PB", {tile}}};
  const image pixels = test::load_both(test::compressed_file(made), 1);
  test::expect_pixels(pixels, values);
  EXPECT_TRUE(test::has_note(pixels, "after the end"));
}

/// Whatever tile 1 has become: either the error names it, or its neighbours are right; nothing is written outside.
void expect_contained(const codec_image& made, const byte_vector& file, test::guarded_buffer& memory) {
  const std::size_t tile_bytes = made.tile_pixels.size();
  const auto is_tile = [&](const std::uint8_t* bytes) {
    return std::equal(made.tile_pixels.begin(), made.tile_pixels.end(), bytes);
  };
  const test::read_outcome outcome = test::outcome_of(file, hdu_selector::number(1), {});
  if (const auto* problem = std::get_if<error>(&outcome)) {
    test::expect_error(*problem, errc::tile_corrupt, {"made.fits", 1, 1});
  } else {
    const std::uint8_t* const bytes = std::get<image>(outcome).data();
    ASSERT_TRUE(is_tile(bytes) && is_tile(bytes + 2 * tile_bytes)) << made.name;
    // A checksum lets no wrong pixel pass.
    if (made.image.codec.starts_with("GZIP")) {
      ASSERT_TRUE(is_tile(bytes + tile_bytes)) << made.name;
    }
  }
  const auto source = test::source_of(file);
  read_options options;
  options.engine = engine_choice::host;
  const image_plan planned = plan(*source, hdu_selector::number(1), options);
  for (const test::placement where : {test::placement::at_start, test::placement::at_end}) {
    const std::span<std::uint8_t> room = memory.part(3 * tile_bytes, where);
    try {
      read_into(*source, planned, room, options);
    } catch (const error& problem) {
      ASSERT_EQ(name(problem.code()), name(errc::tile_corrupt)) << problem.what();
    }
    ASSERT_TRUE(is_tile(room.data()) && is_tile(room.data() + 2 * tile_bytes)) << made.name;
  }
}

TEST(stated_geometry, flipped_bits_stay_in_their_tile) {
  std::mt19937 random(35);
  test::guarded_buffer memory(std::size_t{1} << 16);
  for (const codec_row& row : codec_table()) {
    for (const codec_image& made : test::codec_images(row, 60, 3, 6)) {
      for (int flip = 0; flip < 40; ++flip) {
        codec_image damaged = made;
        byte_vector& tile = damaged.tile(1);
        for (auto bits = 1 + random() % 3; bits != 0; --bits) {
          tile[random() % tile.size()] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        }
        ASSERT_NO_FATAL_FAILURE(expect_contained(made, test::compressed_file(damaged.image), memory)) << made.name;
      }
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
