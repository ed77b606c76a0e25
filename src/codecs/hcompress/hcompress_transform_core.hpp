// hcompress_transform_core.hpp: coefficients -> pixels. A level takes sums h0 of blocks of 2 x 2, one for each block,
// and the blocks' differences hx, hy, hc from the coefficients, and makes the four sums or pixels of each block. Blocks
// do not depend on each other, so lanes share them; levels go from memory to memory, so nothing is moved in between.
//
// The coefficients of a level of rows x columns, with halves u = ceil(rows / 2) and l = ceil(columns / 2), lie around
// those of all coarser levels: hy of block (i, j) at (i, l + j), hx at (u + i, j), hc at (u + i, l + j). Words are bits
// of signed numbers: arithmetic wraps around, which only hostile streams get to see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/hd.hpp"
#include "codecs/hcompress/hcompress_header_core.hpp"

namespace cuphoton::xdr {

/// Signed view of a word.
template <class Word>
XDR_HD constexpr std::make_signed_t<Word> as_signed(Word word) {
  return static_cast<std::make_signed_t<Word>>(word);
}
template <class Word>
XDR_HD constexpr bool is_negative(Word word) {
  return as_signed(word) < 0;
}
template <class Word>
XDR_HD constexpr Word shift_right(Word word, int bits) {
  return static_cast<Word>(as_signed(word) >> bits);
}
/// `value`, or its negative where `by` is negative.
template <class Word>
XDR_HD constexpr Word with_sign_of(Word value, Word by) {
  const Word sign = is_negative(by) ? ~Word{0} : Word{0};
  return (value ^ sign) - sign;
}
template <class Word>
XDR_HD constexpr Word smaller(Word a, Word b) {
  return as_signed(a) < as_signed(b) ? a : b;
}
template <class Word>
XDR_HD constexpr Word larger(Word a, Word b) {
  return as_signed(a) < as_signed(b) ? b : a;
}
/// Divided by 2^bits, rounded towards zero.
template <class Word>
XDR_HD constexpr Word divide_down(Word value, int bits) {
  return shift_right(is_negative(value) ? value + ((Word{1} << bits) - 1) : value, bits);
}

/// Rounds to a multiple of a power of two, halves towards zero from below and away from it above.
template <class Word>
struct hcompress_rounding {
  Word half;
  Word mask;
  Word less;  // added to the half of negative numbers: -1, or 0 where nothing is rounded

  XDR_HD explicit constexpr hcompress_rounding(int bits)
      : half((Word{1} << bits) >> 1), mask(~((Word{1} << bits) - 1)), less(bits > 0 ? ~Word{0} : Word{0}) {}
  XDR_HD constexpr Word operator()(Word value) const {
    return (value + half + (is_negative(value) ? less : Word{0})) & mask;
  }
};

template <class Word>
struct hcompress_block {
  Word h0, hx, hy, hc;
};

/// The four of a block, in reading order.
template <class Word>
struct hcompress_quad {
  Word upper_left, upper_right, lower_left, lower_right;
};

/// Level `s`: 0 makes the pixels.
template <class Word>
class hcompress_level {
 public:
  XDR_HD explicit hcompress_level(int s)
      : round_fine_(s),
        round_coarse_(s + 1),
        fine_(Word{1} << s),
        coarse_(Word{1} << (s + 1)),
        shift_(s == 0 ? 2 : 1) {}

  XDR_HD hcompress_quad<Word> whole(hcompress_block<Word> block) const {
    Word hx = round_coarse_(block.hx);
    Word hy = round_coarse_(block.hy);
    const Word hc = round_fine_(block.hc);
    const Word low0 = hc & fine_;
    hx -= with_sign_of(low0, hx);
    hy -= with_sign_of(low0, hy);
    const Word low1 = (hc ^ hx ^ hy) & coarse_;
    const Word h0 = block.h0 + (is_negative(block.h0) && low0 == 0 ? low1 : low0 - low1);
    const Word outer = h0 + hc;
    const Word inner = h0 - hc;
    return {shift_right(outer - (hx + hy), shift_), shift_right(inner - (hx - hy), shift_),
            shift_right(inner + (hx - hy), shift_), shift_right(outer + (hx + hy), shift_)};
  }
  /// A block at an edge, of two with the difference `h` between them.
  XDR_HD void half(Word h0, Word h, Word& first, Word& second) const {
    h = round_coarse_(h);
    h0 -= with_sign_of(h & coarse_, h0);
    first = shift_right(h0 - h, shift_);
    second = shift_right(h0 + h, shift_);
  }
  XDR_HD Word corner(Word h0) const { return shift_right(h0, shift_); }

