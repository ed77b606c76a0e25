// cuda_errors.hpp: the error numbers of CUDA's runtime that xDR tells apart, without its header. cuda.cpp asserts that
// they are CUDA's own.
#pragma once

namespace cuphoton::xdr::device {

inline constexpr int cuda_success = 0;
inline constexpr int cuda_memory_allocation = 2;
inline constexpr int cuda_runtime_unloading = 4;
inline constexpr int cuda_devices_unavailable = 46;
inline constexpr int cuda_invalid_device_function = 98;
inline constexpr int cuda_no_device = 100;
inline constexpr int cuda_invalid_device = 101;
inline constexpr int cuda_device_uninitialized = 201;
inline constexpr int cuda_no_kernel_image = 209;
inline constexpr int cuda_ecc_uncorrectable = 214;
inline constexpr int cuda_nvlink_uncorrectable = 220;
inline constexpr int cuda_contained = 226;
inline constexpr int cuda_invalid_handle = 400;
inline constexpr int cuda_not_ready = 600;
inline constexpr int cuda_illegal_address = 700;
inline constexpr int cuda_launch_timeout = 702;
inline constexpr int cuda_context_destroyed = 709;
inline constexpr int cuda_assert = 710;
inline constexpr int cuda_hardware_stack = 714;
inline constexpr int cuda_illegal_instruction = 715;
inline constexpr int cuda_misaligned_address = 716;
inline constexpr int cuda_invalid_address_space = 717;
inline constexpr int cuda_invalid_pc = 718;
inline constexpr int cuda_launch_failure = 719;
inline constexpr int cuda_tensor_memory_leak = 721;
inline constexpr int cuda_mps_rpc_failure = 806;
inline constexpr int cuda_mps_client_terminated = 810;
inline constexpr int cuda_external_device = 911;
inline constexpr int cuda_unknown = 999;

/// Errors after which every later call on the context fails: its memory and its work are gone, or cannot be trusted.
constexpr bool loses_context(int error) noexcept {
  switch (error) {
    case cuda_runtime_unloading:
    case cuda_devices_unavailable:
    case cuda_device_uninitialized:
    case cuda_ecc_uncorrectable:
    case cuda_nvlink_uncorrectable:
    case cuda_contained:
    case cuda_illegal_address:
    case cuda_launch_timeout:
    case cuda_context_destroyed:
    case cuda_assert:
    case cuda_hardware_stack:
    case cuda_illegal_instruction:
    case cuda_misaligned_address:
    case cuda_invalid_address_space:
    case cuda_invalid_pc:
    case cuda_launch_failure:
    case cuda_tensor_memory_leak:
    case cuda_mps_rpc_failure:
    case cuda_mps_client_terminated:
    case cuda_external_device:
    case cuda_unknown: return true;
    default: return false;
  }
}

}  // namespace cuphoton::xdr::device
