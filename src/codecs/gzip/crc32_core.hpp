// crc32_core.hpp: CRC32 of gzip (RFC 1952 §8): eight bytes a step by tables, slices in any order, joined by arithmetic
// modulo the polynomial. Reflected throughout: bit 31 of a word is the coefficient of x^0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

inline constexpr std::uint32_t crc32_polynomial = 0xedb88320u;
/// Slices of one buffer, each a lane's work.
inline constexpr int crc32_slices = 32;

/// word[k][b]: the CRC of byte b followed by k zero bytes. 8 KiB.
struct crc32_tables {
  std::uint32_t word[8][256];
};

constexpr crc32_tables make_crc32_tables() {
  crc32_tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1u) != 0 ? crc32_polynomial : 0u);
    tables.word[0][byte] = value;
  }
  for (int k = 1; k < 8; ++k) {
    for (int byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables.word[k - 1][byte];
      tables.word[k][byte] = (before >> 8) ^ tables.word[0][before & 255u];
    }
  }
  return tables;
}
/// The host's copy; a kernel brings its own.
inline constexpr crc32_tables crc32_host_tables = make_crc32_tables();

/// CRC of one run of bytes.
XDR_HD inline std::uint32_t crc32_of_slice(const crc32_tables& tables, const std::uint8_t* bytes,
                                           std::size_t length_bytes) {
  std::uint32_t crc = 0xffffffffu;
  const auto one_byte = [&] { crc = (crc >> 8) ^ tables.word[0][(crc ^ *bytes) & 255u]; };
  for (; length_bytes > 0 && (reinterpret_cast<std::uintptr_t>(bytes) & 3u) != 0; --length_bytes, ++bytes) one_byte();
  for (; length_bytes >= 8; length_bytes -= 8, bytes += 8) {
    // A GPU loads an unaligned word byte by byte.
    const auto* const aligned = static_cast<const std::uint8_t*>(__builtin_assume_aligned(bytes, 4));
    const std::uint32_t low = crc ^ load_native<std::uint32_t>(aligned);
    const auto high = load_native<std::uint32_t>(aligned + 4);
    crc = tables.word[7][low & 255u] ^ tables.word[6][(low >> 8) & 255u] ^ tables.word[5][(low >> 16) & 255u] ^
          tables.word[4][low >> 24] ^ tables.word[3][high & 255u] ^ tables.word[2][(high >> 8) & 255u] ^
          tables.word[1][(high >> 16) & 255u] ^ tables.word[0][high >> 24];
  }
  for (; length_bytes > 0; --length_bytes, ++bytes) one_byte();
  return ~crc;
}

/// Product of two polynomials modulo the CRC's.
XDR_HD constexpr std::uint32_t crc32_multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (int bit = 0; bit < 32; ++bit) {
    if ((a & 0x80000000u) != 0) product ^= b;
    a <<= 1;
    b = (b >> 1) ^ ((b & 1u) != 0 ? crc32_polynomial : 0u);  // b * x
  }
  return product;
}

/// x^(8 * length_bytes): what a CRC is multiplied by when so many bytes follow.
XDR_HD constexpr std::uint32_t crc32_shift(std::uint64_t length_bytes) {
  std::uint32_t power = 0x00800000u;    // x^8
  std::uint32_t product = 0x80000000u;  // 1
  for (; length_bytes != 0; length_bytes >>= 1) {
    if ((length_bytes & 1u) != 0) product = crc32_multiply(product, power);
    power = crc32_multiply(power, power);
  }
  return product;
}

/// CRC of a buffer; `partial` has room for crc32_slices words that all lanes see. The initial and final inversions
/// cancel in the sum: crc(AB) = crc(A) * x^(8 |B|) + crc(B). Slices are counted from the end of the buffer, the first
/// ones are short or empty (their CRC is 0): what stands right of a sum is whole slices, and pairs are joined in
/// parallel.
template <class Lanes>
XDR_HD std::uint32_t crc32_of(Lanes& lanes, const crc32_tables& tables, const std::uint8_t* bytes,
                              std::uint64_t length_bytes, std::uint32_t* partial) {
  const std::uint64_t needed_bytes = (length_bytes + crc32_slices - 1) / crc32_slices;
  const std::uint64_t slice_bytes = (needed_bytes + 7) / 8 * 8;
  lanes.phase(crc32_slices, [&](int slice) {
    const std::uint64_t behind_end = static_cast<std::uint64_t>(crc32_slices - 1 - slice) * slice_bytes;
    const std::uint64_t end = behind_end < length_bytes ? length_bytes - behind_end : 0;
    const std::uint64_t begin = end > slice_bytes ? end - slice_bytes : 0;
    partial[slice] = crc32_of_slice(tables, bytes + begin, static_cast<std::size_t>(end - begin));
  });
  std::uint32_t right = crc32_shift(slice_bytes);
  for (int width = 1; width < crc32_slices; width *= 2) {
    lanes.phase(crc32_slices / 2 / width, [&](int pair) {
      std::uint32_t& left = partial[2 * width * pair];
      left = crc32_multiply(left, right) ^ partial[2 * width * pair + width];
    });
    right = crc32_multiply(right, right);
  }
  return partial[0];
}

}  // namespace cuphoton::xdr
