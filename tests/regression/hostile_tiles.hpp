// hostile_tiles.hpp: what the lessons about hostile tiles share: one bad tile between two good ones, read by the public
// door, and a tile between unmapped pages, decoded in every way.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/codec_cores.hpp"
#include "support/encoders.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr::test {

/// Tiles one below the other, each of `rows` x `columns` pixels.
struct stack_of_tiles {
  std::string codec = "RICE_1";
  int bitpix = 16;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::vector<std::string> extra;
};

inline compressed_image stacked(const stack_of_tiles& kind, const std::vector<byte_vector>& tiles) {
  compressed_image image;
  image.codec = kind.codec;
  image.bitpix = kind.bitpix;
  image.axes = {kind.columns, kind.rows * static_cast<std::int64_t>(tiles.size())};
  image.tiles = {kind.columns, kind.rows};
  image.extra = kind.extra;
  image.columns = {{"COMPRESSED_DATA", kind.codec == "PLIO_1" ? "1PI" : "1PB", {}}};
  for (const byte_vector& tile : tiles) image.columns[0].cells.emplace_back(tile);
  return image;
}

/// The rows of tile `index`.
inline read_options only_tile(const stack_of_tiles& kind, std::int64_t index) {
  read_options options;
  options.section = box{2, {index * kind.rows, 0}, {kind.rows, kind.columns}};
  return options;
}

/// `bad` between two tiles of the pixels `pixels`: reading ends in the error that names it and says `status`; the tiles
/// beside it can be read all the same.
template <class T>
void expect_one_bad_tile(const stack_of_tiles& kind, const byte_vector& good, const std::vector<T>& pixels,
                         const byte_vector& bad, tile_status status) {
  const byte_vector file = compressed_file(stacked(kind, {good, bad, good}));
  expect_error(error_of(file, 1), errc::tile_corrupt, {"made.fits", 1, 1},
               {kind.codec, std::string(name(status)) + " after"});
  expect_pixels<T>(load_both(file, 1, only_tile(kind, 0)), pixels);
  expect_pixels<T>(load_both(file, 1, only_tile(kind, 2)), pixels);
}

/// Between unmapped pages, so that a byte read or written outside ends the process: by the host engine, by the core
/// with one lane and by the core with lanes in other orders, which must agree.
class judged_tiles : public testing::Test {
 protected:
  tile_result judge(codec_id id, const byte_vector& tile, const tile_extents& extents,
                    std::uint32_t bytes_per_pixel = 4, const codec_parameters& parameters = {}) {
    const placement where = (++calls_ & 1U) != 0 ? placement::at_end : placement::at_start;
    const auto [decoded, difference] =
        judge_.decode(*find_codec(id), parameters, tile, extents, bytes_per_pixel, where, calls_);
    EXPECT_EQ(difference, "");
    EXPECT_NE(name(decoded.result.status), name(tile_status::not_run));
    EXPECT_LE(decoded.result.bits_used, 8 * tile.size());
    EXPECT_LE(decoded.result.bytes_written, extents.pixels() * bytes_per_pixel);
    return decoded.result;
  }

 private:
  tile_judge judge_{std::size_t{1} << 20, std::size_t{1} << 20};
  std::uint32_t calls_ = 0;
};

/// A tile of a codec that is stored as `stack_of_tiles` says; nothing where the header could not say its parameters.
inline std::optional<stack_of_tiles> kind_of(const codec_row& row, const encoded_tile& tile) {
  if (tile.parameters.plio_zero != 0 || tile.parameters.hcompress_clip_16) return std::nullopt;
  stack_of_tiles kind{std::string(row.fits_name),
                      8 * static_cast<int>(tile.element_bytes),
                      static_cast<std::int64_t>(tile.rows),
                      static_cast<std::int64_t>(tile.pixels / tile.rows),
                      {}};
  if (row.id == codec_id::rice_1) {
    kind.extra = {card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", tile.parameters.rice_block_pixels),
                  card("ZNAME2", "BYTEPIX"), card("ZVAL2", tile.parameters.rice_pixel_bytes)};
  }
  if (row.id == codec_id::hcompress_1) {
    kind.extra = {card("ZNAME1", "SMOOTH"), card("ZVAL1", tile.parameters.hcompress_smooth ? 1 : 0)};
  }
  return kind;
}

/// The pixels of an encoded tile as numbers of this machine, by the three layouts' definition.
inline byte_vector native_pixels(const codec_row& row, const encoded_tile& tile) {
  byte_vector pixels(tile.raw.size());
  const std::size_t width = tile.element_bytes;
  for (std::size_t i = 0; i < tile.pixels; ++i) {
    for (std::size_t b = 0; b < width; ++b) {
      const std::size_t significant = width - 1 - b;  // this machine begins with the least significant byte
      const std::size_t from = row.layout == raw_layout::native_int   ? i * width + b
                               : row.layout == raw_layout::big_endian ? i * width + significant
                                                                      : significant * tile.pixels + i;
      pixels[i * width + b] = tile.raw[from];
    }
  }
  return pixels;
}

inline void expect_bytes(const image& pixels, const byte_vector& expected) {
  ASSERT_EQ(pixels.size_bytes(), expected.size());
  EXPECT_EQ(std::memcmp(pixels.data(), expected.data(), expected.size()), 0);
}

}  // namespace cuphoton::xdr::test
