// stages.hpp: raw elements to final pixels, one function a stage, the same text on host and device.
//
// Two arithmetics, on purpose:
//  - quantised floats follow CFITSIO on x86: double throughout, multiply and add rounded separately, one cast at the
//  end;
//  - BSCALE and BZERO follow Astropy: the pixel is first converted to the output type, then multiplied, then added, in
//  that
//    type. Computed in double instead, one in nine float32 results would differ in the last bit.
// Both need fused multiply-add switched off (-ffp-contract=off; explicit rounding on the device). A stage that is off
// does not run: adding a neutral 0.0 would turn -0.0 into +0.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/bytes.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr::stages {

#if defined(__CUDA_ARCH__)
__device__ inline double multiply(double a, double b) {
  return __dmul_rn(a, b);
}
__device__ inline double add(double a, double b) {
  return __dadd_rn(a, b);
}
__device__ inline float multiply(float a, float b) {
  return __fmul_rn(a, b);
}
__device__ inline float add(float a, float b) {
  return __fadd_rn(a, b);
}
#else
inline double multiply(double a, double b) {
  return a * b;
}
inline double add(double a, double b) {
  return a + b;
}
inline float multiply(float a, float b) {
  return a * b;
}
inline float add(float a, float b) {
  return a + b;
}
#endif

/// Integer that CFITSIO and Astropy reserve for exact zero under SUBTRACTIVE_DITHER_2.
inline constexpr std::int32_t dither_zero_code = -2147483646;
/// What the text of FITS 4.0 names instead; CFITSIO writes it for null.
inline constexpr std::int32_t dither_doubtful_code = -2147483647;

/// Element `index` of big-endian elements laid out one after another.
template <class Raw>
XDR_HD Raw load_big_endian(const std::uint8_t* raw, std::size_t index) {
  return load_be<Raw>(raw + index * sizeof(Raw));
}

/// Element `index` of `pixels` elements whose bytes lie in planes, most significant plane first (GZIP_2).
template <class Raw>
XDR_HD Raw load_planes(const std::uint8_t* raw, std::size_t index, std::size_t pixels) {
  bits_of<Raw> bits = 0;
  for (std::size_t plane = 0; plane < sizeof(Raw); ++plane) {
    bits = static_cast<bits_of<Raw>>((sizeof(Raw) > 1 ? bits << 8 : 0) | raw[plane * pixels + index]);
  }
  Raw value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Element `index` of native integers.
template <class Raw>
XDR_HD Raw load_native_at(const std::uint8_t* raw, std::size_t index) {
  return load_native<Raw>(raw + index * sizeof(Raw));
}

/// The stored integer for a raw one; false where it does not fit (Astropy would wrap, CFITSIO clip: both unreported).
template <class Stored, class Raw>
XDR_HD bool narrow(Raw value, Stored& stored) {
  stored = static_cast<Stored>(value);
  if constexpr (sizeof(Raw) < sizeof(Stored)) return true;
  if constexpr (std::is_same_v<Raw, Stored>) return true;
  return static_cast<std::int64_t>(stored) == static_cast<std::int64_t>(value);
}

/// q * scale + zero. FITS 4.0 §10.2.
XDR_HD inline double dequantize(std::int32_t q, double scale, double zero) {
  return add(multiply(static_cast<double>(q), scale), zero);
}

/// (q - r + 0.5) * scale + zero, in this order. FITS 4.0 §10.2.1.
XDR_HD inline double dequantize_dithered(std::int32_t q, float r, double scale, double zero) {
  return add(multiply(add(add(static_cast<double>(q), -static_cast<double>(r)), 0.5), scale), zero);
}

/// Inverts the top bit: stored two's-complement to unsigned (BZERO = 2^(n-1)), or unsigned byte to int8 (BZERO = -128).
template <class Output, class Stored>
XDR_HD Output flip_sign(Stored value) {
  static_assert(sizeof(Output) == sizeof(Stored));
  using bits = bits_of<Stored>;
  return static_cast<Output>(static_cast<bits>(static_cast<bits>(value) ^ (bits{1} << (8 * sizeof(bits) - 1))));
}

template <class Float>
XDR_HD Float quiet_nan() {
  if constexpr (sizeof(Float) == 4) {
    constexpr std::uint32_t bits = 0x7FC00000U;
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  } else {
    constexpr std::uint64_t bits = 0x7FF8000000000000ULL;
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
}

}  // namespace cuphoton::xdr::stages
