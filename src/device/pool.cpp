// pool.cpp: see pool.hpp. The cache itself is CUDA's; this counts what passes through.
#include "device/pool.hpp"

namespace cuphoton::xdr::device {

pool::pool(int device, std::uint64_t keep_bytes) : keep_bytes_(keep_bytes) {
  pool_handle made = nullptr;
  call("create a memory pool", &api_table::pool_create, &made, device, keep_bytes);
  handle_ = decltype(handle_)(made);
}

void* pool::allocate(std::size_t length_bytes, stream_handle stream) {
  void* memory = nullptr;
  call("allocate device memory", &api_table::allocate, &memory, length_bytes, handle_.get(), stream);
  const std::uint64_t now = in_use_.fetch_add(length_bytes) + length_bytes;
  for (std::uint64_t peak = peak_.load(); peak < now && !peak_.compare_exchange_weak(peak, now);) {
  }
  allocations_.fetch_add(1);
  return memory;
}

void pool::release(void* memory, std::size_t length_bytes, stream_handle stream) noexcept {
  call_free(&api_table::release, memory, stream);
  in_use_.fetch_sub(length_bytes);
  releases_.fetch_add(1);
}

void pool::keep_at_least(std::uint64_t keep_bytes) {
  if (keep_bytes <= keep_bytes_.load()) return;
  call("enlarge a memory pool", &api_table::pool_keep, handle_.get(), keep_bytes);
  keep_bytes_.store(keep_bytes);
}

void pool::trim() {
  call("trim a memory pool", &api_table::pool_trim, handle_.get());
}

pool_counters pool::counters() const noexcept {
  return {in_use_.load(), peak_.load(), allocations_.load(), releases_.load()};
}

}  // namespace cuphoton::xdr::device
