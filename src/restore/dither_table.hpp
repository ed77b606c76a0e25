// dither_table.hpp: the 10,000 random numbers of FITS 4.0 Appendix I and where a tile starts in them.
// Computed at compile time from the generator; compared with CFITSIO's own table in a test. Belongs to restore: nothing
// else consumes dither numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hd.hpp"

namespace cuphoton::xdr {

inline constexpr int dither_count = 10000;

/// std::array as a kernel can hold it.
template <class T, std::size_t Count>
struct constant_array {
  T value[Count];
  XDR_HD constexpr const T& operator[](std::size_t index) const { return value[index]; }
  XDR_HD constexpr const T* data() const { return value; }
  static constexpr std::size_t size() { return Count; }
};

/// R[i], i = 0..9999: Park and Miller's generator, seed 1, each value divided by 2^31 - 1 and rounded to float.
inline constexpr constant_array<float, dither_count> dither_table = [] {
  constant_array<float, dither_count> table{};
  std::uint64_t seed = 1;
  for (float& value : table.value) {
    seed = seed * 16807 % 2147483647;
    value = static_cast<float>(static_cast<double>(seed) / 2147483647.0);
  }
  return table;
}();

/// Where a tile with row index i0 starts in the table.
constexpr int dither_start(int i0) {
  return static_cast<int>(dither_table[static_cast<std::size_t>(i0)] * 500.0F);
}

/// P[i] = numbers consumed by segments 0..i-1; a segment runs from its start to the table's end (9,501 to 10,000
/// numbers).
inline constexpr constant_array<std::int32_t, dither_count + 1> dither_prefix = [] {
  constant_array<std::int32_t, dither_count + 1> prefix{};
  for (int i = 0; i < dither_count; ++i) {
    prefix.value[static_cast<std::size_t>(i) + 1] =
        prefix[static_cast<std::size_t>(i)] + dither_count - dither_start(i);
  }
  return prefix;
}();
static_assert(dither_prefix[dither_count] < 100'000'000);  // fits 32 bits with room: at most 10^8

/// The two tables where the caller runs: `values` 10,000 numbers, `prefix` 10,001.
struct dither_tables {
  const float* values = nullptr;
  const std::int32_t* prefix = nullptr;
};
inline constexpr dither_tables host_dither{dither_table.data(), dither_prefix.data()};

/// A place in the sequence: index in the table and the segment it belongs to.
struct dither_position {
  int segment = 0;
  int index = 0;
  XDR_HD int left() const { return dither_count - index; }  // numbers before the segment ends
  /// To the first number of the next segment.
  XDR_HD void next_segment(const dither_tables& tables) {
    segment = segment + 1 == dither_count ? 0 : segment + 1;
    index = static_cast<int>(tables.values[segment] * 500.0F);
  }
};

/// Place of pixel `pixel` of the tile in row `row` of the table, seed ZDITHER0 in 1..10000. One number is consumed for
/// each pixel, nulls included. Binary search in the prefix sums, so a section costs no walk over the pixels before it.
XDR_HD inline dither_position seek_dither(const dither_tables& tables, std::uint32_t seed, std::uint64_t row,
                                          std::uint64_t pixel) {
  const auto i0 = static_cast<int>((row + seed - 1) % dither_count);
  const auto start = static_cast<std::uint64_t>(tables.values[i0] * 500.0F);
  if (pixel < dither_count - start) return {i0, static_cast<int>(start + pixel)};  // most tiles never leave it
  const auto cycle = static_cast<std::uint64_t>(tables.prefix[dither_count]);
  const auto target = (pixel + static_cast<std::uint64_t>(tables.prefix[i0])) % cycle;
  int low = 0;
  int high = dither_count;  // prefix[low] <= target < prefix[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (static_cast<std::uint64_t>(tables.prefix[middle]) <= target ? low : high) = middle;
  }
  const auto inside = static_cast<int>(target - static_cast<std::uint64_t>(tables.prefix[low]));
  return {low, static_cast<int>(tables.values[low] * 500.0F) + inside};
}

}  // namespace cuphoton::xdr
