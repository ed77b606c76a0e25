// host_loops.hpp: the stages of stages.hpp over many pixels, as loops a compiler turns into vector code. Plain
// functions, so that each exists for the baseline processor and for AVX2, chosen when the library is loaded; the
// arithmetic is the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuphoton::xdr::host_loops {

/// `count` big-endian elements of `width` bytes (1, 2, 4, 8) to native ones.
void swap(const std::uint8_t* raw, std::size_t width, std::size_t count, std::uint8_t* out);
/// Elements first .. first + count of `pixels` whose bytes lie in planes.
void unshuffle(const std::uint8_t* raw, std::size_t width, std::size_t pixels, std::size_t first, std::size_t count,
               std::uint8_t* out);
/// Inverts the top bit of `count` elements of `width` bytes in place.
void flip_sign(std::size_t width, std::size_t count, std::uint8_t* pixels);

void dequantize(const std::int32_t* q, std::size_t count, double scale, double zero, float* out);
void dequantize(const std::int32_t* q, std::size_t count, double scale, double zero, double* out);
/// One number of `dither` for each q.
void dequantize(const std::int32_t* q, const float* dither, std::size_t count, double scale, double zero, float* out);
void dequantize(const std::int32_t* q, const float* dither, std::size_t count, double scale, double zero, double* out);

}  // namespace cuphoton::xdr::host_loops
