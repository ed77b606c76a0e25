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

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
