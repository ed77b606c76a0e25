// lanes.hpp: who executes a phase, a set of items that do not depend on each other. A decoder core is written once
// against this vocabulary: one lane on the host, 64 shuffled orders in tests and fuzzers, a warp on the device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "base/bits.hpp"
#include "base/hd.hpp"

namespace cuphoton::xdr {

/// The host: a plain loop.
struct one_lane {
  template <class Work>
  XDR_HD void phase(int count, Work work) const {
    for (int item = 0; item < count; ++item) work(item);
  }
  /// Bit i of the answer is predicate(i); `count` <= 32. No barrier: the answer is all that lanes exchange.
  template <class Predicate>
  XDR_HD std::uint32_t choose(int count, Predicate predicate) const {
    std::uint32_t chosen = 0;
    for (int item = 0; item < count; ++item) chosen |= (predicate(item) ? 1U : 0U) << item;
    return chosen;
  }
  /// A phase of `count` <= 32 items: work(item, is its bit of `chosen` set, how many bits below it are).
  template <class Work>
  XDR_HD void phase_ranked(int count, std::uint32_t chosen, Work work) const {
    int rank = 0;
    for (int item = 0; item < count; ++item) {
      const bool mine = ((chosen >> item) & 1U) != 0;
      work(item, mine, rank);
      rank += mine ? 1 : 0;
    }
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
  template <class Predicate>
  std::uint32_t choose(int count, Predicate predicate) {
    std::uint32_t chosen = 0;
    phase(count, [&](int item) { chosen |= (predicate(item) ? 1U : 0U) << item; });
    return chosen;
  }
  template <class Work>
  void phase_ranked(int count, std::uint32_t chosen, Work work) {
    phase(count, [&](int item) {
      work(item, ((chosen >> item) & 1U) != 0, count_bits(chosen & ((std::uint32_t{1} << item) - 1)));
    });
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
  template <class Predicate>
  __device__ std::uint32_t choose(int count, Predicate predicate) const {
    const int lane = static_cast<int>(threadIdx.x & 31U);
    return __ballot_sync(0xffffffffU, lane < count && predicate(lane));
  }
  template <class Work>
  __device__ void phase_ranked(int count, std::uint32_t chosen, Work work) const {
    const int lane = static_cast<int>(threadIdx.x & 31U);
    if (lane < count) work(lane, ((chosen >> lane) & 1U) != 0, count_bits(chosen & ((1U << lane) - 1U)));
    __syncwarp();
  }
};
#endif

}  // namespace cuphoton::xdr
