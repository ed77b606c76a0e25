// word_reader_core.hpp: the device's bit reader, least significant bit first: aligned 32-bit loads, one word ahead of
// use so that memory has about four symbols of time. Gives the same bits, positions and verdicts as lsb_reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

/// Loads no word without a byte of the view: at most three bytes before its first and behind its last one, never in
/// another page than they. Those bytes are never handed out: behind the end the bits are zero, and counted.
class word_reader {
 public:
  XDR_HD explicit word_reader(byte_view bytes) {
    const auto head_bytes = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(bytes.data) & 3u);
    const std::uint64_t with_head_bytes = bytes.length_bytes + head_bytes;
    words_ = bytes.data - head_bytes;
    end_ = static_cast<std::uint32_t>((with_head_bytes + 3) / 4);
    head_bits_ = 8 * head_bytes;
    tail_bits_ = static_cast<int>(32 * std::uint64_t{end_} - 8 * with_head_bytes);
    seek(0);
  }

  /// At least 32 bits are valid afterwards.
  XDR_HD void refill() {
    if (bits_ < 32) take_word();
  }
  XDR_HD std::uint64_t window() const { return window_; }
  /// The next `count` bits, 0 to 31, as a number; they stay.
  XDR_HD std::uint32_t peek(int count) const { return static_cast<std::uint32_t>(window_) & ((1u << count) - 1u); }
  /// `count` <= the valid bits, 0 to 32.
  XDR_HD void skip(int count) {
    window_ >>= count;
    bits_ -= count;
  }
  /// Takes `count` bits, 0 to 31, that the caller knows to be valid.
  XDR_HD std::uint32_t take(int count) {
    const std::uint32_t value = peek(count);
    skip(count);
    return value;
  }
  /// Bits consumed since the start, those behind the end included.
  XDR_HD std::uint64_t bits_used() const {
    return 32 * std::uint64_t{next_} - static_cast<std::uint64_t>(bits_) - head_bits_;
  }
  /// True where more bits were consumed than the view holds. Never false again once true.
  XDR_HD bool overran() const { return missing_bits_ > bits_; }
  /// Gives up the rest of a byte that was begun.
  XDR_HD void skip_to_byte() { skip(bits_ & 7); }
  /// On a byte boundary and not overran(): the bytes from here to the end.
  XDR_HD byte_view rest() const {
    const std::uint64_t first = head_bits_ / 8 + bits_used() / 8;
    const std::uint64_t end = 4 * std::uint64_t{end_} - static_cast<std::uint64_t>(tail_bits_ / 8);
    return {words_ + first, static_cast<std::size_t>(end - first)};
  }
  /// On a byte boundary: goes on behind `length_bytes` bytes of rest().
  XDR_HD void skip_bytes(std::size_t length_bytes) { seek(bits_used() / 8 + length_bytes); }

 private:
  /// To byte `place` of the view, at most its length.
  XDR_HD void seek(std::uint64_t place) {
    place += head_bits_ / 8;
    next_ = static_cast<std::uint32_t>(place / 4);
    ahead_ = next_ < end_ ? load(next_) : 0;
    window_ = 0;
    bits_ = 0;
    missing_bits_ = 0;
    take_word();
    skip(8 * static_cast<int>(place & 3u));
  }
  XDR_HD std::uint32_t load(std::uint32_t index) const {
    const std::uint8_t* const at = words_ + 4 * std::size_t{index};
#if defined(__CUDA_ARCH__)
    return __ldg(reinterpret_cast<const std::uint32_t*>(at));
#else
    return load_native<std::uint32_t>(at);  // little-endian machines only, as everywhere in xDR
#endif
  }
  /// Only where bits_ < 32.
  XDR_HD void take_word() {
    std::uint32_t word = ahead_;
    ++next_;
    if (next_ < end_) [[likely]] {
      ahead_ = load(next_);
    } else {
      ahead_ = 0;
      if (next_ == end_) word &= ~0u >> tail_bits_;
      missing_bits_ += next_ == end_ ? tail_bits_ : 32;
    }
    window_ |= static_cast<std::uint64_t>(word) << bits_;
    bits_ += 32;
  }

  const std::uint8_t* words_ = nullptr;  // aligned; the view begins head_bits_ behind it
  std::uint32_t next_ = 0;               // words that went into the window, those behind the end included
  std::uint32_t end_ = 0;                // words that hold a byte of the view; under 2^30 + 2
  std::uint32_t ahead_ = 0;              // word `next_`
  int bits_ = 0;                         // valid bits of the window, 0 to 63
  std::uint64_t window_ = 0;
  int missing_bits_ = 0;  // zero bits handed out in place of bits behind the end
  int tail_bits_ = 0;     // of the last word, behind the view: 0 to 24
  std::uint32_t head_bits_ = 0;
};

/// Bits that a reader holds at least after `refill`.
template <class Reader>
inline constexpr int bits_after_refill = window_bits;
template <>
inline constexpr int bits_after_refill<word_reader> = 32;

}  // namespace cuphoton::xdr