 private:
  hcompress_rounding<Word> round_fine_;
  hcompress_rounding<Word> round_coarse_;
  Word fine_;
  Word coarse_;
  int shift_;
};

/// Smoothing: differences of a block are moved, by `limit` at most, towards what the sums of its neighbours let expect.
/// Reads sums only, and the differences of the same block, so blocks stay independent.
template <class Word>
struct hcompress_smoother {
  const Word* sums;  // of the level
  std::uint32_t stride;
  std::uint32_t rows;  // of what the level makes
  std::uint32_t columns;
  Word limit;

  /// `difference` on its way to expected / 2^bits, where `least` < `most` say that there is something to expect.
  XDR_HD Word moved(Word difference, Word expected, Word least, Word most, int bits) const {
    if (as_signed(least) >= as_signed(most)) return difference;
    const Word wanted = larger(least, smaller(expected, most));
    const Word step = divide_down(wanted - (difference << bits), bits);
    return difference + larger(Word{0} - limit, smaller(step, limit));
  }

  /// A difference along one axis from the sums before, in and behind the block.
  XDR_HD Word along(Word before, Word here, Word behind, Word difference) const {
    const Word most = 4 * larger(smaller(behind - here, here - before), Word{0});
    const Word least = 4 * smaller(larger(behind - here, here - before), Word{0});
    return moved(difference, behind - before, least, most, 3);
  }

  XDR_HD Word across(const Word* centre, const hcompress_block<Word>& block) const {
    const Word none = 0;
    const Word h0 = block.h0;
    const Word hmm = *(centre - stride - 1);
    const Word hmp = *(centre - stride + 1);
    const Word hpm = *(centre + stride - 1);
    const Word hpp = *(centre + stride + 1);
    const Word x = 2 * block.hx;
    const Word y = 2 * block.hy;
    const Word most = 16 * smaller(smaller(larger(hpp - h0, none) - x - y, larger(h0 - hpm, none) + x - y),
                                   smaller(larger(h0 - hmp, none) - x + y, larger(hmm - h0, none) + x + y));
    const Word least = 16 * larger(larger(smaller(hpp - h0, none) - x - y, smaller(h0 - hpm, none) + x - y),
                                   larger(smaller(h0 - hmp, none) - x + y, smaller(hmm - h0, none) + x + y));
    return moved(block.hc, hpp + hmm - hmp - hpm, least, most, 6);
  }

