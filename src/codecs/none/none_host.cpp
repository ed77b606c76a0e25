// none_host.cpp: uncompressed tiles are used where they lie.
#include "codecs/none/none_host.hpp"

#include "codecs/none/none_core.hpp"

namespace cuphoton::xdr {

decoded_tile decode_none_host(const codec_parameters&, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t>) {
  return {decode_raw_tile(compressed, extents.pixels()), compressed.data};
}

}  // namespace cuphoton::xdr
