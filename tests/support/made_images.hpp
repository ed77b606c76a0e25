// made_images.hpp: whole FITS files with known pixels, plain and compressed, any shape and tiling, for tests of
// everything above the codecs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cuphoton/xdr/source.hpp>
#include <cuphoton/xdr/types.hpp>

#include "support/fits_builder.hpp"

namespace cuphoton::xdr::test {

/// Pixel i of a made image (row-major number): distinct for neighbours, fits 16 bits.
std::int16_t made_pixel(std::uint64_t index);
/// Big-endian 16-bit pixels of `section` of an image of `extents`.
byte_vector made_bytes(const shape& extents, const strided_box& section);

/// A primary HDU with the made pixels, BITPIX 16.
byte_vector plain_file(const shape& extents, const std::vector<std::string>& extra = {});
/// The compressed image of the made pixels, GZIP_1 tiles in the order of the table; change it, then `compressed_file`.
compressed_image gzip_image(const shape& extents, const shape& tile_shape);

/// memory_source over bytes that live as long as the source.
std::shared_ptr<const byte_source> source_of(byte_vector bytes, std::string name = "made.fits");

}  // namespace cuphoton::xdr::test
