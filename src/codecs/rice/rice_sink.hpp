// rice_sink.hpp: where a thread of the RICE_1 kernel puts its pixels: each is restored and stored, whole vectors of 16
// bytes where a tile is one aligned run of the section, else one by one along its runs. Device code only.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "codecs/rice/rice_core.hpp"
#include "restore/device_group.hpp"
#include "restore/dither_device.hpp"

namespace cuphoton::xdr {

inline constexpr std::uint32_t rice_never = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::int64_t rice_lowest = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t rice_highest = std::numeric_limits<std::int64_t>::max();

/// What a decoded Pixel is to restore_pixel.
template <pixel_mode Mode, class Pixel>
struct rice_raw {
  using type = std::conditional_t<sizeof(Pixel) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(Pixel) == 2, std::int16_t, std::int32_t>>;
};
template <>
struct rice_raw<pixel_mode::lossless, std::uint32_t> {
  using type = float;
};

/// A sink of rice_core.hpp: pixels come in order and once, so a finding never comes from bits that were read wrongly.
template <class Pixel, pixel_mode Mode, class Output, bool Dithered>
class rice_pixel_sink {
 public:
  static constexpr bool repeats_are_harmless = false;

  /// `store` false: the tile is decoded to judge it, and no pixel restored.
  __device__ rice_pixel_sink(const device_group& group, std::uint32_t tile, std::uint64_t pixels, bool store)
      : group_(group), tile_(rule_of(group, tile)), tile_index_(group.tiles[tile].tile_index) {
    wide_ = sizeof(Pixel) <= group.rule.stored_bytes;
    if (!store) {
      run_end_ = rice_never;
      return;
    }
    start_run(0);
    // Groups start at multiples of 4 then, so their bytes make whole words.
    const bool whole_groups =
        group.parameters.rice_block_pixels % 4 == 0 || group.parameters.rice_block_pixels >= pixels;
    aligned_ = inside_ && run_end_ == pixels && whole_groups && reinterpret_cast<std::uintptr_t>(out_) % 16 == 0;
    if constexpr (Dithered) {
      place_ = seek_dither(device_dither(), group.rule.dither_seed, tile_index_, 0);
      numbers_ = device_dither().values + place_.index;
      numbers_end_ = static_cast<std::uint32_t>(place_.left());
    }
  }

  /// Loads the numbers of a group: they arrive while its bits are decoded.
  __device__ void expect(std::uint32_t first) {
    if constexpr (Dithered) {
      if (first + 4 <= numbers_end_) {
        for (int k = 0; k < 4; ++k) ahead_[k] = __ldg(numbers_ + first + k);
      }
    }
  }

  __device__ void group(std::uint32_t first, const Pixel (&values)[4]) {
    if (!aligned_) {
      for (int k = 0; k < 4; ++k) store_one(first + static_cast<std::uint32_t>(k), values[k]);
      return;
    }
    if constexpr (Dithered) {
      if (first + 4 > numbers_end_) {  // the numbers start again within the group
        for (int k = 0; k < 4; ++k) ahead_[k] = number(first + static_cast<std::uint32_t>(k));
      }
    }
    Output final_pixels[4];
    if (wide_) {
      for (int k = 0; k < 4; ++k) final_pixels[k] = restore<true>(values[k], ahead_[k]);
    } else {
      for (int k = 0; k < 4; ++k) final_pixels[k] = restore<false>(values[k], ahead_[k]);
    }
    store_group(first, final_pixels);
  }

  __device__ void operator()(std::uint32_t index, Pixel value) {
    if (aligned_) flush(index);
    store_one(index, value);
  }

  /// Stores what waits for the rest of its vector; `end` pixels have come.
  __device__ void finish(std::uint32_t end) {
    if (aligned_) flush(end);
  }

  __device__ std::uint32_t findings() const { return findings_; }

 private:
  /// `Wide`: the stored type holds every Pixel, so its bounds are no question and their comparison goes.
  template <bool Wide>
  __device__ Output restore(Pixel value, float dither) {
    pixel_rule rule = group_.rule;
    if constexpr (Wide) {
      rule.lowest = rice_lowest;
      rule.highest = rice_highest;
    }
    if constexpr (!Dithered) {
      rule.dither = dither_method::none;
    } else {
      rule.dither = group_.rule.dither == dither_method::subtractive_2 ? dither_method::subtractive_2
                                                                       : dither_method::subtractive_1;
    }
    using raw_type = typename rice_raw<Mode, Pixel>::type;
    if constexpr (std::is_same_v<raw_type, float>) {
      return restore_pixel<Mode, Output>(rule, tile_, __uint_as_float(value), dither, findings_);
    } else {
      return restore_pixel<Mode, Output>(rule, tile_, static_cast<raw_type>(value), dither, findings_);
    }
  }

