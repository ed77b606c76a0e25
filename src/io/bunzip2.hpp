// bunzip2.hpp: one stream of a .bz2 file to bytes in memory.
#pragma once

#include "base/bytes.hpp"
#include "io/unpacked_bytes.hpp"

namespace cuphoton::xdr::io {

/// Appends what the stream at the start of `packed` holds; libbz2 verifies the CRCs of blocks and stream, and does not
/// tell them from other damage. Throws std::bad_alloc.
member_report bunzip2_member(byte_view packed, unpacked_bytes& out);

}  // namespace cuphoton::xdr::io
