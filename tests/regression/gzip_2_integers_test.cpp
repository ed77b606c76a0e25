// GZIP_2 holds the bytes of integers in planes: unshuffled by the width of the elements, then swapped.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Zeros with a single bit here and there, each bit in turn: most planes are all zero.
template <class T>
std::vector<T> mask(std::size_t count) {
  std::vector<T> pixels(count, 0);
  const unsigned bits = 8 * sizeof(T);
  for (std::size_t i = 0; i < count; i += 5) {
    pixels[i] = static_cast<T>(std::uint64_t{1} << (i / 5 % bits));
  }
  return pixels;
}

template <class T>
void expect_mask() {
  SCOPED_TRACE(name(type_of<T>()));
  const codec_row& codec = *find_codec(codec_id::gzip_2);
  const std::vector<T> flat = mask<T>(40 * 30);
  expect_pixels(load_both(compressed_file(tiled_image<T>(codec, {40, 30}, {40, 1}, flat)), 1), flat);
  const std::vector<T> cube = mask<T>(74 * 74 * 5);
  expect_pixels(load_both(compressed_file(tiled_image<T>(codec, {74, 74, 5}, {74, 74, 1}, cube)), 1), cube);
  expect_pixels(load_both(compressed_file(tiled_image<T>(codec, {74, 74, 5}, {32, 32, 2}, cube)), 1), cube);
}

TEST(gzip_2_integers, masks_of_every_width) {
  expect_mask<std::uint8_t>();
  expect_mask<std::int16_t>();
  expect_mask<std::int32_t>();
  expect_mask<std::int64_t>();
}

/// Planes by hand: 258 and -2 in two bytes each are 01 FF | 02 FE.
TEST(gzip_2_integers, by_hand) {
  compressed_image made;
  made.codec = "GZIP_2";
  made.axes = {2, 1};
  made.tiles = {2, 1};
  made.columns = {{"COMPRESSED_DATA", "1PB", {encode_tile<std::uint8_t>(codec_id::gzip_1, {1, 0xFF, 2, 0xFE})}}};
  expect_pixels(load_both(compressed_file(made), 1), std::vector<std::int16_t>{258, -2});
}

template <class Element>
void expect_elements(const std::vector<Element>& elements) {
  SCOPED_TRACE(name(type_of<Element>()));
  for (const codec_id id : {codec_id::gzip_1, codec_id::gzip_2, codec_id::none}) {
    const compressed_image made = tiled_image<Element>(*find_codec(id), 16, {3, 1}, {3, 1}, elements);
    expect_pixels(load_both(compressed_file(made), 1), std::vector<std::int16_t>(elements.begin(), elements.end()));
  }
}

/// Writers store 16-bit pixels in elements of 1, 2, 4 and 8 bytes; the width is what the tile holds, not ZBITPIX.
TEST(gzip_2_integers, elements_of_another_width) {
  expect_elements<std::uint8_t>({0, 200, 255});
  expect_elements<std::int16_t>({0, -200, 32767});
  expect_elements<std::int32_t>({-32768, -2, 32767});
  expect_elements<std::int64_t>({-32768, -2, 32767});
}

/// A number that does not fit the pixels is damage, not a wrapped or clipped pixel.
TEST(gzip_2_integers, a_number_that_does_not_fit_is_an_error) {
  for (const codec_id id : {codec_id::gzip_1, codec_id::gzip_2, codec_id::none, codec_id::rice_1}) {
    const compressed_image made = tiled_image<std::int32_t>(*find_codec(id), 16, {2, 2}, {2, 1}, {1, 2, 3, 32768});
    expect_error(error_of(compressed_file(made), 1), errc::tile_corrupt, {"made.fits", 1, 1}, {"out_of_range"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
