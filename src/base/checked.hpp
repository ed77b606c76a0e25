// checked.hpp: arithmetic on numbers that came from a file. Every sum and product of header numbers goes through here.
#pragma once

#include <cstdint>
#include <optional>

namespace cuphoton::xdr {

template <class T>
[[nodiscard]] constexpr std::optional<T> checked_add(T a, T b) {
  T sum{};
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

template <class T>
[[nodiscard]] constexpr std::optional<T> checked_multiply(T a, T b) {
  T product{};
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// ceil(a / b) for a >= 0, b >= 1; cannot overflow.
template <class T>
[[nodiscard]] constexpr T divide_up(T a, T b) {
  return static_cast<T>(a / b + (a % b != 0 ? 1 : 0));
}

}  // namespace cuphoton::xdr
