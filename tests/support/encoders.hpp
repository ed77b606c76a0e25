// encoders.hpp: valid tiles of every codec with the raw bytes they must decode to, by other people's encoders.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/codec.hpp"

namespace cuphoton::xdr::test {

struct encoded_tile {
  std::string name;
  codec_parameters parameters;
  std::uint64_t pixels = 0;
  std::uint32_t element_bytes = 0;
  std::vector<std::uint8_t> bytes;  // the tile as a file holds it
  std::vector<std::uint8_t> raw;    // in the codec's raw_layout
  std::uint64_t rows = 1;           // of the tile; divides `pixels`

  tile_extents extents() const { return {rows, pixels / rows}; }
};

/// Tiles of `pixels` >= 1 pixels in all the ways `row`'s codec can be written here: element widths, kinds of data
/// (equal, ramp, noise, random), levels of gzip, block sizes of Rice. The same seed gives the same tiles. Empty for a
/// codec without an encoder in this build.
std::vector<encoded_tile> make_tiles(const codec_row& row, std::uint64_t pixels, std::uint32_t seed);

/// A gzip member around `raw` by zlib, level 0 to 9.
std::vector<std::uint8_t> gzip_by_zlib(std::span<const std::uint8_t> raw, int level);
/// The same by libdeflate, level 0 to 12.
std::vector<std::uint8_t> gzip_by_libdeflate(std::span<const std::uint8_t> raw, int level);

}  // namespace cuphoton::xdr::test
