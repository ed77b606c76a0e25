// ring_reader.hpp: the bits of one tile for a thread of a kernel. They come out of a ring of 64 words in shared memory
// that is filled one block ahead by whole sectors of 32 bytes; near the end of the tile, and where a block has run
// ahead of the ring, from the tile's own words, with every bit bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

namespace ring {

inline constexpr int words = 64;  // 2048 bits: four blocks of 32 pixels that take 16 bits each
inline constexpr int rows = 68;   // the first four words once more behind the last: five in a row never wrap
inline constexpr int sector = 8;  // words of 32 bytes, what memory delivers at least
inline constexpr int group_bits = 128;
inline constexpr std::uint32_t rebase_bits = std::uint32_t{1} << 30;

/// The upper word of high:low << (shift % 32).
XDR_HD inline std::uint32_t shift_left(std::uint32_t high, std::uint32_t low, std::uint32_t shift) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(low, high, shift);
#else
  shift &= 31;
  return shift == 0 ? high : (high << shift) | (low >> (32 - shift));
#endif
}
/// The same for shift 0 to 32; more counts as 32.
XDR_HD inline std::uint32_t shift_left_32(std::uint32_t high, std::uint32_t low, std::uint32_t shift) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_lc(low, high, shift);
#else
  return shift >= 32 ? low : shift_left(high, low, shift);
#endif
}
/// Zeros above the first one; for 0 a number above 31.
XDR_HD inline std::uint32_t zeros_above(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  std::uint32_t zeros;  // one instruction; __clz takes two
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(zeros) : "r"(value));
  return zeros;
#else
  return value == 0 ? ~std::uint32_t{0} : static_cast<std::uint32_t>(__builtin_clz(value));
#endif
}

/// Four words in the order of the file.
struct alignas(16) quad {
  std::uint32_t word[4];
};
XDR_HD inline std::uint32_t load_word(const std::uint8_t* aligned) {
#if defined(__CUDA_ARCH__)
  return byteswap(__ldg(reinterpret_cast<const std::uint32_t*>(aligned)));
#else
  return load_be<std::uint32_t>(aligned);
#endif
}
XDR_HD inline quad load_quad(const std::uint8_t* aligned) {
  quad value;
#if defined(__CUDA_ARCH__)
  const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(aligned));
  value = {{loaded.x, loaded.y, loaded.z, loaded.w}};
#else
  std::memcpy(&value, aligned, sizeof value);
#endif
  return value;
}

}  // namespace ring

/// An input of rice_core.hpp with msb_reader's answers for every stream. The bytes lie in memory that may be read from
/// the multiple of 32 before the first byte to 64 bytes behind the multiple of 32 after the last (device_group.hpp's
/// arena). `Stride` is the distance of a lane's words in the ring: 32 keeps each lane in a bank of its own. Positions
/// are 32-bit numbers of bits from `base_`, which moves on after `RebaseBits` (tests make that small).
template <int Stride, std::uint32_t RebaseBits = ring::rebase_bits>
class ring_reader {
 public:
  using index_type = std::uint32_t;
  static constexpr int wide_group = 4;
  static constexpr int narrow_group = 4;  // 128 bits are enough for four codes of any f

