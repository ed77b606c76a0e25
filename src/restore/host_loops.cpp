// host_loops.cpp: see host_loops.hpp. Nothing here branches on a pixel's value.
#include "restore/host_loops.hpp"

#include <cstring>

#include "restore/stages.hpp"

// Sanitizers run before an ifunc may be resolved; they test the same text in its baseline form.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define XDR_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define XDR_VECTOR
#endif

namespace cuphoton::xdr::host_loops {
namespace {

XDR_VECTOR void swap_2(const std::uint8_t* raw, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = stages::load_big_endian<std::uint16_t>(raw, i);
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

XDR_VECTOR void swap_4(const std::uint8_t* raw, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = stages::load_big_endian<std::uint32_t>(raw, i);
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

XDR_VECTOR void swap_8(const std::uint8_t* raw, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = stages::load_big_endian<std::uint64_t>(raw, i);
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

// Plane pointers are taken out of the loop by hand: with stages::load_planes the compiler sees one stride, not w
// streams.
XDR_VECTOR void unshuffle_2(const std::uint8_t* raw, std::size_t pixels, std::size_t count, std::uint8_t* out) {
  const std::uint8_t* const high = raw;
  const std::uint8_t* const low = raw + pixels;
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = low[i];
    out[2 * i + 1] = high[i];
  }
}

XDR_VECTOR void unshuffle_4(const std::uint8_t* raw, std::size_t pixels, std::size_t count, std::uint8_t* out) {
  const std::uint8_t* const p0 = raw;
  const std::uint8_t* const p1 = p0 + pixels;
  const std::uint8_t* const p2 = p1 + pixels;
  const std::uint8_t* const p3 = p2 + pixels;
  for (std::size_t i = 0; i < count; ++i) {
    out[4 * i] = p3[i];
    out[4 * i + 1] = p2[i];
    out[4 * i + 2] = p1[i];
    out[4 * i + 3] = p0[i];
  }
}

void unshuffle_8(const std::uint8_t* raw, std::size_t pixels, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t plane = 0; plane < 8; ++plane) out[8 * i + 7 - plane] = raw[plane * pixels + i];
  }
}

template <class Integer>
inline void flip_all(std::size_t count, std::uint8_t* pixels) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = stages::flip_sign<Integer>(load_native<Integer>(pixels + i * sizeof(Integer)));
    std::memcpy(pixels + i * sizeof value, &value, sizeof value);
  }
}
XDR_VECTOR void flip_1(std::size_t count, std::uint8_t* pixels) {
  flip_all<std::uint8_t>(count, pixels);
}
XDR_VECTOR void flip_2(std::size_t count, std::uint8_t* pixels) {
  flip_all<std::uint16_t>(count, pixels);
}
XDR_VECTOR void flip_4(std::size_t count, std::uint8_t* pixels) {
  flip_all<std::uint32_t>(count, pixels);
}
XDR_VECTOR void flip_8(std::size_t count, std::uint8_t* pixels) {
  flip_all<std::uint64_t>(count, pixels);
}

}  // namespace

void swap(const std::uint8_t* raw, std::size_t width, std::size_t count, std::uint8_t* out) {
  switch (width) {
    case 2: return swap_2(raw, count, out);
    case 4: return swap_4(raw, count, out);
    case 8: return swap_8(raw, count, out);
    default: std::memcpy(out, raw, count);
  }
}

void unshuffle(const std::uint8_t* raw, std::size_t width, std::size_t pixels, std::size_t first, std::size_t count,
               std::uint8_t* out) {
  switch (width) {
    case 2: return unshuffle_2(raw + first, pixels, count, out);
    case 4: return unshuffle_4(raw + first, pixels, count, out);
    case 8: return unshuffle_8(raw + first, pixels, count, out);
    default: std::memcpy(out, raw + first, count);
  }
}

void flip_sign(std::size_t width, std::size_t count, std::uint8_t* pixels) {
  switch (width) {
    case 2: return flip_2(count, pixels);
    case 4: return flip_4(count, pixels);
    case 8: return flip_8(count, pixels);
    default: return flip_1(count, pixels);
  }
}

XDR_VECTOR void dequantize(const std::int32_t* q, std::size_t count, double scale, double zero, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(stages::dequantize(q[i], scale, zero));
}

XDR_VECTOR void dequantize(const std::int32_t* q, std::size_t count, double scale, double zero, double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = stages::dequantize(q[i], scale, zero);
}

XDR_VECTOR void dequantize(const std::int32_t* q, const float* dither, std::size_t count, double scale, double zero,
                           float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(stages::dequantize_dithered(q[i], dither[i], scale, zero));
  }
}

XDR_VECTOR void dequantize(const std::int32_t* q, const float* dither, std::size_t count, double scale, double zero,
                           double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = stages::dequantize_dithered(q[i], dither[i], scale, zero);
}

}  // namespace cuphoton::xdr::host_loops
