// chosen_tiles.hpp: compressed images of pixels that the test chooses, in tiles of every codec. Rice and PLIO by small
// encoders of our own (any build has them), HCOMPRESS by CFITSIO. Which pixels a tile holds is worked out here from
// FITS 4.0 §10.1 alone, without the library's own geometry.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "codecs/codec.hpp"
#include "support/fits_builder.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr::test {

/// Codecs that this build of the tests can write.
std::vector<const codec_row*> chosen_codecs();
/// Integers of any width and floats, not only integers of at most 32 bits.
inline bool holds_any_type(codec_id codec) {
  return codec == codec_id::none || codec == codec_id::gzip_1 || codec == codec_id::gzip_2;
}

/// A tile of integers for a codec that is none of the above; `width`: bytes of an element, which Rice asks for.
byte_vector encode_integers(codec_id codec, const std::vector<std::int64_t>& values, int width, std::uint64_t rows);
/// The same for gzip, from big-endian elements.
byte_vector encode_bytes(codec_id codec, const byte_vector& elements, std::uint64_t width);

/// A tile of `values` in elements of type T; `rows` divides them and matters to HCOMPRESS alone.
template <class T>
byte_vector encode_tile(codec_id codec, const std::vector<T>& values, std::uint64_t rows = 1) {
  if (holds_any_type(codec)) return encode_bytes(codec, big_endian(values), sizeof(T));
  return encode_integers(codec, std::vector<std::int64_t>(values.begin(), values.end()), sizeof(T), rows);
}

/// Numbers of the pixels of one tile (axis 1 fastest, as in the image), and its rows. Axes and tiles in FITS order.
struct chosen_tile {
  std::vector<std::size_t> pixels;
  std::uint64_t rows = 1;
};
std::vector<chosen_tile> chosen_tiles(const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& tiles);

/// An image of `elements`, coded as they are: stored pixels, or the integers of quantised ones. No ZSCALE, no ZZERO.
template <class T>
compressed_image tiled_image(const codec_row& codec, int bitpix, const std::vector<std::int64_t>& axes,
                             const std::vector<std::int64_t>& tiles, const std::vector<T>& elements) {
  compressed_image image;
  image.codec = codec.fits_name;
  image.bitpix = bitpix;
  image.axes = axes;
  image.tiles = tiles;
  table_column column{"COMPRESSED_DATA", codec.id == codec_id::plio_1 ? "1PI" : "1PB", {}};
  for (const chosen_tile& tile : chosen_tiles(axes, tiles)) {
    std::vector<T> values;
    for (const std::size_t pixel : tile.pixels) values.push_back(elements[pixel]);
    column.cells.emplace_back(encode_tile(codec.id, values, tile.rows));
  }
  image.columns.push_back(std::move(column));
  if (codec.id == codec_id::rice_1) {
    image.extra = {card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", 32), card("ZNAME2", "BYTEPIX"), card("ZVAL2", sizeof(T))};
  }
  return image;
}
/// The same for the stored pixels of an image that is not quantised.
template <class T>
compressed_image tiled_image(const codec_row& codec, const std::vector<std::int64_t>& axes,
                             const std::vector<std::int64_t>& tiles, const std::vector<T>& pixels) {
  return tiled_image(codec, bitpix_of<T>(), axes, tiles, pixels);
}

/// Columns ZSCALE and ZZERO, one number a tile.
void quantize(compressed_image& image, const std::vector<double>& scales, const std::vector<double>& zeros);

/// Pixel `index` of type T: bytes that differ, neighbours that differ; 0 to 32767 where the codec is PLIO_1.
template <class T>
T chosen_pixel(const codec_row& codec, std::uint64_t index) {
  const std::uint64_t mixed = (index + 1) * 0x9E3779B97F4A7C15ULL;
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(mixed >> 20) / 3;
  if (codec.id == codec_id::plio_1) return static_cast<T>(mixed >> (sizeof(T) == 1 ? 56 : 49));
  return static_cast<T>(mixed >> (64 - 8 * sizeof(T)));
}
template <class T>
std::vector<T> chosen_pixels(const codec_row& codec, std::uint64_t count) {
  std::vector<T> pixels(count);
  for (std::uint64_t i = 0; i < count; ++i) pixels[i] = chosen_pixel<T>(codec, i);
  return pixels;
}

/// Calls f with std::type_identity of each type that stored pixels have and `codec` can hold.
template <class F>
void for_each_stored_type(const codec_row& codec, F&& f) {
  f(std::type_identity<std::uint8_t>{});
  f(std::type_identity<std::int16_t>{});
  f(std::type_identity<std::int32_t>{});
  if (!holds_any_type(codec.id)) return;
  f(std::type_identity<std::int64_t>{});
  f(std::type_identity<float>{});
  f(std::type_identity<double>{});
}

}  // namespace cuphoton::xdr::test
