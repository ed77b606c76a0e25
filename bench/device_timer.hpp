// device_timer.hpp: device time of enqueued work by CUDA events, and the copy rates that figures are held against.
#pragma once

#include <cstddef>
#include <functional>

struct CUstream_st;

namespace cuphoton::xdr::bench {

/// Milliseconds of the device between the work that `enqueue` puts on `stream` beginning and ending. Before it the
/// second-level cache is flushed by writing `flush` (device memory of flush_bytes), unless that is nullptr.
float time_on_device(CUstream_st* stream, void* flush, std::size_t flush_bytes, const std::function<void()>& enqueue);
/// GB/s of copies of 256 MiB: pinned host memory to the device.
double pinned_copy_rate(CUstream_st* stream);
/// GB/s of copies of 1 GiB inside the device, read and written bytes both counted.
double device_copy_rate(CUstream_st* stream);

}  // namespace cuphoton::xdr::bench
