// device_run.hpp: raw elements that lie in device memory -> final pixels, groups of neighbouring pixels a thread, so
// that loads and stores are whole vectors. Device code only; used where the raw bytes exist in memory (stored pixels,
// inflated tiles).
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/raw_layout.hpp"
#include "restore/device_group.hpp"
#include "restore/dither_device.hpp"
#include "restore/epilogue.hpp"

namespace cuphoton::xdr {

/// A tile whose raw bytes lie at `raw`; `pixels` is also the distance of GZIP_2's planes.
struct raw_source {
  const std::uint8_t* raw = nullptr;
  std::uint64_t pixels = 0;
  raw_layout layout = raw_layout::big_endian;
};

/// Elements first .. first + Count, host order, into registers. Count * sizeof(Raw) is a power of two.
template <class Raw, int Count>
__device__ __forceinline__ void load_group(const raw_source& source, std::uint64_t first, Raw (&elements)[Count]) {
  if (source.layout == raw_layout::big_endian_planes) {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      elements[k] = stages::load_planes<Raw>(source.raw, static_cast<std::size_t>(first) + static_cast<std::size_t>(k),
                                             static_cast<std::size_t>(source.pixels));
    }
    return;
  }
  constexpr int bytes = Count * static_cast<int>(sizeof(Raw));
  constexpr int vector_bytes = bytes < 16 ? bytes : 16;
  const std::uint8_t* const from = source.raw + first * sizeof(Raw);
  alignas(16) std::uint8_t held[bytes];
  if (reinterpret_cast<std::uintptr_t>(from) % vector_bytes == 0) {
#pragma unroll
    for (int at = 0; at < bytes; at += vector_bytes) {
      if constexpr (vector_bytes == 16)
        *reinterpret_cast<uint4*>(held + at) = *reinterpret_cast<const uint4*>(from + at);
      if constexpr (vector_bytes == 8)
        *reinterpret_cast<uint2*>(held + at) = *reinterpret_cast<const uint2*>(from + at);
      if constexpr (vector_bytes == 4)
        *reinterpret_cast<std::uint32_t*>(held) = *reinterpret_cast<const std::uint32_t*>(from);
      if constexpr (vector_bytes == 2)
        *reinterpret_cast<std::uint16_t*>(held) = *reinterpret_cast<const std::uint16_t*>(from);
      if constexpr (vector_bytes == 1) held[0] = from[0];
    }
  } else {
#pragma unroll
    for (int at = 0; at < bytes; ++at) held[at] = from[at];
  }
  const bool native = source.layout == raw_layout::native_int;
#pragma unroll
  for (int k = 0; k < Count; ++k) {
    const std::uint8_t* const element = held + k * static_cast<int>(sizeof(Raw));
    elements[k] = native ? load_native<Raw>(element) : load_be<Raw>(element);
  }
}

/// Count pixels from registers to out[target ..].
template <class Output, int Count>
__device__ __forceinline__ void store_group(std::uint8_t* out, std::int64_t target, const Output (&pixels)[Count]) {
  constexpr int bytes = Count * static_cast<int>(sizeof(Output));
  static_assert(bytes == 16);
  Output* const to = reinterpret_cast<Output*>(out) + target;
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
    uint4 vector;
    memcpy(&vector, pixels, sizeof vector);
    *reinterpret_cast<uint4*>(to) = vector;
  } else {
#pragma unroll
    for (int k = 0; k < Count; ++k) to[k] = pixels[k];
  }
}

/// Where the pixels of one tile go; a tile that is one run is located once.
struct tile_target {
  bool one_run = false;
  std::int64_t target = -1;
};
__device__ inline tile_target find_target(const placement_grid& grid, std::uint64_t tile_index, std::uint64_t pixels) {
  const placed_run run = locate(grid, tile_index, 0);
  return {run.end == pixels, run.target};
}

/// One group of pixels that lie side by side in tile and section, from elements that were loaded.
template <pixel_mode Mode, class Output, class Raw, int Count>
__device__ __forceinline__ void restore_group(const device_group& group, const tile_rule& own, std::uint64_t tile_index,
                                              std::uint64_t first, std::int64_t target, const Raw (&elements)[Count],
                                              std::uint32_t& findings) {
  const bool dithered = Mode == pixel_mode::quantized && group.rule.dither != dither_method::none;
  const dither_tables tables = device_dither();
  dither_position at;
  if (dithered) at = seek_dither(tables, group.rule.dither_seed, tile_index, first);
  Output pixels[Count];
#pragma unroll
  for (int k = 0; k < Count; ++k) {
    float number = 0.0F;
    if (dithered) {
      number = tables.values[at.index];
      if (++at.index == dither_count) at.next_segment(tables);
    }
    pixels[k] = restore_pixel<Mode, Output>(group.rule, own, elements[k], number, findings);
  }
  store_group(group.out, target, pixels);
}

