// pool.hpp: the memory of one device that the library keeps, handed out and taken back in the order of streams.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device/owned.hpp"

namespace cuphoton::xdr::device {

/// What was handed out, as the host sees it: memory counts until its release is enqueued.
struct pool_counters {
  std::uint64_t bytes_in_use = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t allocations = 0;  // since the pool was made
  std::uint64_t releases = 0;
};

/// May be used from several threads at once. Must outlive its buffers.
class pool {
 public:
  /// Keeps at most `keep_bytes` of idle memory; what is idle above that goes back to the driver when a stream is waited
  /// for. Throws error{device_failed, device_lost, out_of_memory}.
  pool(int device, std::uint64_t keep_bytes);
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Memory that may be used by work enqueued on `stream` from now on. `length_bytes` >= 1. Throws as above;
  /// out_of_memory leaves everything as it was.
  void* allocate(std::size_t length_bytes, stream_handle stream);
  /// Takes memory back once the work that is on `stream` now has run. For destructors: never throws.
  void release(void* memory, std::size_t length_bytes, stream_handle stream) noexcept;
  /// Raises what idle memory may be kept to at least `keep_bytes`.
  void keep_at_least(std::uint64_t keep_bytes);
  std::uint64_t keep_bytes() const noexcept { return keep_bytes_.load(); }
  /// Gives all idle memory back to the driver.
  void trim();
  pool_counters counters() const noexcept;

 private:
  owned<pool_handle, &api_table::pool_destroy> handle_;
  std::atomic<std::uint64_t> keep_bytes_;
  std::atomic<std::uint64_t> in_use_{0};
  std::atomic<std::uint64_t> peak_{0};
  std::atomic<std::uint64_t> allocations_{0};
  std::atomic<std::uint64_t> releases_{0};
};

}  // namespace cuphoton::xdr::device
