// pull.cu: see pull.hpp.
#include "device/pull.hpp"

#include <cstddef>
#include <cstdint>

namespace cuphoton::xdr::device {
namespace {

constexpr std::size_t all_threads = std::size_t{pull_blocks} * pull_threads;

/// Four reads of each thread are under way at once: a read over the link takes 1 to 2 us.
template <class Word>
__device__ void pull_words(Word* to, const Word* from, std::size_t words, std::size_t thread) {
  std::size_t at = thread;
  for (; at + 3 * all_threads < words; at += 4 * all_threads) {
    Word held[4];
#pragma unroll
    for (std::size_t i = 0; i < 4; ++i) held[i] = from[at + i * all_threads];
#pragma unroll
    for (std::size_t i = 0; i < 4; ++i) to[at + i * all_threads] = held[i];
  }
  for (; at < words; at += all_threads) to[at] = from[at];
}

__global__ void __launch_bounds__(pull_threads)
    pull(std::uint8_t* to, const std::uint8_t* from, std::size_t length_bytes) {
  const std::size_t thread = std::size_t{blockIdx.x} * pull_threads + threadIdx.x;
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(to) % sizeof(uint4);
  if (reinterpret_cast<std::uintptr_t>(from) % sizeof(uint4) != shift) {
    return pull_words(to, from, length_bytes, thread);
  }
  const std::size_t head = min(length_bytes, (sizeof(uint4) - shift) % sizeof(uint4));
  const std::size_t words = (length_bytes - head) / sizeof(uint4);
  const std::size_t tail = head + words * sizeof(uint4);  // up to 15 bytes from here
  if (thread < head) to[thread] = from[thread];
  if (thread < length_bytes - tail) to[tail + thread] = from[tail + thread];
  pull_words(reinterpret_cast<uint4*>(to + head), reinterpret_cast<const uint4*>(from + head), words, thread);
}

}  // namespace

const void* pull_kernel() noexcept {
  return reinterpret_cast<const void*>(&pull);
}

}  // namespace cuphoton::xdr::device
