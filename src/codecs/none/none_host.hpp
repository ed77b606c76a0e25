// none_host.hpp: uncompressed tiles on the host.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

/// Nothing is copied: `raw` points into `compressed`.
decoded_tile decode_none_host(const codec_parameters& parameters, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t> room);

}  // namespace cuphoton::xdr
