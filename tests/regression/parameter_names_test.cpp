// Parameters of a codec are looked up by their names, never by their place: a first parameter that is not the block
// size does not become it, and what is not there has its default.
#include <gtest/gtest.h>

#include "support/codec_images.hpp"
#include "support/hcompress_reference.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

std::vector<std::int32_t> rice_pixels() {
  std::vector<std::int32_t> values;
  for (std::int32_t i = 0; i < 100; ++i) values.push_back(7000 + (i * 13) % 41);
  return values;
}

byte_vector rice_file(std::size_t block_pixels, const std::vector<std::string>& parameters) {
  test::compressed_image image;
  image.bitpix = 32;
  image.axes = {100};
  image.tiles = {100};
  image.columns = {{"COMPRESSED_DATA", "1PB", {test::rice_tile(rice_pixels(), block_pixels)}}};
  image.extra = parameters;
  return test::compressed_file(image);
}

TEST(parameter_names, a_first_parameter_of_another_name_is_no_block_size) {
  test::expect_pixels(test::load_both(rice_file(32, {card("ZNAME1", "NOISEBIT"), card("ZVAL1", 16)}), 1),
                      rice_pixels());
  test::expect_pixels(test::load_both(rice_file(32, {card("ZNAME1", "NOISEBIT"), card("ZVAL1", 16),
                                                     card("ZNAME2", "BYTEPIX"), card("ZVAL2", 4)}),
                                      1),
                      rice_pixels());
  test::expect_pixels(test::load_both(rice_file(32, {}), 1), rice_pixels());
}

TEST(parameter_names, order_and_case_do_not_matter) {
  const std::vector<std::vector<std::string>> lists = {
      {card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", 16), card("ZNAME2", "BYTEPIX"), card("ZVAL2", 4)},
      {card("ZNAME1", "BYTEPIX"), card("ZVAL1", 4), card("ZNAME2", "BLOCKSIZE"), card("ZVAL2", 16)},
      {card("ZVAL2", 16), card("ZNAME2", "blocksize"), card("ZVAL1", 4), card("ZNAME1", "BytePix")},
      {card("ZNAME1", "NOISEBIT"), card("ZVAL1", 4), card("ZNAME2", "BYTEPIX"), card("ZVAL2", 4),
       card("ZNAME3", "BLOCKSIZE"), card("ZVAL3", 16)}};
  for (const auto& parameters : lists) {
    test::expect_pixels(test::load_both(rice_file(16, parameters), 1), rice_pixels());
  }
}

TEST(parameter_names, smooth_is_not_the_second_parameter) {
  test::hcompress_stream stream;
  stream.rows = 16;
  stream.columns = 16;
  stream.scale = 60;
  stream.sum = 5000;
  for (int& planes : stream.planes) planes = 6;
  stream.randomize(3, 2);
  const std::vector<std::int32_t> rough = test::invert_hcompress(stream, false);
  const std::vector<std::int32_t> smooth = test::invert_hcompress(stream, true);
  ASSERT_NE(rough, smooth);
  test::compressed_image image;
  image.codec = "HCOMPRESS_1";
  image.bitpix = 32;
  image.axes = {16, 16};
  image.tiles = {16, 16};
  image.columns = {{"COMPRESSED_DATA", "1PB", {test::write_hcompress(stream, 0)}}};
  image.extra = {card("ZNAME1", "SMOOTH"), card("ZVAL1", 1), card("ZNAME2", "SCALE"), card("ZVAL2", 0)};
  test::expect_pixels(test::load_both(test::compressed_file(image), 1), smooth);
  image.extra = {card("ZNAME1", "SCALE"), card("ZVAL1", 60), card("ZNAME2", "NOISEBIT"), card("ZVAL2", 1)};
  test::expect_pixels(test::load_both(test::compressed_file(image), 1), rough);
}

}  // namespace
}  // namespace cuphoton::xdr
