// pull.hpp: the kernel that brings pinned memory to the device.
#pragma once

namespace cuphoton::xdr::device {

/// Copies length_bytes from pinned host memory: void (void* to, const void* from, std::size_t length_bytes). Launched
/// with pull_blocks blocks of pull_threads threads.
///
/// Why not a copy engine: what host threads have just written lies modified in their own caches, and a copy engine then
/// reaches 31 to 40 GB/s of a link of 55; multiprocessors keep enough reads under way for 47 (docs/performance.md).
const void* pull_kernel() noexcept;

constexpr unsigned pull_blocks = 32;  // 1 MiB of reads under way; 16 blocks of this size lose 5 %, 8 lose 20 %
constexpr unsigned pull_threads = 512;

}  // namespace cuphoton::xdr::device
