// warp.hpp: one value from those of all 32 lanes of a warp, each lane gets it. GPUs before sm_80 have no instruction
// for it: other files use these (dev/check_cuda.py looks), since CI compiles for sm_90 only.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
namespace cuphoton::xdr {

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

}  // namespace cuphoton::xdr
#endif
