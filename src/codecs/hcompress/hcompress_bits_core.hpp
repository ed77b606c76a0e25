// hcompress_bits_core.hpp: bits of an HCOMPRESS_1 stream at any position, most significant first, and its fixed code of
// 16 symbols. Planes that are written directly are read by all lanes at once, so a position is a number that the
// decoder keeps, not a state of the reader.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

/// Bits that the caller knows to exist.
class hcompress_bits {
 public:
  XDR_HD explicit hcompress_bits(byte_view view) : data_(view.data), length_bytes_(view.length_bytes) {}

  XDR_HD std::uint64_t length_bits() const { return 8 * length_bytes_; }
  XDR_HD std::uint32_t nybble(std::uint64_t at) const {
    const std::uint8_t* const byte = data_ + (at >> 3);
    const auto skipped = static_cast<int>(at & 7U);
    if (skipped <= 4) return (std::uint32_t{byte[0]} >> (4 - skipped)) & 15U;
    return ((std::uint32_t{byte[0]} << 8 | byte[1]) >> (12 - skipped)) & 15U;
  }
  XDR_HD bool bit(std::uint64_t at) const { return (data_[at >> 3] >> (7 - static_cast<int>(at & 7U)) & 1) != 0; }

 protected:
  const std::uint8_t* data_;
  std::uint64_t length_bytes_;
};

/// The host's window: one load of any alignment.
class hcompress_view_bits : public hcompress_bits {
 public:
  static constexpr int codes_per_window = 9;  // of 6 bits at most; 57 bits are always there

  using hcompress_bits::hcompress_bits;

  /// Bits from `at` on in the top bits; zeros behind the end, where `at` may lie too.
  XDR_HD std::uint64_t window(std::uint64_t at) const {
    const std::uint64_t first = at >> 3;
    std::uint64_t bits = 0;
    if (length_bytes_ >= 8 && first <= length_bytes_ - 8) [[likely]] {
      bits = load_be<std::uint64_t>(data_ + first);
    } else {
      for (std::uint64_t k = 0; k < 8 && first + k < length_bytes_; ++k) {
        bits |= std::uint64_t{data_[first + k]} << (56 - 8 * k);
      }
    }
    return bits << (at & 7U);
  }
};

/// The device's: aligned words. Loads no word without a byte of the view. Bits behind the end are not zeros but what
/// lies there: a code that takes one ends behind the end whatever its value is, and that is judged.
class hcompress_word_bits : public hcompress_bits {
 public:
  static constexpr int codes_per_window = 10;

  XDR_HD explicit hcompress_word_bits(byte_view view) : hcompress_bits(view) {
    const auto head_bytes = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(view.data) & 3U);
    words_ = view.data - head_bytes;
    head_bits_ = 8 * head_bytes;
    count_ = (view.length_bytes + head_bytes + 3) / 4;
  }

  XDR_HD std::uint64_t window(std::uint64_t at) const {
    const std::uint64_t bit = at + head_bits_;
    const std::uint64_t word = bit >> 5;
    const auto skipped = static_cast<int>(bit & 31U);
    const std::uint64_t first = std::uint64_t{load(word)} << 32 | load(word + 1);
    return first << skipped | std::uint64_t{load(word + 2)} >> (32 - skipped);
  }

 private:
  XDR_HD std::uint32_t load(std::uint64_t word) const {
    if (word >= count_) return 0;
    const std::uint8_t* const at = words_ + 4 * word;
#if defined(__CUDA_ARCH__)
    return byteswap(__ldg(reinterpret_cast<const std::uint32_t*>(at)));
#else
    return load_be<std::uint32_t>(at);
#endif
  }

  const std::uint8_t* words_;  // aligned; the view begins head_bits_ behind it
  std::uint64_t count_;        // words that hold a byte of the view
  std::uint32_t head_bits_;
};

/// By the next six bits of a stream: a symbol in the low four bits of an entry, the length of its code above them. The
/// code is complete: any bits are symbols.
struct hcompress_codes {
  std::uint8_t entries[64];
};

constexpr hcompress_codes make_hcompress_codes() {
  constexpr std::uint8_t lengths[16] = {6, 3, 3, 4, 3, 4, 5, 5, 3, 5, 4, 5, 4, 5, 6, 4};
  constexpr std::uint8_t codes[16] = {0b111110, 0b000,   0b001,  0b1000,  0b010,  0b1001,  0b11010,  0b11011,
                                      0b011,    0b11100, 0b1010, 0b11101, 0b1011, 0b11110, 0b111111, 0b1100};
  hcompress_codes table{};
  for (int symbol = 0; symbol < 16; ++symbol) {
    const int open_bits = 6 - lengths[symbol];
    for (int rest = 0; rest < 1 << open_bits; ++rest) {
      table.entries[(codes[symbol] << open_bits) | rest] = static_cast<std::uint8_t>(symbol | lengths[symbol] << 4);
    }
  }
  return table;
}
inline constexpr hcompress_codes hcompress_host_codes = make_hcompress_codes();

/// Up to 32 symbols in registers: those that 32 lanes are waiting for.
struct hcompress_symbols {
  std::uint64_t first = 0;   // 16 of them, 4 bits each
  std::uint64_t second = 0;  // the others

  XDR_HD void set(int rank, std::uint32_t symbol) {
    if (rank < 16) {
      first |= std::uint64_t{symbol} << (4 * rank);
    } else {
      second |= std::uint64_t{symbol} << (4 * (rank - 16));
    }
  }
  XDR_HD std::uint8_t get(int rank) const {
    return static_cast<std::uint8_t>((rank < 16 ? first >> (4 * rank) : second >> (4 * (rank - 16))) & 15U);
  }
};

/// Takes `count` <= 32 symbols from `at` on. Where the stream ends first, `at` lies behind its end afterwards.
template <class Input>
XDR_HD hcompress_symbols read_symbols(const Input& input, const hcompress_codes& codes, int count, std::uint64_t& at) {
  hcompress_symbols symbols;
  for (int done = 0; done < count;) {
    std::uint64_t window = input.window(at);
    const int end = count - done < Input::codes_per_window ? count : done + Input::codes_per_window;
    for (; done < end; ++done) {
      const std::uint32_t entry = codes.entries[window >> 58];
      symbols.set(done, entry & 15U);
      window <<= entry >> 4;
      at += entry >> 4;
    }
  }
  return symbols;
}

}  // namespace cuphoton::xdr
