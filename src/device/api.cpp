// api.cpp: which table is in force, what an error number means, and the memory of a lost context.
#include "device/api.hpp"

#include <atomic>
#include <cstdio>

#include <cuphoton/xdr/error.hpp>

#include "device/cuda_errors.hpp"

namespace cuphoton::xdr::device {
namespace {

std::atomic<const api_table*> in_force{nullptr};
std::atomic<bool> lost{false};
std::atomic<std::uint64_t> failed_count{0};
std::atomic<std::uint64_t> leaked_count{0};

std::string describe(int error) {
  const char* text = api().error_text(error);
  return std::string(text == nullptr ? "unknown error" : text) + " (CUDA error " + std::to_string(error) + ")";
}

}  // namespace

const api_table& api() noexcept {
  const api_table* table = in_force.load(std::memory_order_acquire);
  return table != nullptr ? *table : built_api();
}

void replace_api(const api_table* table) noexcept {
  in_force.store(table, std::memory_order_release);
}

bool is_lost() noexcept {
  return lost.load(std::memory_order_acquire);
}

void declare_lost() noexcept {
  lost.store(true, std::memory_order_release);
}

void forget_loss() noexcept {
  lost.store(false, std::memory_order_release);
  failed_count.store(0);
  leaked_count.store(0);
}

void check(int error, const char* what) {
  if (error == cuda_success) [[likely]]
    return;
  const std::string message = std::string("cannot ") + what + ": " + describe(error);
  if (loses_context(error)) {
    declare_lost();
    throw xdr::error(errc::device_lost, {},
                     message + "; the device is not used again in this process: start a new one");
  }
  api().last_error();  // an error that was reported must not be found again by the next caller
  if (error == cuda_memory_allocation) {
    throw xdr::error(errc::out_of_memory, {}, message + "; read smaller pieces, or free memory of the device");
  }
  throw xdr::error(errc::device_failed, {}, message);
}

void require_device(const char* what) {
  if (!is_lost()) [[likely]]
    return;
  throw xdr::error(errc::device_lost, {},
                   std::string("cannot ") + what +
                       ": the device was lost earlier and is not used again in this process: start a new one, or use "
                       "the host engine");
}

std::uint64_t failed_frees() noexcept {
  return failed_count.load();
}

std::uint64_t leaked_objects() noexcept {
  return leaked_count.load();
}

void note_error(int error) noexcept {
  if (error == cuda_success) return;
  if (loses_context(error)) return declare_lost();
  api().last_error();
}

void note_free(int error) noexcept {
  if (error == cuda_success) return;
  note_error(error);
  if (loses_context(error)) return note_leak();
  if (failed_count.fetch_add(1) == 0) {
    const char* text = api().error_text(error);
    std::fprintf(stderr, "xDR: the device refused to free an object: %s (CUDA error %d)\n",
                 text == nullptr ? "unknown error" : text, error);
  }
}

void note_leak() noexcept {
  leaked_count.fetch_add(1);
}

}  // namespace cuphoton::xdr::device