  XDR_HD void operator()(int row, int column, hcompress_block<Word>& block) const {
    const Word* const centre = sums + std::size_t(row) * stride + column;
    const bool inner_row = row >= 1 && 2 * static_cast<std::uint32_t>(row) + 2 < rows;
    const bool inner_column = column >= 1 && 2 * static_cast<std::uint32_t>(column) + 2 < columns;
    if (inner_row) block.hx = along(*(centre - stride), block.h0, *(centre + stride), block.hx);
    if (inner_column) block.hy = along(centre[-1], block.h0, centre[1], block.hy);
    if (inner_row && inner_column) block.hc = across(centre, block);
  }
};

/// Sums of a level on their way to the next one.
template <class Word>
struct hcompress_sums {
  Word* first;
  XDR_HD void operator()(std::size_t index, Word value) const { first[index] = value; }
};

/// What one level reads. Plain pointers: the innermost loop is to become vectors.
template <class Word>
struct hcompress_source {
  const Word* sums;
  const Word* coefficients;
  std::uint32_t stride;  // of the coefficients
  std::uint32_t rows;    // of what the level makes
  std::uint32_t columns;
};

template <bool Smooth, class Lanes, class Word, class Output>
XDR_HD void invert_level(Lanes& lanes, int s, const hcompress_source<Word>& source, Word limit, const Output& output) {
  const hcompress_level<Word> level(s);
  const std::uint32_t upper = hcompress_halved(source.rows, 1);
  const std::uint32_t left = hcompress_halved(source.columns, 1);
  const hcompress_smoother<Word> smoother{source.sums, left, source.rows, source.columns, limit};
  const bool odd_column = source.columns % 2 == 1;
  const int whole = static_cast<int>(source.columns / 2);
  for (std::uint32_t i = 0; i < upper; ++i) {
    const Word* const h0 = source.sums + std::size_t{i} * left;
    const Word* const hy = source.coefficients + std::size_t{i} * source.stride + left;
    const Word* const hx = source.coefficients + (std::size_t{i} + upper) * source.stride;
    const Word* const hc = hx + left;
    const std::size_t to = 2 * std::size_t{i} * source.columns;  // of the upper row
    const std::size_t below = to + source.columns;
    const int row = static_cast<int>(i);
    if (2 * i + 1 < source.rows) {
      lanes.phase(whole, [&](int j) {
        hcompress_block<Word> block{h0[j], hx[j], hy[j], hc[j]};
        if constexpr (Smooth) smoother(row, j, block);
        const hcompress_quad<Word> made = level.whole(block);
        const std::size_t at = 2 * static_cast<std::size_t>(j);
        output(to + at, made.upper_left);
        output(to + at + 1, made.upper_right);
        output(below + at, made.lower_left);
        output(below + at + 1, made.lower_right);
      });
      if (odd_column) {
        lanes.phase(1, [&](int) {
          hcompress_block<Word> block{h0[whole], hx[whole], 0, 0};
          if constexpr (Smooth) smoother(row, whole, block);
          Word upper_one;
          Word lower_one;
          level.half(block.h0, block.hx, upper_one, lower_one);
          output(below - 1, upper_one);
          output(below + source.columns - 1, lower_one);
        });
      }
    } else {
      lanes.phase(whole, [&](int j) {
        hcompress_block<Word> block{h0[j], 0, hy[j], 0};
        if constexpr (Smooth) smoother(row, j, block);
        Word left_one;
        Word right_one;
        level.half(block.h0, block.hy, left_one, right_one);
        output(to + 2 * static_cast<std::size_t>(j), left_one);
        output(to + 2 * static_cast<std::size_t>(j) + 1, right_one);
      });
      if (odd_column) lanes.phase(1, [&](int) { output(below - 1, level.corner(h0[whole])); });
    }
  }
}

/// All levels. `sink` gets each pixel of the tile once: index, value.
template <bool Smooth, class Lanes, class Word, class Sink>
XDR_HD void invert_transform(Lanes& lanes, const hcompress_header& header, const hcompress_memory<Word>& memory,
                             const Sink& sink) {
  const int levels = hcompress_levels(header.rows, header.columns);  // at least 1
  const auto scale = static_cast<Word>(header.scale > 1 ? header.scale : 1);
  const auto limit = static_cast<Word>(header.scale >> 1);
  const hcompress_rounding<Word> round_sum(levels + 1);
  const Word* sums = levels % 2 == 1 ? memory.halves : memory.quarters;
  lanes.phase(1, [&](int) {
    (levels % 2 == 1 ? memory.halves : memory.quarters)[0] = round_sum(static_cast<Word>(header.sum) * scale);
  });
  for (int s = levels - 1; s > 0; --s) {
    Word* const made = s % 2 == 1 ? memory.halves : memory.quarters;
    invert_level<Smooth>(lanes, s,
                         hcompress_source<Word>{sums, memory.coefficients, header.columns,
                                                hcompress_halved(header.rows, s), hcompress_halved(header.columns, s)},
                         limit, hcompress_sums<Word>{made});
    sums = made;
  }
  invert_level<Smooth>(lanes, 0,
                       hcompress_source<Word>{sums, memory.coefficients, header.columns, header.rows, header.columns},
                       limit, sink);
}

}  // namespace cuphoton::xdr
