// gzip_host.hpp: GZIP_1 and GZIP_2 on the host.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

decoded_tile decode_gzip_host(const codec_parameters& parameters, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t> room);

}  // namespace cuphoton::xdr
