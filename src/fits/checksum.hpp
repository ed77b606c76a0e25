// checksum.hpp: the ones' complement sums of FITS 4.0 appendix J over the bytes of one HDU, and what DATASUM and
// CHECKSUM say about them. Knows where an HDU lies and two keywords; no pixel, no tile.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuphoton/xdr/checksum.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr::fits {

/// Carries go around: nothing but 0 becomes 0, so that a sum has one form whatever the order of its parts.
constexpr std::uint32_t fold_carries(std::uint64_t sum) {
  while (sum >> 32 != 0) sum = (sum >> 32) + (sum & 0xFFFFFFFF);
  return static_cast<std::uint32_t>(sum);
}
/// Sum of two sums.
constexpr std::uint32_t add_sums(std::uint32_t a, std::uint32_t b) {
  return fold_carries(std::uint64_t{a} + b);
}

/// Sum of the big-endian words of `length_bytes` bytes, any alignment; a last word of less than 4 bytes counts as if
/// zeros followed.
std::uint32_t sum_bytes(const std::uint8_t* bytes, std::size_t length_bytes);

struct hdu_sums {
  std::uint32_t header = 0;
  std::uint32_t data = 0;
  std::uint64_t bytes_read = 0;
};
/// Sums header and data unit of `unit`, which `scan` described, with their padding.
hdu_sums sum_hdu(const byte_source& source, const hdu& unit, unsigned threads);

/// What the HDU's keywords say of its sums. Reads nothing where both are absent.
checksum_report verify_checksums(const byte_source& source, const hdu& unit, unsigned threads);

}  // namespace cuphoton::xdr::fits
