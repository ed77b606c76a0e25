// gpu_arch.hpp: what differs among GPUs from sm_75 on, so that one text of a kernel compiles for all of them. CI
// compiles for sm_90 only; dev/check_cuda.py looks that other files leave to this one what older GPUs lack.
#pragma once

#include <cstdint>

namespace cuphoton::xdr {

/// For __launch_bounds__: `wanted` blocks at once on a multiprocessor, or as many as this architecture can hold.
constexpr unsigned resident_blocks(unsigned wanted) {
#if !defined(__CUDA_ARCH__)
  constexpr unsigned most = 32;
#elif __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200)
  constexpr unsigned most = 32;
#elif __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200
  constexpr unsigned most = 24;
#else
  constexpr unsigned most = 16;
#endif
  return wanted < most ? wanted : most;
}

#if defined(__CUDACC__)
// One value from those of all 32 lanes of a warp; each lane gets it. Before sm_80 there is no instruction for it.

__device__ inline std::uint32_t or_over_warp(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(0xffffffffU, value);
#else
  for (int distance = 16; distance > 0; distance /= 2) value |= __shfl_xor_sync(0xffffffffU, value, distance);
  return value;
#endif
}

__device__ inline std::uint32_t sum_over_warp(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffU, value);
#else
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffffU, value, distance);
  return value;
#endif
}
#endif

}  // namespace cuphoton::xdr
