// codec_images.hpp: small compressed images of any codec with the pixels that they must have, for lessons that hold for
// every row of the codec table: from the tiles that encoders.hpp makes, or of integers that the test chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codecs/codec.hpp"
#include "support/bit_writer.hpp"
#include "support/encoders.hpp"
#include "support/fits_builder.hpp"
#include "support/plio_encoder.hpp"
#if defined(XDR_HAVE_CFITSIO)
#include "support/encode_hcompress.hpp"
#endif

namespace cuphoton::xdr::test {

/// Equal tiles, one behind the other along the slowest of three axes; tests spoil what they want to be wrong.
struct codec_image {
  std::string name;
  compressed_image image;
  byte_vector tile_pixels;  // native, stored type, of one tile
  std::int64_t rows = 1;    // of a tile
  std::int64_t columns = 1;

  byte_vector& tile(std::size_t index) { return std::get<byte_vector>(image.columns[0].cells[index]); }
  /// The pixels of tile `index` as a section.
  box place(std::int64_t index) const { return {3, {index, 0, 0}, {1, rows, columns}}; }
  /// Bytes of one element of COMPRESSED_DATA, which descriptors count.
  std::size_t element_bytes() const { return image.codec == "PLIO_1" ? 2 : 1; }
};

/// The tile's pixels as native integers of `width` bytes, by the layout of the codec.
inline byte_vector stored_pixels(const codec_row& row, const encoded_tile& tile, std::size_t width) {
  byte_vector pixels(static_cast<std::size_t>(tile.pixels) * width);
  for (std::size_t i = 0; i < tile.pixels; ++i) {
    for (std::size_t byte = 0; byte < width; ++byte) {  // the least significant first
      const std::size_t from_top = tile.element_bytes - 1 - byte;
      std::size_t at = i * tile.element_bytes + byte;
      if (row.layout == raw_layout::big_endian) at = i * tile.element_bytes + from_top;
      if (row.layout == raw_layout::big_endian_planes) at = from_top * tile.pixels + i;
      pixels[i * width + byte] = tile.raw[at];
    }
  }
  return pixels;
}

inline std::vector<std::string> parameter_cards(const codec_row& row, const codec_parameters& parameters) {
  if (row.id == codec_id::rice_1) {
    return {card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", parameters.rice_block_pixels), card("ZNAME2", "BYTEPIX"),
            card("ZVAL2", parameters.rice_pixel_bytes)};
  }
  if (row.id == codec_id::hcompress_1) {
    return {card("ZNAME1", "SCALE"), card("ZVAL1", 0), card("ZNAME2", "SMOOTH"),
            card("ZVAL2", parameters.hcompress_smooth ? 1 : 0)};
  }
  return {};
}

inline table_column data_column(const codec_row& row) {
  return {"COMPRESSED_DATA", row.id == codec_id::plio_1 ? "1PI" : "1PB", {}};
}

/// At most `most` images of `copies` tiles of `pixels` pixels, spread over all the ways in which `row`'s codec can be
/// written here. Empty for a codec without an encoder in this build.
inline std::vector<codec_image> codec_images(const codec_row& row, std::uint64_t pixels, int copies, std::size_t most) {
  std::vector<encoded_tile> tiles = make_tiles(row, pixels, 5);
  std::erase_if(tiles, [](const encoded_tile& tile) { return tile.parameters.plio_zero != 0; });  // needs BZERO
  std::vector<codec_image> images;
  const std::size_t stride = tiles.size() / most + 1;
  for (std::size_t i = 0; i < tiles.size(); i += stride) {
    const encoded_tile& tile = tiles[i];
    const std::uint32_t width = tile.parameters.hcompress_clip_16 ? 2 : tile.element_bytes;
    codec_image made;
    made.name = std::string(row.fits_name) + " " + tile.name;
    made.tile_pixels = stored_pixels(row, tile, width);
    made.rows = static_cast<std::int64_t>(tile.rows);
    made.columns = static_cast<std::int64_t>(tile.pixels / tile.rows);
    made.image.codec = row.fits_name;
    made.image.bitpix = static_cast<int>(8 * width);
    made.image.axes = {made.columns, made.rows, copies};
    made.image.tiles = {made.columns, made.rows, 1};
    made.image.columns = {data_column(row)};
    made.image.columns[0].cells.assign(static_cast<std::size_t>(copies), tile.bytes);
    made.image.extra = parameter_cards(row, tile.parameters);
    images.push_back(std::move(made));
  }
  return images;
}

/// RICE_1, BYTEPIX = 4: blocks in plain bits and blocks of codes with f = 4 take turns.
inline byte_vector rice_tile(const std::vector<std::int32_t>& values, std::size_t block_pixels = 32) {
  msb_bit_writer bits;
  auto last = static_cast<std::uint32_t>(values.at(0));
  bits.put(last, 32);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<std::uint32_t>(values[i]);
    const std::uint32_t difference = value - last;
    last = value;
    const std::uint32_t mapped = (difference >> 31) != 0 ? ~(difference << 1) : difference << 1;
    const bool wide = i / block_pixels % 2 == 0;
    if (i % block_pixels == 0) bits.put(wide ? 26 : 5, 5);
    if (wide) {
      bits.put(mapped, 32);
    } else {
      bits.zeros(static_cast<int>(mapped >> 4)).put(1, 1).put(mapped & 15U, 4);
    }
  }
  return bits.bytes();
}

