// encode_bzip2.hpp: a bzip2 stream by libbz2, for tests of whole-file compression.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cuphoton::xdr::test {

/// `level` 1 to 9: blocks of that many 100 kB.
std::vector<std::uint8_t> bzip2_by_libbz2(std::span<const std::uint8_t> raw, int level);

}  // namespace cuphoton::xdr::test
