// cuda.cpp: the table of CUDA's runtime. The only file that includes its header; every function is one call.
#if defined(XDR_HAVE_CUDA)
#include <cuda_runtime_api.h>

#include "device/api.hpp"
#include "device/cuda_errors.hpp"
#include "device/probe.hpp"
#include "device/pull.hpp"

namespace cuphoton::xdr::device {
namespace {

static_assert(cuda_success == cudaSuccess && cuda_memory_allocation == cudaErrorMemoryAllocation);
static_assert(cuda_runtime_unloading == cudaErrorCudartUnloading);
static_assert(cuda_devices_unavailable == cudaErrorDevicesUnavailable);
static_assert(cuda_invalid_device_function == cudaErrorInvalidDeviceFunction);
static_assert(cuda_no_device == cudaErrorNoDevice && cuda_invalid_device == cudaErrorInvalidDevice);
static_assert(cuda_device_uninitialized == cudaErrorDeviceUninitialized);
static_assert(cuda_no_kernel_image == cudaErrorNoKernelImageForDevice);
static_assert(cuda_ecc_uncorrectable == cudaErrorECCUncorrectable);
static_assert(cuda_nvlink_uncorrectable == cudaErrorNvlinkUncorrectable && cuda_contained == cudaErrorContained);
static_assert(cuda_invalid_handle == cudaErrorInvalidResourceHandle && cuda_not_ready == cudaErrorNotReady);
static_assert(cuda_illegal_address == cudaErrorIllegalAddress && cuda_launch_timeout == cudaErrorLaunchTimeout);
static_assert(cuda_context_destroyed == cudaErrorContextIsDestroyed && cuda_assert == cudaErrorAssert);
static_assert(cuda_hardware_stack == cudaErrorHardwareStackError);
static_assert(cuda_illegal_instruction == cudaErrorIllegalInstruction);
static_assert(cuda_misaligned_address == cudaErrorMisalignedAddress);
static_assert(cuda_invalid_address_space == cudaErrorInvalidAddressSpace && cuda_invalid_pc == cudaErrorInvalidPc);
static_assert(cuda_launch_failure == cudaErrorLaunchFailure && cuda_tensor_memory_leak == cudaErrorTensorMemoryLeak);
static_assert(cuda_mps_rpc_failure == cudaErrorMpsRpcFailure);
static_assert(cuda_mps_client_terminated == cudaErrorMpsClientTerminated);
static_assert(cuda_external_device == cudaErrorExternalDevice && cuda_unknown == cudaErrorUnknown);

int get_properties(properties* out, int device) {
  cudaDeviceProp found{};
  const cudaError_t error = cudaGetDeviceProperties(&found, device);
  if (error != cudaSuccess) return error;
  *out = {found.name, found.major, found.minor, found.multiProcessorCount, found.totalGlobalMem};
  return cudaSuccess;
}

/// "No" is an answer, not a failure: a kernel without an image for the device is refused with one of these numbers.
int has_code(bool* yes, int device) {
  *yes = false;
  int before = 0;
  cudaError_t error = cudaGetDevice(&before);
  if (error != cudaSuccess) return error;
  error = cudaSetDevice(device);
  if (error != cudaSuccess) return error;
  cudaFuncAttributes attributes{};
  error = cudaFuncGetAttributes(&attributes, probe_kernel());
  const cudaError_t back = cudaSetDevice(before);
  if (error == cudaErrorInvalidDeviceFunction || error == cudaErrorNoKernelImageForDevice ||
      error == cudaErrorUnsupportedPtxVersion || error == cudaErrorInvalidKernelImage) {
    cudaGetLastError();
    return back;
  }
  *yes = error == cudaSuccess;
  return error != cudaSuccess ? error : back;
}

int pool_keep(pool_handle pool, std::uint64_t keep_bytes) {
  return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep_bytes);
}

/// A function of the driver that the runtime has no name for; nullptr where the driver is older than it.
template <class Function>
Function* driver_function(const char* name, unsigned since) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t error = cudaGetDriverEntryPointByVersion(name, &function, since, cudaEnableDefault, &found);
  if (error != cudaSuccess) cudaGetLastError();
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(function) : nullptr;
}

/// "None" is an answer, not a failure: drivers that do not know the question have no engine.
int find_engine(decompression_engine* out, int device) {
  enum : int { algorithm_mask = 136, maximum_length = 137 };  // CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_...
  constexpr int inflate = 1;                                  // CU_MEM_DECOMPRESS_ALGORITHM_DEFLATE
  *out = {};
  auto* const attribute = driver_function<int(int*, int, int)>("cuDeviceGetAttribute", 12000);
  int algorithms = 0;
  int longest = 0;
  if (attribute == nullptr || attribute(&algorithms, algorithm_mask, device) != 0 || (algorithms & inflate) == 0 ||
      attribute(&longest, maximum_length, device) != 0 || longest <= 0) {
    return cudaSuccess;
  }
  *out = {true, static_cast<std::uint64_t>(longest)};
  return cudaSuccess;
}

int engine_reaches(bool* yes, const void* memory) {
  constexpr int decompress_capable = 21;  // CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE
  *yes = false;
  auto* const attribute = driver_function<int(void*, int, unsigned long long)>("cuPointerGetAttribute", 12000);
  int capable = 0;
  if (attribute != nullptr && attribute(&capable, decompress_capable, reinterpret_cast<std::uintptr_t>(memory)) == 0) {
    *yes = (capable & 0xff) != 0;  // the driver writes a bool or an int
  }
  return cudaSuccess;
}