/// A tile of `rows` rows of 32-bit integers by `row`'s codec; PLIO_1 holds 0 to 2^24 - 1. Rice's differences should be
/// small. Empty where this build has no encoder.
inline byte_vector tile_of(const codec_row& row, const std::vector<std::int32_t>& values, int rows) {
  byte_vector plain;
  for (const std::int32_t value : values) append_be(plain, value);
  byte_vector planes;
  for (std::size_t plane = 0; plane < 4; ++plane) {
    for (std::size_t i = 0; i < values.size(); ++i) planes.push_back(plain[4 * i + plane]);
  }
  std::vector<std::uint16_t> words;  // set the value, emit one pixel
  for (const std::int32_t value : values) {
    words.push_back(static_cast<std::uint16_t>(0x1000 | (value & 0xfff)));
    words.push_back(static_cast<std::uint16_t>((value >> 12) & 0xfff));
    words.push_back(0x4001);
  }
  switch (row.id) {
    case codec_id::none: return plain;
    case codec_id::gzip_1: return gzip_by_libdeflate(plain, 6);
    case codec_id::gzip_2: return gzip_by_libdeflate(planes, 6);
    case codec_id::rice_1: return rice_tile(values);
    case codec_id::plio_1: return plio_tile_of(words);
    case codec_id::hcompress_1: break;
  }
#if defined(XDR_HAVE_CFITSIO)
  return hcompress_by_cfitsio({values.begin(), values.end()}, rows, static_cast<int>(values.size()) / rows, 0, true);
#else
  static_cast<void>(rows);
  return {};
#endif
}

/// A compressed image of 32-bit integers, `width` x `height`, in tiles of `tile_width` x `tile_height`, cut by plain
/// loops. Without rows where this build has no encoder.
inline compressed_image integer_image(const codec_row& row, std::int64_t width, std::int64_t height,
                                      std::int64_t tile_width, std::int64_t tile_height,
                                      const std::vector<std::int32_t>& values) {
  compressed_image image;
  image.codec = row.fits_name;
  image.bitpix = 32;
  image.axes = {width, height};
  image.tiles = {tile_width, tile_height};
  image.columns = {data_column(row)};
  for (std::int64_t top = 0; top < height; top += tile_height) {
    for (std::int64_t left = 0; left < width; left += tile_width) {
      std::vector<std::int32_t> tile;
      int rows = 0;
      for (std::int64_t y = top; y < top + tile_height && y < height; ++y, ++rows) {
        for (std::int64_t x = left; x < left + tile_width && x < width; ++x) {
          tile.push_back(values[static_cast<std::size_t>(y * width + x)]);
        }
      }
      byte_vector bytes = tile_of(row, tile, rows);
      if (!bytes.empty()) image.columns[0].cells.emplace_back(std::move(bytes));
    }
  }
  return image;
}

/// Makes quantised floats of such an image: `bitpix` -32 or -64, the same scale and zero for every tile.
inline compressed_image quantised(compressed_image image, int bitpix, double scale, double zero,
                                  const std::vector<std::string>& extra = {}) {
  const std::size_t tiles = image.columns[0].cells.size();
  image.bitpix = bitpix;
  image.columns.push_back({"ZSCALE", "1D", std::vector<table_cell>(tiles, scale)});
  image.columns.push_back({"ZZERO", "1D", std::vector<table_cell>(tiles, zero)});
  image.extra.insert(image.extra.end(), extra.begin(), extra.end());
  return image;
}

}  // namespace cuphoton::xdr::test
