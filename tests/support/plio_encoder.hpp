// plio_encoder.hpp: tiles of PLIO_1 by CFITSIO's encoder, and by one of our own that varies the words more.
#pragma once

#include <cstdint>
#include <vector>

#include "support/encoders.hpp"

namespace cuphoton::xdr::test {

/// Big-endian words as a tile holds them.
std::vector<std::uint8_t> plio_bytes(const std::vector<std::uint16_t>& words);

/// Header with 15-bit length (word 3) or with two words of length, then `data`.
enum class plio_header_form { short_length, long_length };
std::vector<std::uint8_t> plio_tile_of(const std::vector<std::uint16_t>& data,
                                       plio_header_form form = plio_header_form::long_length);

/// Masks of `pixels` >= 1 pixels: bits on zero, runs, noise, values up to 2^24 - 1, nothing at all; with and without
/// the subtraction of 32768; both headers. Empty without CFITSIO.
std::vector<encoded_tile> make_plio_tiles(std::uint64_t pixels, std::uint32_t seed);

}  // namespace cuphoton::xdr::test