  /// `lane_ring`: ring::rows words, Stride apart, of any content.
  XDR_HD ring_reader(byte_view bytes, std::uint32_t* lane_ring)
      : begin_(bytes.data), stop_(bytes.data + bytes.length_bytes), ring_(lane_ring) {
    const auto before = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes.data) & 31U);
    base_ = bytes.data - before;
    position_ = 8 * before;
    set_end();
    begin_block();
    begin_block();
  }

  /// Bits consumed since the start, those behind the end included.
  XDR_HD std::uint64_t bits_used() const {
    return static_cast<std::uint64_t>(8 * static_cast<std::int64_t>(base_ - begin_) +
                                      static_cast<std::int64_t>(position_));
  }
  XDR_HD bool overran() const { return position_ > end_; }

  /// Puts into the ring what was asked for a block ago, and asks for as much as there will be room for: the loads are
  /// under way while the block is decoded.
  XDR_HD void begin_block() {
    rebase();
    land();
    const int word = word_index();
    if (word > landed_) landed_ = word & ~(ring::sector - 1);  // overtaken by careful reading
    asked_ = 0;
    if (32 * static_cast<std::int64_t>(landed_) < static_cast<std::int64_t>(end_)) {
      const int room = word + ring::words - landed_;
      asked_ = room >= 2 * ring::sector ? 2 * ring::sector : room >= ring::sector ? ring::sector : 0;
    }
    const std::uint8_t* const next = base_ + 4 * static_cast<std::ptrdiff_t>(landed_);
    if (asked_ > 0) {
      quads_[0] = ring::load_quad(next);
      quads_[1] = ring::load_quad(next + 16);
    }
    if (asked_ > ring::sector) {
      quads_[2] = ring::load_quad(next + 32);
      quads_[3] = ring::load_quad(next + 48);
    }
    const int in_tile = static_cast<int>(end_) - ring::group_bits;
    const int in_ring = 32 * landed_ - 5 * 32;  // a group looks at five words
    limit_ = in_tile < in_ring ? in_tile : in_ring;
  }
  /// A group's 128 bits lie in the tile and in the ring.
  XDR_HD bool far_from_end() const { return static_cast<int>(position_) <= limit_; }
  /// Waits for memory: needed where a block is longer than the ring.
  XDR_HD bool bring_more() {
    if (static_cast<int>(position_) > static_cast<int>(end_) - ring::group_bits) return false;
    begin_block();
    if (!far_from_end()) begin_block();
    return far_from_end();
  }

  /// 128 bits in registers: four codes of up to 32 bits each, whatever their sum.
  class group_window {
   public:
    XDR_HD group_window(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
        : a_(a), b_(b), c_(c), d_(d) {}
    XDR_HD int zeros() {
      const std::uint32_t count = ring::zeros_above(a_);
      most_zeros_ = count > most_zeros_ ? count : most_zeros_;
      return static_cast<int>(count);
    }
    XDR_HD std::uint32_t from_one(int zeros, int f) const {
      return ring::shift_left(a_, 0, static_cast<std::uint32_t>(zeros)) >> (31 - f);
    }
    XDR_HD void skip(int length) {
      const auto shift = static_cast<std::uint32_t>(length);
      a_ = ring::shift_left_32(a_, b_, shift);
      b_ = ring::shift_left_32(b_, c_, shift);
      c_ = ring::shift_left_32(c_, d_, shift);
      used_ += shift;
    }
    XDR_HD std::uint32_t used() const { return used_; }
    XDR_HD std::uint32_t most_zeros() const { return most_zeros_; }

   private:
    std::uint32_t a_, b_, c_, d_;
    std::uint32_t used_ = 0;
    std::uint32_t most_zeros_ = 0;
  };
  /// Only where far_from_end().
  XDR_HD group_window open_group() const {
    const std::uint32_t* const row = ring_row();
    const std::uint32_t w0 = row[0];
    const std::uint32_t w1 = row[Stride];
    const std::uint32_t w2 = row[2 * Stride];
    const std::uint32_t w3 = row[3 * Stride];
    const std::uint32_t w4 = row[4 * Stride];
    return {ring::shift_left(w0, w1, position_), ring::shift_left(w1, w2, position_),
            ring::shift_left(w2, w3, position_), ring::shift_left(w3, w4, position_)};
  }
  /// Takes the group's codes if each fits 32 bits.
  XDR_HD bool close_group(const group_window& group, int f) {
    if (group.most_zeros() > static_cast<std::uint32_t>(31 - f)) [[unlikely]]
      return false;
    position_ += group.used();
    return true;
  }

  /// Takes `count` bits, 1 to 32; those behind the end are zero.
  XDR_HD std::uint32_t read(int count) {
    const std::uint32_t value = next_32() >> (32 - count);
    advance(static_cast<std::uint32_t>(count));
    return value;
  }
  /// Takes the zeros before the next one bit and that bit; returns how many zeros. Stops behind the end, with overran()
  /// true.
  XDR_HD std::uint32_t read_unary() {
    std::uint32_t zeros = 0;
    for (;;) {
      const std::uint32_t bits = next_32();
      if (bits != 0) {
        const std::uint32_t run = ring::zeros_above(bits);
        advance(run + 1);
        return zeros + run;
      }
      advance(32);
      zeros += 32;
      if (overran()) return zeros;
    }
  }

 private:
  XDR_HD const std::uint32_t* ring_row() const { return ring_ + ((position_ >> 5) & (ring::words - 1)) * Stride; }
  XDR_HD int word_index() const { return static_cast<int>(position_ >> 5); }
  /// The end as a position, or a number that no position reaches before the next rebase.
  XDR_HD void set_end() {
    constexpr std::uint64_t never = 2 * std::uint64_t{RebaseBits} - 1;
    const std::uint64_t end = 8 * static_cast<std::uint64_t>(stop_ - base_);
    end_ = static_cast<std::uint32_t>(end < never ? end : never);
  }
  XDR_HD void rebase() {
    if (position_ < RebaseBits || overran()) [[likely]]  // behind the end nothing more is read
      return;
    constexpr std::uint32_t round = 32 * ring::words;  // keeps each word's place in the ring
    const std::uint32_t step = position_ / round * round;
    base_ += step / 8;
    position_ -= step;
    landed_ -= static_cast<int>(step / 32);
    limit_ = -1;  // computed anew by begin_block
    set_end();
  }
  XDR_HD void advance(std::uint32_t count) {
    position_ += count;
    rebase();
  }
  /// Word `index` of the tile, bits behind the end cleared.
  XDR_HD std::uint32_t word(std::uint32_t index) const {
    if (32 * index >= end_) return 0;
    const std::uint32_t value = ring::load_word(base_ + 4 * static_cast<std::size_t>(index));
    const std::uint32_t left = end_ - 32 * index;
    return left >= 32 ? value : value & ~(~std::uint32_t{0} >> left);
  }
  XDR_HD std::uint32_t next_32() const {
    if (far_from_end()) [[likely]] {
      const std::uint32_t* const row = ring_row();
      return ring::shift_left(row[0], row[Stride], position_);
    }
    const std::uint32_t index = position_ >> 5;
    return ring::shift_left(word(index), word(index + 1), position_);
  }
  XDR_HD void land() {
    if (asked_ > 0) land_sector(landed_, quads_[0], quads_[1]);
    if (asked_ > ring::sector) land_sector(landed_ + ring::sector, quads_[2], quads_[3]);
    landed_ += asked_;
  }
  XDR_HD void land_sector(int first, const ring::quad& low, const ring::quad& high) {
    const int row = first & (ring::words - 1);
    std::uint32_t* const to = ring_ + static_cast<std::ptrdiff_t>(row) * Stride;
    for (int k = 0; k < 4; ++k) to[k * Stride] = byteswap(low.word[k]);
    for (int k = 0; k < 4; ++k) to[(4 + k) * Stride] = byteswap(high.word[k]);
    if (row == 0) {
      for (int k = 0; k < ring::rows - ring::words; ++k) to[(ring::words + k) * Stride] = byteswap(low.word[k]);
    }
  }

  const std::uint8_t* begin_;
  const std::uint8_t* stop_;
  const std::uint8_t* base_ = nullptr;  // a multiple of 32
  std::uint32_t* ring_;                 // words [landed_ - 64, landed_) from base_, where no jump has emptied it
  std::uint32_t position_ = 0;          // bits from base_: always below RebaseBits plus what a ring holds
  std::uint32_t end_ = 0;
  int landed_ = 0;  // words from base_
  int asked_ = 0;   // words on their way: 0, 8 or 16
  int limit_ = -1;  // last position from which a group can be read
  ring::quad quads_[4] = {};
};

}  // namespace cuphoton::xdr