/// Pixels begin .. end of one tile, dealt to `threads` threads by groups of 16 bytes of output; `thread` is this one's
/// number. `Ahead` groups are loaded before the first is used, at the price of registers.
template <pixel_mode Mode, class Output, class Raw, int Ahead>
__device__ __forceinline__ void restore_pixels(const device_group& group, std::uint32_t tile, const tile_target& place,
                                               const raw_source& source, std::uint64_t begin, std::uint64_t end,
                                               unsigned thread, unsigned threads, std::uint32_t& findings) {
  constexpr int count = 16 / static_cast<int>(sizeof(Output));
  const std::uint64_t tile_index = group.tiles[tile].tile_index;
  const tile_rule own = rule_of(group, tile);
  if (place.one_run && place.target < 0) return;
  const std::uint64_t stride = std::uint64_t{threads} * count;
  std::uint64_t first = begin + std::uint64_t{thread} * count;
  if constexpr (Ahead > 1 && sizeof(Raw) <= sizeof(Output)) {
    // The common case, a tile that is one run: several loads under way before the first is used, or memory would wait
    // for one group after another.
    if (place.one_run) {
      for (; first + (Ahead - 1) * stride + count <= end; first += Ahead * stride) {
        Raw elements[Ahead][count];
#pragma unroll
        for (int k = 0; k < Ahead; ++k) load_group(source, first + static_cast<std::uint64_t>(k) * stride, elements[k]);
#pragma unroll
        for (int k = 0; k < Ahead; ++k) {
          const std::uint64_t at = first + static_cast<std::uint64_t>(k) * stride;
          restore_group<Mode, Output>(group, own, tile_index, at, place.target + static_cast<std::int64_t>(at),
                                      elements[k], findings);
        }
      }
    }
  }
  for (; first < end; first += stride) {
    placed_run run{source.pixels, place.target + static_cast<std::int64_t>(first)};
    if (!place.one_run) run = locate(group.placement, tile_index, first);
    if (end - first >= count && run.end - first >= count) {
      if (run.target < 0) continue;
      Raw elements[count];
      load_group(source, first, elements);
      restore_group<Mode, Output>(group, own, tile_index, first, run.target, elements, findings);
      continue;
    }
    for (std::uint64_t pixel = first; pixel < end && pixel < first + count; ++pixel) {  // a row or the tile ends here
      run = locate(group.placement, tile_index, pixel);
      if (run.target < 0) continue;
      Raw element[1];
      load_group(source, pixel, element);
      float number = 0.0F;
      if (Mode == pixel_mode::quantized && group.rule.dither != dither_method::none) {
        const dither_tables tables = device_dither();
        number = tables.values[seek_dither(tables, group.rule.dither_seed, tile_index, pixel).index];
      }
      reinterpret_cast<Output*>(group.out)[run.target] =
          restore_pixel<Mode, Output>(group.rule, own, element[0], number, findings);
    }
  }
}

/// The same for a width that is known at run time only; `element_bytes` fits the rule (element_width_fits).
template <pixel_mode Mode, class Output, int Ahead>
__device__ __forceinline__ void restore_pixels(const device_group& group, std::uint32_t tile, const tile_target& place,
                                               const raw_source& source, std::uint32_t element_bytes,
                                               std::uint64_t begin, std::uint64_t end, unsigned thread,
                                               unsigned threads, std::uint32_t& findings) {
  if constexpr (Mode == pixel_mode::lossless) {
    if (element_bytes == sizeof(Output)) {
      return restore_pixels<Mode, Output, Output, Ahead>(group, tile, place, source, begin, end, thread, threads,
                                                         findings);
    }
    using other_float = std::conditional_t<sizeof(Output) == sizeof(float), double, float>;
    restore_pixels<Mode, Output, other_float, 1>(group, tile, place, source, begin, end, thread, threads, findings);
  } else {
    switch (element_bytes) {
      case 1:
        return restore_pixels<Mode, Output, std::uint8_t, Ahead>(group, tile, place, source, begin, end, thread,
                                                                 threads, findings);
      case 2:
        return restore_pixels<Mode, Output, std::int16_t, Ahead>(group, tile, place, source, begin, end, thread,
                                                                 threads, findings);
      case 4:
        return restore_pixels<Mode, Output, std::int32_t, Ahead>(group, tile, place, source, begin, end, thread,
                                                                 threads, findings);
      default:
        if constexpr (Mode != pixel_mode::quantized) {
          return restore_pixels<Mode, Output, std::int64_t, Ahead>(group, tile, place, source, begin, end, thread,
                                                                   threads, findings);
        }
    }
  }
}

/// Word of a tile_result that holds status, element_bytes and surplus_input, so that blocks which share a tile can
/// settle them with one atomic operation.
__device__ inline std::uint32_t* status_word(tile_result& result) {
  static_assert(offsetof(tile_result, status) == 20 && offsetof(tile_result, element_bytes) == 21);
  return reinterpret_cast<std::uint32_t*>(&result) + 5;
}
__device__ inline std::uint32_t make_status_word(tile_status status, std::uint32_t element_bytes, bool surplus) {
  return static_cast<std::uint32_t>(status) | element_bytes << 8 | (surplus ? 1U : 0U) << 16;
}

}  // namespace cuphoton::xdr
