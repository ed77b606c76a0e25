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

/// Pixels stored one after the other, at any address. A sink gets each pixel once, in order but for fill blocks: one by
/// one, or a group that `expect` announced before its bits were looked at.
template <class Pixel>
struct rice_array_sink {
  static constexpr bool repeats_are_harmless = true;  // pixels of a group may come at once, and again if it fails
  std::uint8_t* bytes;
  XDR_HD void operator()(std::uint64_t index, Pixel value) const {
    std::memcpy(bytes + index * sizeof(Pixel), &value, sizeof value);
  }
  XDR_HD void expect(std::uint64_t) const {}
};

/// Bits for the core out of a byte view: msb_reader, and groups of pixels out of its window. ring_reader.hpp has the
/// same members for the device.
class rice_view_input : public msb_reader {
 public:
  using index_type = std::uint64_t;
  /// As many pixels a group as usually share window_bits: a code takes f + 3 bits on average, where the encoder chose f
  /// well. From f = 10 on, narrow groups.
  static constexpr int wide_group = 4;
  static constexpr int narrow_group = 2;

  using msb_reader::msb_reader;

  /// What a group of codes is taken from, without a test in between.
  class group_window {
   public:
    XDR_HD explicit group_window(std::uint64_t bits) : bits_(bits) {}
    /// Zeros before the next one. `| 1` keeps the count defined; a run that needs it is longer than the window and
    /// makes `used` too large.
    XDR_HD int zeros() const { return leading_zeros(bits_ | 1U); }
    /// The one behind `zeros` zeros and the f bits after it.
    XDR_HD std::uint32_t from_one(int zeros, int f) const {
      return static_cast<std::uint32_t>((bits_ << zeros) >> (63 - f));
    }
    XDR_HD void skip(int length) {
      bits_ <<= length & 63;  // one shift on the critical path; a length that is cut makes `used` too large
      used_ += length;
    }
    XDR_HD int used() const { return used_; }

   private:
    std::uint64_t bits_;
    int used_ = 0;
  };

  XDR_HD void begin_block() {}
  /// After a "no" of far_from_end(): true where it only was a matter of asking.
  XDR_HD bool bring_more() { return false; }
  XDR_HD group_window open_group() {
    refill_fast();
    return group_window(window());
  }
  /// Takes what the group used, if the window held it all. After "no" the group has to be read again with care.
  XDR_HD bool close_group(const group_window& group, int) {
    if (group.used() > window_bits) [[unlikely]]
      return false;
    skip(group.used());
    return true;
  }
};

/// Inverse of the mapping. Modulo 2^32, later cut to the pixel's width, as CFITSIO does: a difference that is too wide
/// for the pixel is no error (old encoders write one bit more).
XDR_HD constexpr std::uint32_t rice_difference(std::uint32_t mapped) {
  return (mapped >> 1) ^ (0u - (mapped & 1u));
}

/// What is carried from pixel to pixel.
template <class Input>
struct rice_state {
  Input input;
  std::uint32_t last;  // the pixel before; only its low bits count
};

/// `Count` coded pixels from `first` on, without a test before the end: right if all of them lay in the window, which
/// is what the result says. Otherwise nothing has happened.
template <class Pixel, int Count, class Input, class Sink>
XDR_HD bool rice_group(rice_state<Input>& state, int f, typename Input::index_type first, Sink& sink) {
  sink.expect(first);
  auto window = state.input.open_group();
  std::uint32_t last = state.last;
  [[maybe_unused]] Pixel values[std::size_t{Count}];
  for (int k = 0; k < Count; ++k) {
    const int zeros = window.zeros();
    // The stop bit is the top bit, f low bits follow: (1 << f) | low.
    const std::uint32_t mapped = window.from_one(zeros, f) + (static_cast<std::uint32_t>(zeros - 1) << f);
    last += rice_difference(mapped);
    if constexpr (Sink::repeats_are_harmless) {
      sink(first + static_cast<typename Input::index_type>(k), static_cast<Pixel>(last));
    } else {
      values[k] = static_cast<Pixel>(last);
    }
    window.skip(zeros + 1 + f);
  }
  if (!state.input.close_group(window, f)) [[unlikely]]
    return false;
  state.last = last;
  if constexpr (!Sink::repeats_are_harmless) sink.group(first, values);
  return true;
}

