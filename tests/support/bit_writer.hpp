// bit_writer.hpp: bit streams written by hand in tests, field after field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuphoton::xdr::test {

/// Most significant bit of a byte first (Rice, PLIO, HCOMPRESS).
class msb_bit_writer {
 public:
  msb_bit_writer& put(std::uint64_t value, int bit_count) {
    for (int bit = bit_count - 1; bit >= 0; --bit) put_bit(((value >> bit) & 1u) != 0);
    return *this;
  }
  msb_bit_writer& zeros(int bit_count) {
    for (int bit = 0; bit < bit_count; ++bit) put_bit(false);
    return *this;
  }
  std::size_t bit_count() const { return bit_count_; }
  /// The last byte is filled with zero bits.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void put_bit(bool set) {
    if (bit_count_ % 8 == 0) bytes_.push_back(0);
    if (set) bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (0x80u >> (bit_count_ % 8)));
    ++bit_count_;
  }
  std::vector<std::uint8_t> bytes_;
  std::size_t bit_count_ = 0;
};

/// Least significant bit of a byte first (DEFLATE).
class lsb_bit_writer {
 public:
  /// A number: its least significant bit first (RFC 1951 §3.1.1). Bits from 64 on are zeros.
  lsb_bit_writer& put(std::uint64_t value, int bit_count) {
    for (int bit = 0; bit < bit_count; ++bit) put_bit(bit < 64 && ((value >> bit) & 1u) != 0);
    return *this;
  }
  /// A Huffman code: its most significant bit first.
  lsb_bit_writer& code(std::uint64_t value, int bit_count) {
    for (int bit = bit_count - 1; bit >= 0; --bit) put_bit(((value >> bit) & 1u) != 0);
    return *this;
  }
  lsb_bit_writer& align() {
    while (bit_count_ % 8 != 0) put_bit(false);
    return *this;
  }
  lsb_bit_writer& byte(std::uint8_t value) { return put(value, 8); }
  std::size_t bit_count() const { return bit_count_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void put_bit(bool set) {
    if (bit_count_ % 8 == 0) bytes_.push_back(0);
    if (set) bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (1u << (bit_count_ % 8)));
    ++bit_count_;
  }
  std::vector<std::uint8_t> bytes_;
  std::size_t bit_count_ = 0;
};

}  // namespace cuphoton::xdr::test
