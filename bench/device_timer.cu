// device_timer.cu: see device_timer.hpp.
#include "device_timer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cuphoton::xdr::bench {
namespace {

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

double median_copy_rate(CUstream_st* stream, void* to, const void* from, std::size_t length_bytes,
                        cudaMemcpyKind kind) {
  std::vector<float> times;
  for (int round = 0; round < 9; ++round) {
    times.push_back(time_on_device(stream, nullptr, 0,
                                   [&] { require(cudaMemcpyAsync(to, from, length_bytes, kind, stream), "copy"); }));
  }
  std::sort(times.begin(), times.end());
  return static_cast<double>(length_bytes) / times[times.size() / 2] / 1e6;
}

}  // namespace

float time_on_device(CUstream_st* stream, void* flush, std::size_t flush_bytes, const std::function<void()>& enqueue) {
  static int round = 0;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require(cudaEventCreate(&begin), "event");
  require(cudaEventCreate(&end), "event");
  if (flush != nullptr) require(cudaMemsetAsync(flush, ++round & 0xFF, flush_bytes, stream), "flush");
  require(cudaEventRecord(begin, stream), "record");
  enqueue();
  require(cudaEventRecord(end, stream), "record");
  require(cudaEventSynchronize(end), "wait");
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin, end), "elapsed");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return milliseconds;
}

double pinned_copy_rate(CUstream_st* stream) {
  const std::size_t length_bytes = std::size_t{256} << 20;
  void* host = nullptr;
  void* device = nullptr;
  require(cudaMallocHost(&host, length_bytes), "pinned memory");
  require(cudaMalloc(&device, length_bytes), "device memory");
  for (std::size_t i = 0; i < length_bytes; i += 8)
    static_cast<std::uint64_t*>(host)[i / 8] = i * 0x9E3779B97F4A7C15ULL;
  const double rate = median_copy_rate(stream, device, host, length_bytes, cudaMemcpyHostToDevice);
  cudaFree(device);
  cudaFreeHost(host);
  return rate;
}

double device_copy_rate(CUstream_st* stream) {
  const std::size_t length_bytes = std::size_t{1} << 30;
  void* from = nullptr;
  void* to = nullptr;
  require(cudaMalloc(&from, length_bytes), "device memory");
  require(cudaMalloc(&to, length_bytes), "device memory");
  require(cudaMemset(from, 0x5A, length_bytes), "fill");
  const double rate = 2 * median_copy_rate(stream, to, from, length_bytes, cudaMemcpyDeviceToDevice);
  cudaFree(from);
  cudaFree(to);
  return rate;
}

}  // namespace cuphoton::xdr::bench