/// One coded pixel with every bit bounded.
template <class Pixel, class Input, class Sink>
XDR_HD verdict rice_pixel(rice_state<Input>& state, int f, typename Input::index_type index, Sink& sink) {
  const auto zeros = static_cast<std::uint32_t>(state.input.read_unary());
  const std::uint32_t low = f == 0 ? 0U : state.input.read(f);
  XDR_CHECK(!state.input.overran(), tile_status::truncated);
  state.last += rice_difference((zeros << f) | low);
  sink(index, static_cast<Pixel>(state.last));
  return {};
}

/// Coded pixels [index, end), in groups while the input is far from its end. `index` tells how far it came.
template <class Pixel, int Count, class Input, class Sink>
XDR_HD verdict rice_coded_block(rice_state<Input>& state, int f, typename Input::index_type& index,
                                typename Input::index_type end, Sink& sink) {
  while (end - index >= Count && (state.input.far_from_end() || state.input.bring_more())) {
    if (rice_group<Pixel, Count>(state, f, index, sink)) [[likely]] {
      index += Count;
      continue;
    }
    // A long code: the group again with care.
    for (int k = 0; k < Count; ++k, ++index) XDR_TRY(rice_pixel<Pixel>(state, f, index, sink));
  }
  for (; index < end; ++index) XDR_TRY(rice_pixel<Pixel>(state, f, index, sink));
  return {};
}

/// Pixels [index, end), all equal.
template <class Lanes, class Index, class Pixel, class Sink>
XDR_HD void rice_fill(Lanes& lanes, Index& index, Index end, Pixel value, Sink& sink) {
  if constexpr (!Sink::repeats_are_harmless) {
    const Pixel values[4] = {value, value, value, value};
    for (; end - index >= 4; index += 4) {
      sink.expect(index);
      sink.group(index, values);
    }
  }
  while (index < end) {  // a phase counts in int, a block may be longer
    constexpr Index longest_phase = Index{1} << 20;
    const Index count = end - index < longest_phase ? end - index : longest_phase;
    lanes.phase(static_cast<int>(count), [&](int i) { sink(index + static_cast<Index>(i), value); });
    index += count;
  }
}

/// One block, pixels [index, end).
template <class Pixel, class Lanes, class Input, class Sink>
XDR_HD verdict rice_block(Lanes& lanes, rice_state<Input>& state, typename Input::index_type& index,
                          typename Input::index_type end, Sink& sink) {
  using traits = rice_traits<Pixel>;
  state.input.begin_block();
  const int f = static_cast<int>(state.input.read(traits::fs_bits)) - 1;
  XDR_CHECK(!state.input.overran(), tile_status::truncated);
  XDR_CHECK(f <= traits::fs_max, tile_status::bad_data);  // 32-bit pixels only: the field can say 26 to 30
  if (f < 0) {
    rice_fill(lanes, index, end, static_cast<Pixel>(state.last), sink);
    return {};
  }
  if (f == traits::fs_max) {  // plain bits, but a running sum: no phase here
    for (; index < end; ++index) {
      const std::uint32_t mapped = state.input.read(static_cast<int>(8 * sizeof(Pixel)));
      XDR_CHECK(!state.input.overran(), tile_status::truncated);
      state.last += rice_difference(mapped);
      sink(index, static_cast<Pixel>(state.last));
    }
    return {};
  }
  if constexpr (Input::wide_group != Input::narrow_group) {
    if (f > 9) return rice_coded_block<Pixel, Input::narrow_group>(state, f, index, end, sink);
  }
  return rice_coded_block<Pixel, Input::wide_group>(state, f, index, end, sink);
}

/// All blocks behind the first pixel. `index` ends as the number of pixels that the sink got.
template <class Pixel, class Lanes, class Input, class Sink>
XDR_HD verdict rice_blocks(Lanes& lanes, rice_state<Input>& state, std::uint32_t block_pixels,
                           typename Input::index_type pixels, typename Input::index_type& index, Sink& sink) {
  while (index < pixels) {
    const auto left = pixels - index;
    XDR_TRY(rice_block<Pixel>(lanes, state, index, index + (left < block_pixels ? left : block_pixels), sink));
  }
  return {};
}

