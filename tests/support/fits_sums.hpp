// fits_sums.hpp: writes DATASUM and CHECKSUM into HDUs made by hand, word by word as FITS 4.0 appendix J says and not
// through the library under test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/fits_builder.hpp"

namespace cuphoton::xdr::test {

/// Ones' complement sum of big-endian words; `bytes` holds whole words.
std::uint32_t plain_sum(const byte_vector& bytes, std::size_t from = 0);
/// The 16 characters that bring an HDU from `sum`, taken with sixteen '0' in their place, to all ones.
std::string encode_sum(std::uint32_t sum);
/// The HDU of `hdu_bytes` with both keywords after `cards`.
byte_vector summed_hdu(std::vector<std::string> cards, byte_vector data);

}  // namespace cuphoton::xdr::test
