// peer_limits.hpp: what the child of verify does to itself before CFITSIO sees a byte.
#pragma once

#include <cstdint>

namespace cuphoton::xdr::cli {

/// Seconds of wall clock and CPU for an image of that many bytes.
unsigned peer_seconds(std::uint64_t expected_bytes);
/// Limits memory and CPU, dies with its parent, and moves stdout to stderr so that no message of CFITSIO can get
/// among the pixels. Returns the descriptor for the pixels.
int limit_this_process(std::uint64_t expected_bytes);

}  // namespace cuphoton::xdr::cli
