// raw_layout.hpp: all that restore learns of a codec.
#pragma once

#include <cstdint>

namespace cuphoton::xdr {

/// How raw elements lie in memory after decoding.
enum class raw_layout : std::uint8_t {
  big_endian,         // pixel after pixel, most significant byte first
  big_endian_planes,  // GZIP_2: all first bytes, then all second bytes, ...; plane 0 is the most significant
  native_int,         // integers of this machine
};

}  // namespace cuphoton::xdr
