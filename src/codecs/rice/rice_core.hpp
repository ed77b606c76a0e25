// rice_core.hpp: RICE_1 (FITS 4.0 §10.4.1) for host and device: one lane decodes one tile, pixel after pixel, since
// neither blocks nor codes can be found but by decoding. Tiles are what runs in parallel.
//
//   first pixel, big-endian, BYTEPIX bytes · then blocks of `block_pixels` pixels in one run of bits, each
//   f + 1 : 3, 4 or 5 bits for BYTEPIX 1, 2, 4
//     0          every pixel equals the one before the block
//     fs_max + 1 each mapped difference in 8, 16 or 32 plain bits
//     else       each mapped difference as q zeros, a one, f low bits: (q << f) | low
//   Differences are mapped to 0, -1, 1, -2, ... -> 0, 1, 2, 3, ... and summed modulo the pixel's width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"

#define XDR_FILE_ID 3

namespace cuphoton::xdr {

template <class Pixel>
struct rice_traits;
template <>
struct rice_traits<std::uint8_t> {
  static constexpr int fs_bits = 3;
  static constexpr int fs_max = 6;
};
template <>
struct rice_traits<std::uint16_t> {
  static constexpr int fs_bits = 4;
  static constexpr int fs_max = 14;
};
template <>
struct rice_traits<std::uint32_t> {
  static constexpr int fs_bits = 5;
  static constexpr int fs_max = 25;
};

/// Pixels stored one after the other, at any address.
template <class Pixel>
struct rice_array_sink {
  std::uint8_t* bytes;
  XDR_HD void operator()(std::uint64_t index, Pixel value) const {
    std::memcpy(bytes + index * sizeof(Pixel), &value, sizeof value);
  }
};

/// Inverse of the mapping. Modulo 2^32, later cut to the pixel's width, as CFITSIO does: a difference that is too wide
/// for the pixel is no error (old encoders write one bit more).
XDR_HD constexpr std::uint32_t rice_difference(std::uint32_t mapped) {
  return (mapped >> 1) ^ (0u - (mapped & 1u));
}

/// What is carried from pixel to pixel.
struct rice_state {
  msb_reader reader;
  std::uint32_t last;  // the pixel before; only its low bits count
};

/// `Count` coded pixels from `first_index` on, without a test before the end: right if all of them lay in the bits that
/// the refill brought, which is what the result says. Otherwise `state` and whatever the sink got must be thrown away.
template <class Pixel, int Count, class Sink>
XDR_HD bool rice_group(rice_state& state, int f, std::uint64_t first_index, const Sink& sink) {
  state.reader.refill_fast();
  std::uint64_t window = state.reader.window();
  std::uint32_t last = state.last;
  int used = 0;
  for (int k = 0; k < Count; ++k) {
    // `| 1` keeps the count of zeros defined; a run that needs it is longer than the window and makes `used` too large.
    const int zeros = leading_zeros(window | 1u);
    const std::uint64_t from_one = window << zeros;
    // The stop bit is the top bit, f low bits follow: (1 << f) | low.
    const auto low = static_cast<std::uint32_t>(from_one >> (63 - f));
    const std::uint32_t mapped = low + (static_cast<std::uint32_t>(zeros - 1) << f);
    last += rice_difference(mapped);
    sink(first_index + static_cast<std::uint64_t>(k), static_cast<Pixel>(last));
    const int length = zeros + 1 + f;
    window <<= length & 63;  // one shift on the critical path; a length that is cut makes `used` too large
    used += length;
  }
  if (used > window_bits) [[unlikely]]
    return false;
  state.reader.skip(used);
  state.last = last;
  return true;
}

/// One coded pixel with every bit bounded.
template <class Pixel, class Sink>
XDR_HD verdict rice_pixel(rice_state& state, int f, std::uint64_t index, const Sink& sink) {
  const std::uint64_t zeros = state.reader.read_unary();
  const std::uint32_t low = f == 0 ? 0u : state.reader.read(f);
  XDR_CHECK(!state.reader.overran(), tile_status::truncated);
  state.last += rice_difference((static_cast<std::uint32_t>(zeros) << f) | low);
  sink(index, static_cast<Pixel>(state.last));
  return {};
}

/// Coded pixels [begin, end), in groups while the input is far from its end. `index` tells how far it came.
template <class Pixel, int Count, class Sink>
XDR_HD verdict rice_coded_block(rice_state& state, int f, std::uint64_t& index, std::uint64_t end, const Sink& sink) {
  while (end - index >= Count && state.reader.far_from_end()) {
    const rice_state before = state;
    if (rice_group<Pixel, Count>(state, f, index, sink)) [[likely]] {
      index += Count;
      continue;
    }
    state = before;  // a long code: the group again with care
    for (int k = 0; k < Count; ++k, ++index) XDR_TRY(rice_pixel<Pixel>(state, f, index, sink));
  }
  for (; index < end; ++index) XDR_TRY(rice_pixel<Pixel>(state, f, index, sink));
  return {};
}

/// One block, pixels [index, end).
template <class Pixel, class Lanes, class Sink>
XDR_HD verdict rice_block(Lanes& lanes, rice_state& state, std::uint64_t& index, std::uint64_t end, const Sink& sink) {
  using traits = rice_traits<Pixel>;
  const int f = static_cast<int>(state.reader.read(traits::fs_bits)) - 1;
  XDR_CHECK(!state.reader.overran(), tile_status::truncated);
  XDR_CHECK(f <= traits::fs_max, tile_status::bad_data);  // 32-bit pixels only: the field can say 26 to 30
  if (f < 0) {
    const auto value = static_cast<Pixel>(state.last);
    while (index < end) {  // a phase counts in int, a block may be longer
      constexpr std::uint64_t longest_phase = std::uint64_t{1} << 20;
      const std::uint64_t count = end - index < longest_phase ? end - index : longest_phase;
      lanes.phase(static_cast<int>(count), [&](int i) { sink(index + static_cast<std::uint64_t>(i), value); });
      index += count;
    }
    return {};
  }
  if (f == traits::fs_max) {  // plain bits, but a running sum: no phase here
    for (; index < end; ++index) {
      const std::uint32_t mapped = state.reader.read(static_cast<int>(8 * sizeof(Pixel)));
      XDR_CHECK(!state.reader.overran(), tile_status::truncated);
      state.last += rice_difference(mapped);
      sink(index, static_cast<Pixel>(state.last));
    }
    return {};
  }
  // As many pixels a group as usually share window_bits: a code takes f + 3 bits on average, where the encoder chose f
  // well.
  if (f <= 9) return rice_coded_block<Pixel, 4>(state, f, index, end, sink);
  return rice_coded_block<Pixel, 2>(state, f, index, end, sink);
}

/// All blocks behind the first pixel. `index` ends as the number of pixels that the sink got.
template <class Pixel, class Lanes, class Sink>
XDR_HD verdict rice_blocks(Lanes& lanes, rice_state& state, std::uint32_t block_pixels, std::uint64_t pixels,
                           std::uint64_t& index, const Sink& sink) {
  while (index < pixels) {
    const std::uint64_t left = pixels - index;
    XDR_TRY(rice_block<Pixel>(lanes, state, index, index + (left < block_pixels ? left : block_pixels), sink));
  }
  return {};
}

/// Decodes a tile whose pixels are `Pixel` wide; `sink(index, value)` gets each pixel, in order but for fill blocks
/// (and a second time where a group is decoded again). Time is bounded by pixels and input.
template <class Pixel, class Lanes, class Sink>
XDR_HD verdict decode_rice(Lanes& lanes, byte_view tile, std::uint32_t block_pixels, std::uint64_t pixels,
                           const Sink& sink, tile_result& result) {
  XDR_CHECK(block_pixels != 0, tile_status::bad_data);
  // The first pixel and at least one byte of blocks: no encoder writes less.
  XDR_CHECK(tile.length_bytes >= sizeof(Pixel) + 1, tile_status::truncated);
  rice_state state{msb_reader({tile.data + sizeof(Pixel), tile.length_bytes - sizeof(Pixel)}),
                   load_be<Pixel>(tile.data)};
  std::uint64_t index = 0;
  const verdict outcome = rice_blocks<Pixel>(lanes, state, block_pixels, pixels, index, sink);
  const std::uint64_t length_bits = 8 * static_cast<std::uint64_t>(tile.length_bytes);
  const std::uint64_t bits_used = 8 * sizeof(Pixel) + state.reader.bits_used();
  result.bits_used = bits_used < length_bits ? bits_used : length_bits;
  result.bytes_written = index * sizeof(Pixel);
  XDR_TRY(outcome);
  result.element_bytes = sizeof(Pixel);
  result.surplus_input = (bits_used + 7) / 8 < tile.length_bytes;
  return {};
}

/// The same with an array for a sink, where it has the room.
template <class Pixel, class Lanes>
XDR_HD verdict decode_rice_array(Lanes& lanes, byte_view tile, std::uint32_t block_pixels, std::uint64_t pixels,
                                 std::uint8_t* room, std::uint64_t room_bytes, tile_result& result) {
  XDR_CHECK(pixels <= room_bytes / sizeof(Pixel), tile_status::output_long);
  return decode_rice<Pixel>(lanes, tile, block_pixels, pixels, rice_array_sink<Pixel>{room}, result);
}

template <class Lanes>
XDR_HD verdict decode_rice_any(Lanes& lanes, byte_view tile, std::uint32_t pixel_bytes, std::uint32_t block_pixels,
                               std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes,
                               tile_result& result) {
  XDR_CHECK(pixel_bytes == 1 || pixel_bytes == 2 || pixel_bytes == 4, tile_status::bad_data);
  if (pixel_bytes == 1) {
    return decode_rice_array<std::uint8_t>(lanes, tile, block_pixels, pixels, room, room_bytes, result);
  }
  if (pixel_bytes == 2) {
    return decode_rice_array<std::uint16_t>(lanes, tile, block_pixels, pixels, room, room_bytes, result);
  }
  return decode_rice_array<std::uint32_t>(lanes, tile, block_pixels, pixels, room, room_bytes, result);
}

/// Decodes one tile of `pixels` integers of `pixel_bytes` (BYTEPIX) bytes, blocks of `block_pixels` (BLOCKSIZE), into
/// native integers; nothing behind the last pixel is touched.
template <class Lanes>
XDR_HD tile_result decode_rice_tile(Lanes& lanes, byte_view tile, std::uint32_t pixel_bytes, std::uint32_t block_pixels,
                                    std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes) {
  tile_result result;
  if (pixels == 0 && tile.length_bytes == 0) {
    result.status = tile_status::ok;
    result.element_bytes = static_cast<std::uint8_t>(pixel_bytes <= 4 && pixel_bytes != 0 ? pixel_bytes : 1);
    return result;
  }
  const verdict outcome = decode_rice_any(lanes, tile, pixel_bytes, block_pixels, pixels, room, room_bytes, result);
  result.status = outcome.status;
  result.check = outcome.check;
  return result;
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
