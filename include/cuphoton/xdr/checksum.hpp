// checksum.hpp: DATASUM and CHECKSUM of an HDU (FITS 4.0 §4.4.2.7, appendix J) against the bytes of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <cuphoton/xdr/reader.hpp>
#include <cuphoton/xdr/source.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// `absent`: the keyword is not there or has no value, so that nothing can be said; that is no fault.
enum class checksum_state : std::uint8_t { good, bad, absent };
std::string_view name(checksum_state state) noexcept;

/// One keyword and the sum it speaks of.
struct checksum_finding {
  checksum_state state = checksum_state::absent;
  std::string written;                    // the keyword's value; "" where it is absent
  std::optional<std::uint32_t> expected;  // DATASUM's number, nothing where it holds none; all ones for CHECKSUM
  std::uint32_t actual = 0;               // sum of the bytes; not taken where both keywords are absent
  bool operator==(const checksum_finding&) const = default;
};

/// The sums are 32-bit ones' complement sums of big-endian words: they notice every change of one bit, and no exchange
/// of two words. A damaged keyword name reads as `absent`.
struct checksum_report {
  int hdu_index = 0;
  checksum_finding data;         // DATASUM: the data unit with its padding
  checksum_finding whole;        // CHECKSUM: header and data unit; 0 is as good as all ones
  std::uint64_t bytes_read = 0;  // asked of the source
  bool operator==(const checksum_report&) const = default;
};

/// Sums the HDU that `inspect` listed, of any kind, in pieces of 1 MiB on `threads` threads (0: one for each core).
/// Padding that the file lacks at its end counts as if it were there. Throws error{file_truncated} where the file ends
/// inside the HDU, {invalid_argument} for offsets that are no HDU's.
checksum_report verify_checksums(const byte_source& source, const hdu_info& hdu, unsigned threads = 0);
/// "DATASUM good, CHECKSUM bad (the words of the HDU add up to 7, expected 4294967295)".
std::string to_string(const checksum_report& report);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
