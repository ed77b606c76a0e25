// codec_cores.hpp: the shared decoder texts behind the codec table, run under any lanes, and the judgement that all
// ways of decoding a tile agree. Used by the conformance test and by the fuzzers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codecs/codec.hpp"
#include "support/guarded_buffer.hpp"

namespace cuphoton::xdr::test {

/// A core with its lanes: seed 0 is one_lane, every other number an order of shuffled_lanes. `room` has no slack: cores
/// write nothing but elements.
using core_function = decoded_tile (*)(std::uint32_t seed, const codec_parameters& parameters, byte_view compressed,
                                       const tile_extents& extents, std::span<std::uint8_t> room);

struct codec_core {
  codec_id id;
  std::string_view folder;  // src/codecs/<folder>, also the name of the fuzz target
  core_function decode;
};
std::span<const codec_core> codec_cores();
/// nullptr where the codec has no row.
const codec_core* find_core(codec_id id);

/// Decodes one tile in every way (host engine, core with one lane, core shuffled) between guard pages.
class tile_judge {
 public:
  tile_judge(std::size_t longest_tile_bytes, std::size_t largest_room_bytes);

  struct outcome {
    decoded_tile tile;       // of the host engine; `raw` is good until the next call
    std::string difference;  // empty where all agree
  };
  outcome decode(const codec_row& row, const codec_parameters& parameters, std::span<const std::uint8_t> tile,
                 const tile_extents& extents, std::uint32_t bytes_per_pixel, placement where, std::uint32_t seed);

 private:
  guarded_buffer input_;
  guarded_buffer host_room_;
  guarded_buffer core_room_;
};

}  // namespace cuphoton::xdr::test
