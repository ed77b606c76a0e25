// bytes.hpp: big-endian numbers in byte arrays, the same on host and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/hd.hpp"

namespace cuphoton::xdr {

/// Bytes that somebody else owns.
struct byte_view {
  const std::uint8_t* data = nullptr;
  std::size_t length_bytes = 0;
};

XDR_HD constexpr std::uint8_t byteswap(std::uint8_t value) {
  return value;
}
XDR_HD constexpr std::uint16_t byteswap(std::uint16_t value) {
  return static_cast<std::uint16_t>((value >> 8) | (value << 8));
}
XDR_HD constexpr std::uint32_t byteswap(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(value, 0, 0x0123);
#else
  return __builtin_bswap32(value);
#endif
}
XDR_HD constexpr std::uint64_t byteswap(std::uint64_t value) {
  return (static_cast<std::uint64_t>(byteswap(static_cast<std::uint32_t>(value))) << 32) |
         byteswap(static_cast<std::uint32_t>(value >> 32));
}

template <std::size_t Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
  using type = std::uint64_t;
};
/// The unsigned integer as wide as T.
template <class T>
using bits_of = typename unsigned_of<sizeof(T)>::type;

/// Reads a native-endian T from memory of any alignment.
template <class T>
XDR_HD inline T load_native(const std::uint8_t* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// Reads a big-endian T (integer or IEEE float) from memory of any alignment.
template <class T>
XDR_HD inline T load_be(const std::uint8_t* bytes) {
  const bits_of<T> bits = byteswap(load_native<bits_of<T>>(bytes));
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace cuphoton::xdr
