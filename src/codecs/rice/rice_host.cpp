// rice_host.cpp: the shared text with one lane.
#include "codecs/rice/rice_host.hpp"

#include "base/lanes.hpp"
#include "codecs/rice/rice_core.hpp"

namespace cuphoton::xdr {

decoded_tile decode_rice_host(const codec_parameters& parameters, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t> room) {
  one_lane lanes;
  return {decode_rice_tile(lanes, compressed, parameters.rice_pixel_bytes, parameters.rice_block_pixels,
                           extents.pixels(), room.data(), raw_room_bytes(room)),
          room.data()};
}

}  // namespace cuphoton::xdr
