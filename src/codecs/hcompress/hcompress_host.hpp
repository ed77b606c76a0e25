// hcompress_host.hpp: HCOMPRESS_1 on the host.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

decoded_tile decode_hcompress_host(const codec_parameters& parameters, byte_view compressed,
                                   const tile_extents& extents, std::span<std::uint8_t> room);

}  // namespace cuphoton::xdr
