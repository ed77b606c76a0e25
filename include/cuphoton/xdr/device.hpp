// device.hpp: preparing a GPU before the first load. Needs no CUDA header, and exists in a build without CUDA.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Makes what loads on `device` share: CUDA's context, streams, the pinned ring, and a memory pool that already holds
/// `bytes` (the compressed bytes, pixels and scratch of the loads that will run at the same time). Costs up to a second
/// once; without it the first load pays. May be called again, with more bytes too; thread-safe.
/// Throws error{invalid_argument} where there is no device of that number, {out_of_memory} where it does not have
/// `bytes`, {device_failed} without a driver, GPU or CUDA in this build, {device_lost} after an earlier loss.
void warm_up(int device = 0, std::uint64_t bytes = 0);

/// What the memory pool of a device has handed out since it was made. Arrays of a caller are not in it.
struct pool_facts {
  std::uint64_t allocations = 0;
  std::uint64_t releases = 0;
  std::uint64_t bytes_in_use = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t keep_bytes = 0;  // most idle memory that it keeps; 0: not made yet, and no limit was set
};
/// Asks the device for nothing; counts are 0 where nothing was loaded there yet. Thread-safe.
pool_facts device_pool(int device = 0);
/// Gives the pool's idle memory back to the driver; nothing to do where there is no pool. Throws error{device_failed,
/// device_lost}.
void trim_device_pool(int device = 0);
/// Most idle memory that a pool keeps, for devices on which nothing was loaded yet; `warm_up` may ask for more. 0:
/// none.
void limit_device_pools(std::uint64_t keep_bytes) noexcept;

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