  __device__ void start_run(std::uint32_t first) {
    const placed_run run = locate(group_.placement, tile_index_, first);
    run_end_ = static_cast<std::uint32_t>(run.end);
    inside_ = run.target >= 0;
    // Not an address before pixel `first` comes: out_[index] is.
    out_ = reinterpret_cast<Output*>(group_.out) + (run.target - static_cast<std::int64_t>(first));
  }

  __device__ void store_one(std::uint32_t index, Pixel value) {
    if (index >= run_end_) start_run(index);
    if (!inside_) return;
    float dither = 0.0F;
    if constexpr (Dithered) dither = number(index);
    out_[index] = restore<false>(value, dither);
  }

  /// The random number of pixel `index`; never asked for one before the segment in force.
  __device__ float number(std::uint32_t index) {
    while (index >= numbers_end_) {
      place_.next_segment(device_dither());
      numbers_ = device_dither().values + (static_cast<std::int64_t>(place_.index) - numbers_end_);
      numbers_end_ += static_cast<std::uint32_t>(place_.left());
    }
    return __ldg(numbers_ + index);
  }

  __device__ void store_group(std::uint32_t first, const Output (&pixels)[4]) {
    if constexpr (sizeof(Output) == 8) {
      auto* const to = reinterpret_cast<ulonglong2*>(out_ + first);
      to[0] = make_ulonglong2(bits(pixels[0]), bits(pixels[1]));
      to[1] = make_ulonglong2(bits(pixels[2]), bits(pixels[3]));
    } else if constexpr (sizeof(Output) == 4) {
      *reinterpret_cast<uint4*>(out_ + first) =
          make_uint4(bits(pixels[0]), bits(pixels[1]), bits(pixels[2]), bits(pixels[3]));
    } else {
      if constexpr (sizeof(Output) == 2) {
        waiting_[0] = waiting_[2];
        waiting_[1] = waiting_[3];
        waiting_[2] = std::uint32_t{pixels[0]} | (std::uint32_t{pixels[1]} << 16);
        waiting_[3] = std::uint32_t{pixels[2]} | (std::uint32_t{pixels[3]} << 16);
      } else {
        waiting_[0] = waiting_[1];
        waiting_[1] = waiting_[2];
        waiting_[2] = waiting_[3];
        waiting_[3] = std::uint32_t{pixels[0]} | (std::uint32_t{pixels[1]} << 8) | (std::uint32_t{pixels[2]} << 16) |
                      (std::uint32_t{pixels[3]} << 24);
      }
      waiting_words_ += static_cast<int>(sizeof(Output));
      const std::uint32_t end = first + 4;
      if (end * sizeof(Output) % 16 == 0) {
        if (waiting_words_ == 4) [[likely]] {
          *reinterpret_cast<uint4*>(out_ + (end - 16 / sizeof(Output))) =
              make_uint4(waiting_[0], waiting_[1], waiting_[2], waiting_[3]);
          waiting_words_ = 0;
        } else {
          flush(end);  // single pixels came between the groups of this vector
        }
      }
    }
  }

  /// Stores the last `waiting_words_` words of `waiting_`, which end before pixel `end`.
  __device__ void flush(std::uint32_t end) {
    if constexpr (sizeof(Output) < 4) {
      for (int k = 0; k < 4; ++k) {
        if (k >= 4 - waiting_words_) reinterpret_cast<std::uint32_t*>(out_ + end)[k - 4] = waiting_[k];
      }
      waiting_words_ = 0;
    }
  }

  template <class T>
  __device__ static bits_of<T> bits(T value) {
    if constexpr (std::is_same_v<T, float>) {
      return __float_as_uint(value);
    } else if constexpr (std::is_same_v<T, double>) {
      return static_cast<bits_of<T>>(__double_as_longlong(value));
    } else {
      return value;
    }
  }

  const device_group& group_;
  tile_rule tile_;
  std::uint32_t tile_index_;
  std::uint32_t findings_ = found_nothing;
  bool wide_ = false;
  bool aligned_ = false;  // one run, whole inside, and out_ at a multiple of 16
  bool inside_ = false;
  std::uint32_t run_end_ = 0;
  Output* out_ = nullptr;
  std::uint32_t waiting_[4] = {};  // narrow pixels wait here for a vector's worth, the newest in [3]
  int waiting_words_ = 0;
  dither_position place_;
  const float* numbers_ = nullptr;  // of pixel `index` at [index], for index < numbers_end_
  std::uint32_t numbers_end_ = 0;
  float ahead_[4] = {};
};

}  // namespace cuphoton::xdr
