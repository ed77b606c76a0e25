// encode_hcompress.hpp: HCOMPRESS_1 tiles by CFITSIO.
#pragma once

#include <cstdint>
#include <vector>

#include "support/encoders.hpp"

namespace cuphoton::xdr::test {

#if defined(XDR_HAVE_CFITSIO)
/// A stream of rows * columns pixels, by CFITSIO's 32-bit or 64-bit arithmetic.
std::vector<std::uint8_t> hcompress_by_cfitsio(std::vector<long long> pixels, int rows, int columns, int scale,
                                               bool wide);
/// What CFITSIO makes of a stream that it wrote, by 64-bit arithmetic.
std::vector<std::int32_t> hdecompress_by_cfitsio(std::vector<std::uint8_t> tile, std::uint64_t pixels, bool smooth);

/// Lines and blocks of `pixels` pixels, of all kinds of data, lossless and lossy, smoothed or not.
void add_hcompress_tiles(std::vector<encoded_tile>& tiles, std::uint64_t pixels, std::uint32_t seed);
#endif

}  // namespace cuphoton::xdr::test