/// Decodes a tile whose pixels are `Pixel` wide; `open(view)` makes the input of the blocks' bytes, `sink` gets each
/// pixel. Time is bounded by pixels and input.
template <class Pixel, class Lanes, class Open, class Sink>
XDR_HD verdict decode_rice(Lanes& lanes, byte_view tile, const Open& open, std::uint32_t block_pixels,
                           std::uint64_t pixels, Sink& sink, tile_result& result) {
  XDR_CHECK(block_pixels != 0, tile_status::bad_data);
  // The first pixel and at least one byte of blocks: no encoder writes less.
  XDR_CHECK(tile.length_bytes >= sizeof(Pixel) + 1, tile_status::truncated);
  using input_type = decltype(open(tile));
  rice_state<input_type> state{open(byte_view{tile.data + sizeof(Pixel), tile.length_bytes - sizeof(Pixel)}),
                               std::uint32_t{load_be<Pixel>(tile.data)}};
  using index_type = typename input_type::index_type;
  index_type index = 0;
  const verdict outcome = rice_blocks<Pixel>(lanes, state, block_pixels, static_cast<index_type>(pixels), index, sink);
  const std::uint64_t length_bits = 8 * static_cast<std::uint64_t>(tile.length_bytes);
  const std::uint64_t bits_used = 8 * sizeof(Pixel) + state.input.bits_used();
  result.bits_used = bits_used < length_bits ? bits_used : length_bits;
  result.bytes_written = std::uint64_t{index} * sizeof(Pixel);
  XDR_TRY(outcome);
  result.element_bytes = sizeof(Pixel);
  result.surplus_input = (bits_used + 7) / 8 < tile.length_bytes;
  return {};
}

/// The same where the pixels need `room_bytes` that somebody else has provided.
template <class Pixel, class Lanes, class Open, class Sink>
XDR_HD verdict decode_rice_into(Lanes& lanes, byte_view tile, const Open& open, std::uint32_t block_pixels,
                                std::uint64_t pixels, std::uint64_t room_bytes, Sink&& sink, tile_result& result) {
  XDR_CHECK(pixels <= room_bytes / sizeof(Pixel), tile_status::output_long);
  return decode_rice<Pixel>(lanes, tile, open, block_pixels, pixels, sink, result);
}

/// No pixels in no bytes: a tile, whatever the parameters are.
XDR_HD constexpr bool rice_is_nothing(byte_view tile, std::uint64_t pixels) {
  return pixels == 0 && tile.length_bytes == 0;
}
XDR_HD inline tile_result rice_nothing(std::uint32_t pixel_bytes) {
  tile_result result;
  result.status = tile_status::ok;
  result.element_bytes = static_cast<std::uint8_t>(pixel_bytes <= 4 && pixel_bytes != 0 ? pixel_bytes : 1);
  return result;
}

XDR_HD inline verdict check_rice_width(std::uint32_t pixel_bytes) {
  XDR_CHECK(pixel_bytes == 1 || pixel_bytes == 2 || pixel_bytes == 4, tile_status::bad_data);
  return {};
}

template <class Lanes>
XDR_HD verdict decode_rice_any(Lanes& lanes, byte_view tile, std::uint32_t pixel_bytes, std::uint32_t block_pixels,
                               std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes,
                               tile_result& result) {
  XDR_TRY(check_rice_width(pixel_bytes));
  const auto open = [](byte_view bytes) { return rice_view_input(bytes); };
  if (pixel_bytes == 1) {
    return decode_rice_into<std::uint8_t>(lanes, tile, open, block_pixels, pixels, room_bytes,
                                          rice_array_sink<std::uint8_t>{room}, result);
  }
  if (pixel_bytes == 2) {
    return decode_rice_into<std::uint16_t>(lanes, tile, open, block_pixels, pixels, room_bytes,
                                           rice_array_sink<std::uint16_t>{room}, result);
  }
  return decode_rice_into<std::uint32_t>(lanes, tile, open, block_pixels, pixels, room_bytes,
                                         rice_array_sink<std::uint32_t>{room}, result);
}

/// Decodes one tile of `pixels` integers of `pixel_bytes` (BYTEPIX) bytes, blocks of `block_pixels` (BLOCKSIZE), into
/// native integers; nothing behind the last pixel is touched.
template <class Lanes>
XDR_HD tile_result decode_rice_tile(Lanes& lanes, byte_view tile, std::uint32_t pixel_bytes, std::uint32_t block_pixels,
                                    std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes) {
  if (rice_is_nothing(tile, pixels)) return rice_nothing(pixel_bytes);
  tile_result result;
  const verdict outcome = decode_rice_any(lanes, tile, pixel_bytes, block_pixels, pixels, room, room_bytes, result);
  result.status = outcome.status;
  result.check = outcome.check;
  return result;
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
