// bits.hpp: bounded bit readers: most significant bit first for Rice, least significant bit first for DEFLATE.
// Neither ever loads a byte outside its view. Bits behind the end read as zero and are counted, so that a decoder
// judges once (`overran`) what it consumed, instead of testing before each read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

/// Bits a reader holds at least after `refill`, real or behind the end: a whole number of bytes always fits the window,
/// up to 7 bits of the 64 may belong to a byte that is taken the next time.
inline constexpr int window_bits = 56;

/// Zero bits above the first one; 64 for 0.
XDR_HD inline int leading_zeros(std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(value));
#else
  return value == 0 ? 64 : __builtin_clzll(value);
#endif
}

/// One bits of a word.
XDR_HD inline int count_bits(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __popc(value);
#else
  return __builtin_popcount(value);
#endif
}

/// What both readers share: position, end and the count of bytes that were asked for but do not exist.
class bit_position {
 public:
  XDR_HD explicit bit_position(byte_view bytes)
      : begin_(bytes.data), next_(bytes.data), end_(bytes.data + bytes.length_bytes) {}

  /// Bits consumed since the start, those behind the end included.
  XDR_HD std::uint64_t bits_used() const {
    return 8 * (static_cast<std::uint64_t>(next_ - begin_) + missing_bytes_) - static_cast<std::uint64_t>(bits_);
  }
  /// True where more bits were consumed than the view holds. Never false again once true.
  XDR_HD bool overran() const { return 8 * missing_bytes_ > static_cast<std::uint64_t>(bits_); }
  /// True while a refill takes its bytes with one load.
  XDR_HD bool far_from_end() const { return end_ - next_ >= 8; }

 protected:
  const std::uint8_t* begin_;
  const std::uint8_t* next_;  // first byte that is not in the window yet
  const std::uint8_t* end_;
  std::uint64_t missing_bytes_ = 0;  // zero bytes handed out in place of bytes behind the end
  std::uint64_t window_ = 0;
  int bits_ = 0;  // valid bits of the window, 0 to 63
};

/// Next bit in the top bit of `window()`.
class msb_reader : public bit_position {
 public:
  XDR_HD explicit msb_reader(byte_view bytes) : bit_position(bytes) {}

  /// At least window_bits bits are valid afterwards.
  XDR_HD void refill() {
    if (far_from_end()) [[likely]] {
      refill_fast();
    } else {
      refill_slow();
    }
  }
  /// The same without the test; only where far_from_end(). Bits above the counted ones are those of the byte that is
  /// loaded again the next time, so putting them in twice changes nothing.
  XDR_HD void refill_fast() {
    window_ |= load_be<std::uint64_t>(next_) >> bits_;
    next_ += (63 - bits_) >> 3;
    bits_ |= window_bits;
  }
  XDR_HD std::uint64_t window() const { return window_; }
  XDR_HD int bits() const { return bits_; }
  /// `count` <= bits(), 0 to 63.
  XDR_HD void skip(int count) {
    window_ <<= count;
    bits_ -= count;
  }
  /// Refills and takes `count` bits, 1 to 32.
  XDR_HD std::uint32_t read(int count) {
    refill();
    const auto value = static_cast<std::uint32_t>(window_ >> (64 - count));
    skip(count);
    return value;
  }
  /// Takes the zeros before the next one bit and that bit; returns how many zeros. Stops behind the end of the view,
  /// with overran() true: the run is bounded by the input and so is the time.
  XDR_HD std::uint64_t read_unary() {
    std::uint64_t zeros = 0;
    for (;;) {
      refill();
      const int run = leading_zeros(window_ >> (64 - window_bits)) - (64 - window_bits);
      if (run < window_bits) {
        skip(run + 1);
        return zeros + static_cast<std::uint64_t>(run);
      }
      skip(window_bits);
      zeros += window_bits;
      if (overran()) return zeros;
    }
  }

 private:
  XDR_HD void refill_slow() {
    while (bits_ < window_bits) {
      if (next_ < end_) {
        window_ |= static_cast<std::uint64_t>(*next_++) << (window_bits - bits_);
      } else {
        ++missing_bytes_;
      }
      bits_ += 8;
    }
  }
};

/// Next bit in the lowest bit of `window()`.
class lsb_reader : public bit_position {
 public:
  XDR_HD explicit lsb_reader(byte_view bytes) : bit_position(bytes) {}

  /// At least window_bits bits are valid afterwards.
  XDR_HD void refill() {
    if (far_from_end()) [[likely]] {
      window_ |= load_native<std::uint64_t>(next_) << bits_;  // little-endian machines only, as everywhere in xDR
      next_ += (63 - bits_) >> 3;
      bits_ |= window_bits;
      return;
    }
    while (bits_ < window_bits) {
      if (next_ < end_) {
        window_ |= static_cast<std::uint64_t>(*next_++) << bits_;
      } else {
        ++missing_bytes_;
      }
      bits_ += 8;
    }
  }
  XDR_HD std::uint64_t window() const { return window_; }
  /// The next `count` bits, 0 to 32, as a number; they stay.
  XDR_HD std::uint32_t peek(int count) const {
    return static_cast<std::uint32_t>(window_ & ((std::uint64_t{1} << count) - 1));
  }
  /// `count` <= the valid bits, 0 to 63.
  XDR_HD void skip(int count) {
    window_ >>= count;
    bits_ -= count;
  }
  /// Takes `count` bits, 0 to 32, that the caller knows to be valid.
  XDR_HD std::uint32_t take(int count) {
    const std::uint32_t value = peek(count);
    skip(count);
    return value;
  }
  /// Gives up the rest of a byte that was begun.
  XDR_HD void skip_to_byte() { skip(bits_ & 7); }
  /// On a byte boundary and not overran(): the bytes from here to the end.
  XDR_HD byte_view rest() const {
    const std::uint64_t used_bytes = bits_used() / 8;
    return {begin_ + used_bytes, static_cast<std::size_t>(end_ - begin_) - static_cast<std::size_t>(used_bytes)};
  }
  /// On a byte boundary: goes on behind `length_bytes` bytes of rest().
  XDR_HD void skip_bytes(std::size_t length_bytes) {
    next_ = rest().data + length_bytes;
    window_ = 0;
    bits_ = 0;
    missing_bytes_ = 0;
  }
};

}  // namespace cuphoton::xdr
