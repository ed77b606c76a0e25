// header.hpp: fetches the blocks of one header through byte_source, up to its END card. Step 2 of the life of an image;
// looks at no keyword but END.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/cards.hpp"

namespace cuphoton::xdr::fits {

/// Header and data units start at multiples of this (FITS 4.0 §3.1).
inline constexpr std::uint64_t block_bytes = 2880;

struct header {
  std::uint64_t offset_bytes = 0;
  std::uint64_t data_offset_bytes = 0;  // where the data unit starts; may pass the file's end where padding is missing
  card_list cards;
  std::vector<std::string> notes;  // how the padding differs from the standard's
};

/// Reads the header that starts at `offset_bytes`; `place` is for messages. Reads one block first, then twice as much
/// each time up to 256 KiB, so that it never reads more than about twice the header. Throws error{header_invalid} where
/// END does not come before the file or `caps.max_header_bytes` ends, and what the source throws.
header read_header(const byte_source& source, std::uint64_t offset_bytes, const where& place, const limits& caps);

}  // namespace cuphoton::xdr::fits
