// probe.cu: proves that nvcc, its C++20 and our shared headers work together. Part of no library.
#include <cuphoton/xdr/plan.hpp>

#include "base/hd.hpp"

template <class T>
requires(sizeof(T) == 32) __global__ void probe(const T* in, T* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = in[i];
}
template __global__ void probe(const cuphoton::xdr::tile_record*, cuphoton::xdr::tile_record*, int);
