// lanes.hpp: who executes a phase, a set of items that do not depend on each other. A decoder core is written once
// against this vocabulary: one lane on the host, 64 shuffled orders in tests and fuzzers, a warp on the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "base/hd.hpp"

namespace cuphoton::xdr {

/// The host: a plain loop.
struct one_lane {
  template <class Work>
  XDR_HD void phase(int count, Work work) const {
    for (int item = 0; item < count; ++item) work(item);
  }
};

/// Tests and fuzzers: random order inside a phase, so that an item which reads another item's result is found on a CPU.
class shuffled_lanes {
 public:
  explicit shuffled_lanes(std::uint32_t seed) : random_(seed) {}

  template <class Work>
  void phase(int count, Work work) {
    order_.resize(static_cast<std::size_t>(std::max(count, 0)));
    std::iota(order_.begin(), order_.end(), 0);
    std::shuffle(order_.begin(), order_.end(), random_);
    for (const int item : order_) work(item);
  }

 private:
  std::mt19937 random_;
  std::vector<int> order_;
};

#if defined(__CUDACC__)
/// The device: a warp of 32, strided, closed by a warp barrier. All lanes of the warp call a phase together.
struct warp_lanes {
  template <class Work>
  __device__ void phase(int count, Work work) const {
    for (int item = static_cast<int>(threadIdx.x & 31U); item < count; item += 32) work(item);
    __syncwarp();
  }
};
#endif

}  // namespace cuphoton::xdr
