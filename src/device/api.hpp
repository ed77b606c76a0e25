// api.hpp: every CUDA runtime call and every launch of the library, as one table of functions that a test can replace.
// No CUDA header: what is built without CUDA (none.cpp) has the same table, whose calls all answer "no device". Every
// call returns CUDA's own error number, 0 for success; `check` turns one into an exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

struct CUstream_st;
struct CUevent_st;
struct CUmemPoolHandle_st;

namespace cuphoton::xdr::device {

using stream_handle = CUstream_st*;
using event_handle = CUevent_st*;
using pool_handle = CUmemPoolHandle_st*;

/// From pinned memory to the device the multiprocessors read, not a copy engine (pull.hpp says why); fastest where both
/// addresses are equal modulo 16.
enum class copy_kind : std::uint8_t { pinned_to_device, device_to_host, device_to_device };

struct properties {
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

/// The unit of some GPUs that inflates beside the multiprocessors.
struct decompression_engine {
  bool inflates = false;            // DEFLATE; false where there is none
  std::uint64_t longest_bytes = 0;  // of one stream, compressed and not
};

/// What a launch needs. `arguments` are addresses of the kernel's parameters, in order.
struct launch_shape {
  unsigned grid_x = 1;
  unsigned grid_y = 1;
  unsigned block = 1;
  unsigned shared_bytes = 0;
};

struct api_table {
  int (*driver_version)(int* version);  // 13000 for CUDA 13.0; 0 where there is no driver
  int (*runtime_version)(int* version);
  int (*device_count)(int* count);
  int (*get_properties)(properties* out, int device);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  int (*has_code)(bool* yes, int device);  // a kernel of this build can run there
  int (*memory_info)(std::size_t* free_bytes, std::size_t* total_bytes);
  int (*pool_create)(pool_handle* pool, int device, std::uint64_t keep_bytes);  // keeps up to keep_bytes when idle
  int (*pool_keep)(pool_handle pool, std::uint64_t keep_bytes);                 // changes what it keeps
  int (*pool_destroy)(pool_handle pool);
  int (*pool_trim)(pool_handle pool);
  int (*allocate)(void** memory, std::size_t length_bytes, pool_handle pool, stream_handle stream);
  int (*release)(void* memory, stream_handle stream);
  int (*pinned_allocate)(void** memory, std::size_t length_bytes);
  int (*pinned_release)(void* memory);
  int (*copy)(void* to, const void* from, std::size_t length_bytes, copy_kind kind, stream_handle stream);
  int (*fill)(void* memory, int byte, std::size_t length_bytes, stream_handle stream);
  int (*stream_create)(stream_handle* stream);
  int (*stream_destroy)(stream_handle stream);
  int (*stream_synchronize)(stream_handle stream);
  int (*stream_wait)(stream_handle stream, event_handle event);
  int (*event_create)(event_handle* event);
  int (*event_destroy)(event_handle event);
  int (*event_record)(event_handle event, stream_handle stream);
  int (*event_synchronize)(event_handle event);
  int (*event_query)(event_handle event, bool* done);
  int (*launch)(const void* kernel, const launch_shape& shape, void** arguments, stream_handle stream);
  int (*shared_limit)(const void* kernel, unsigned shared_bytes);  // allows a launch that much dynamic shared memory
  int (*blocks_per_multiprocessor)(int* blocks, const void* kernel, int block, std::size_t shared_bytes);
  int (*find_engine)(decompression_engine* out, int device);
  int (*engine_reaches)(bool* yes, const void* memory);  // memory of which the decompression engine can read and write
  int (*last_error)();                                   // and clears it
  const char* (*error_text)(int error);
};

/// The table in force. Constant but in tests.
const api_table& api() noexcept;
/// Tests only: puts another table in force, nullptr brings back the built one. Not while anything runs.
void replace_api(const api_table* table) noexcept;
/// The table that this build made: CUDA's, or the one whose calls all fail.
const api_table& built_api() noexcept;
/// This build has CUDA code.
bool is_built() noexcept;

/// Throws where `error` is not 0: error{out_of_memory} for a failed allocation, {device_lost} where the context is gone
/// (the loss is remembered), {device_failed} else. `what` says what was tried.
void check(int error, const char* what);
/// An earlier call found the context lost: nothing may be asked of the device any more, nothing freed.
bool is_lost() noexcept;
/// Remembers a loss that no call named: work whose completion can no longer be learned.
void declare_lost() noexcept;
/// Tests only; also clears the two counters below.
void forget_loss() noexcept;

/// Throws error{device_lost} where the context is lost. `what` as in `check`.
void require_device(const char* what);
/// Frees that the device refused though it was not lost; tests assert 0.
std::uint64_t failed_frees() noexcept;
/// Objects that were left to the driver on purpose, because the context was lost.
std::uint64_t leaked_objects() noexcept;
/// For ways out that must not throw: remembers a loss, clears any other error. 0 is no error.
void note_error(int error) noexcept;
/// For destructors: judges the result of a free. Counts, never throws; the first failure is said on stderr.
void note_free(int error) noexcept;
void note_leak() noexcept;

/// One call through the table: refused where the context is lost, its result checked.
template <class... Parameters, class... Arguments>
void call(const char* what, int (*api_table::*function)(Parameters...), Arguments&&... arguments) {
  require_device(what);
  check((api().*function)(std::forward<Arguments>(arguments)...), what);
}

/// The same for a destructor: after a loss nothing is called and the object is leaked on purpose.
template <class... Parameters, class... Arguments>
void call_free(int (*api_table::*function)(Parameters...), Arguments&&... arguments) noexcept {
  if (is_lost()) return note_leak();
  note_free((api().*function)(std::forward<Arguments>(arguments)...));
}

}  // namespace cuphoton::xdr::device
