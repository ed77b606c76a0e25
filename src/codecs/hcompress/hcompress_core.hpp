// hcompress_core.hpp: HCOMPRESS_1 (FITS 4.0 §10.4.4) for host and device: one tile from its bytes to 32-bit integers.
// Header, bit planes and transform stand in the files beside it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"
#include "base/tile_extents.hpp"
#include "codecs/hcompress/hcompress_bits_core.hpp"
#include "codecs/hcompress/hcompress_header_core.hpp"
#include "codecs/hcompress/hcompress_planes_core.hpp"
#include "codecs/hcompress/hcompress_transform_core.hpp"

namespace cuphoton::xdr {

/// What a file's header says, not the stream.
struct hcompress_options {
  bool smooth = false;
  bool clip_16 = false;  // pixels are stored as 16-bit integers: what does not fit becomes the nearest that does
};

/// Pixels on their way out. More than 32 bits are cut, as by every reader; only lossy streams get there.
template <class Word, class Store>
struct hcompress_pixels {
  Store store;
  bool clip;

  XDR_HD void operator()(std::size_t index, Word value) const {
    if (clip) value = larger(Word{0} - Word{32768}, smaller(value, Word{32767}));
    store(index, static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  }
};

template <class Word, class Input, class Lanes, class Store>
XDR_HD verdict decode_hcompress_as(Lanes& lanes, const Input& input, const hcompress_codes& codes,
                                   const hcompress_header& header, const hcompress_options& options,
                                   std::uint8_t* memory_bytes, const Store& store, std::uint64_t& at) {
  const auto memory = place_hcompress_memory<Word>(memory_bytes, header.rows, header.columns);
  XDR_TRY(read_coefficients(lanes, input, codes, header, memory, at));
  const hcompress_pixels<Word, Store> pixels{store, options.clip_16};
  if (options.smooth && header.scale > 1) {
    invert_transform<true>(lanes, header, memory, pixels);
  } else {
    invert_transform<false>(lanes, header, memory, pixels);
  }
  return {};
}

template <class Input, class Lanes, class Memory, class Store>
XDR_HD verdict decode_hcompress_any(Lanes& lanes, const hcompress_codes& codes, byte_view tile,
                                    const hcompress_options& options, const tile_extents& extents,
                                    std::uint64_t room_bytes, const Memory& memory, const Store& store,
                                    tile_result& result) {
  hcompress_header header;
  XDR_TRY(parse_hcompress_header(tile, extents, room_bytes, header));
  const Input input(tile);
  std::uint64_t at = 8 * hcompress_header_bytes;
  const bool narrow = hcompress_fits_32_bits(header, options.smooth);
  std::uint8_t* const bytes = memory(
      hcompress_memory_bytes(header.rows, header.columns, narrow ? sizeof(std::uint32_t) : sizeof(std::uint64_t)));
  const verdict outcome =
      narrow ? decode_hcompress_as<std::uint32_t>(lanes, input, codes, header, options, bytes, store, at)
             : decode_hcompress_as<std::uint64_t>(lanes, input, codes, header, options, bytes, store, at);
  result.bits_used = at < input.length_bits() ? at : input.length_bits();
  XDR_TRY(outcome);
  result.bytes_written = extents.pixels() * sizeof(std::int32_t);
  result.element_bytes = sizeof(std::int32_t);
  result.surplus_input = (at + 7) / 8 < tile.length_bytes;
  return {};
}

/// Decodes one tile. `memory(bytes)` gives that many bytes, aligned for 64-bit words, that may hold anything;
/// `store(index, value)` takes each pixel once, and only where all bits were good. `room_bytes`: what the stored pixels
/// may take, 4 bytes each. Time is bounded by pixels times planes.
template <class Input, class Lanes, class Memory, class Store>
XDR_HD tile_result decode_hcompress_tile(Lanes& lanes, const hcompress_codes& codes, byte_view tile,
                                         const hcompress_options& options, const tile_extents& extents,
                                         std::uint64_t room_bytes, const Memory& memory, const Store& store) {
  tile_result result;
  if (extents.pixels() == 0 && tile.length_bytes == 0) {  // nothing in nothing
    result.status = tile_status::ok;
    result.element_bytes = sizeof(std::int32_t);
    return result;
  }
  const verdict outcome =
      decode_hcompress_any<Input>(lanes, codes, tile, options, extents, room_bytes, memory, store, result);
  result.status = outcome.status;
  result.check = outcome.check;
  return result;
}

}  // namespace cuphoton::xdr