/// Memory that a decompression engine reaches, where there is one.
unsigned short pool_usage([[maybe_unused]] int device) {
#if defined(cudaMemPoolCreateUsageHwDecompress)
  decompression_engine engine;
  find_engine(&engine, device);
  if (engine.inflates) return cudaMemPoolCreateUsageHwDecompress;
#endif
  return 0;
}

int pool_create(pool_handle* pool, int device, std::uint64_t keep_bytes) {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;  // CUDA's word for memory that stays where it is
  wanted.handleTypes = cudaMemHandleTypeNone;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = device;
  wanted.usage = pool_usage(device);
  *pool = nullptr;
  cudaError_t error = cudaMemPoolCreate(pool, &wanted);
  if (error != cudaSuccess && wanted.usage != 0) {  // then without: engine_reaches tells those who need it
    cudaGetLastError();
    wanted.usage = 0;
    error = cudaMemPoolCreate(pool, &wanted);
  }
  if (error != cudaSuccess) return error;
  const int kept = pool_keep(*pool, keep_bytes);
  if (kept != cudaSuccess) {
    cudaMemPoolDestroy(*pool);
    *pool = nullptr;
  }
  return kept;
}

int copy(void* to, const void* from, std::size_t length_bytes, copy_kind kind, stream_handle stream) {
  if (kind == copy_kind::pinned_to_device) {
    void* arguments[] = {&to, &from, &length_bytes};
    return cudaLaunchKernel(pull_kernel(), dim3(pull_blocks), dim3(pull_threads), arguments, 0, stream);
  }
  const cudaMemcpyKind direction =
      kind == copy_kind::device_to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
  return cudaMemcpyAsync(to, from, length_bytes, direction, stream);
}

int event_query(event_handle event, bool* done) {
  const cudaError_t error = cudaEventQuery(event);
  *done = error == cudaSuccess;
  if (error != cudaErrorNotReady) return error;
  cudaGetLastError();  // "not ready" is an answer; left behind, the next caller would take it for a failure
  return cudaSuccess;
}

int launch(const void* kernel, const launch_shape& shape, void** arguments, stream_handle stream) {
  return cudaLaunchKernel(kernel, dim3(shape.grid_x, shape.grid_y), dim3(shape.block), arguments, shape.shared_bytes,
                          stream);
}

int shared_limit(const void* kernel, unsigned shared_bytes) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
}

const api_table cuda_table{
    .driver_version = [](int* version) -> int { return cudaDriverGetVersion(version); },
    .runtime_version = [](int* version) -> int { return cudaRuntimeGetVersion(version); },
    .device_count = [](int* count) -> int { return cudaGetDeviceCount(count); },
    .get_properties = get_properties,
    .get_device = [](int* device) -> int { return cudaGetDevice(device); },
    .set_device = [](int device) -> int { return cudaSetDevice(device); },
    .has_code = has_code,
    .memory_info = [](std::size_t* free_bytes, std::size_t* total_bytes) -> int {
      return cudaMemGetInfo(free_bytes, total_bytes);
    },
    .pool_create = pool_create,
    .pool_keep = pool_keep,
    .pool_destroy = [](pool_handle pool) -> int { return cudaMemPoolDestroy(pool); },
    .pool_trim = [](pool_handle pool) -> int { return cudaMemPoolTrimTo(pool, 0); },
    .allocate = [](void** memory, std::size_t length_bytes, pool_handle pool, stream_handle stream) -> int {
      return cudaMallocFromPoolAsync(memory, length_bytes, pool, stream);
    },
    .release = [](void* memory, stream_handle stream) -> int { return cudaFreeAsync(memory, stream); },
    .pinned_allocate = [](void** memory, std::size_t length_bytes) -> int {
      return cudaHostAlloc(memory, length_bytes, cudaHostAllocPortable);  // pinned for every device, not one
    },
    .pinned_release = [](void* memory) -> int { return cudaFreeHost(memory); },
    .copy = copy,
    .fill = [](void* memory, int byte, std::size_t length_bytes, stream_handle stream) -> int {
      return cudaMemsetAsync(memory, byte, length_bytes, stream);
    },
    .stream_create = [](stream_handle* stream) -> int {
      return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);  // never ordered by the legacy default stream
    },
    .stream_destroy = [](stream_handle stream) -> int { return cudaStreamDestroy(stream); },
    .stream_synchronize = [](stream_handle stream) -> int { return cudaStreamSynchronize(stream); },
    .stream_wait = [](stream_handle stream, event_handle event) -> int {
      return cudaStreamWaitEvent(stream, event, 0);
    },
    .event_create = [](event_handle* event) -> int { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); },
    .event_destroy = [](event_handle event) -> int { return cudaEventDestroy(event); },
    .event_record = [](event_handle event, stream_handle stream) -> int { return cudaEventRecord(event, stream); },
    .event_synchronize = [](event_handle event) -> int { return cudaEventSynchronize(event); },
    .event_query = event_query,
    .launch = launch,
    .shared_limit = shared_limit,
    .blocks_per_multiprocessor = [](int* blocks, const void* kernel, int block, std::size_t shared_bytes) -> int {
      return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared_bytes);
    },
    .find_engine = find_engine,
    .engine_reaches = engine_reaches,
    .last_error = []() -> int { return cudaGetLastError(); },
    .error_text = [](int error) -> const char* { return cudaGetErrorString(static_cast<cudaError_t>(error)); },
};

}  // namespace

const api_table& built_api() noexcept {
  return cuda_table;
}
bool is_built() noexcept {
  return true;
}

}  // namespace cuphoton::xdr::device
#endif  // XDR_HAVE_CUDA
