// gunzip.hpp: one member of a .gz file (RFC 1952) to bytes in memory.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "io/unpacked_bytes.hpp"

namespace cuphoton::xdr::io {

/// Bytes to begin with for a file that is `packed`: what the last member says it holds (ISIZE) where that can be true,
/// bounded by what DEFLATE can make of the file.
std::uint64_t first_gunzip_bytes(byte_view packed);
/// Appends what the member at the start of `packed` holds, CRC32 and ISIZE verified. Throws std::bad_alloc.
member_report gunzip_member(byte_view packed, unpacked_bytes& out);

}  // namespace cuphoton::xdr::io
