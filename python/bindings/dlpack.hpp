// dlpack.hpp: the structures of the DLPack exchange protocol, own declarations (dmlc.github.io/dlpack, versions 0.x
// and 1.0). Layout only; what a consumer may do with them is written at array.cpp.
#pragma once

#include <cstdint>

namespace cuphoton::xdr::python::dlpack {

enum device_kind : std::int32_t { on_cpu = 1, on_cuda = 2, on_cuda_host = 3, on_cuda_managed = 13 };
enum type_code : std::uint8_t { code_int = 0, code_uint = 1, code_float = 2 };

struct device {
  std::int32_t kind;
  std::int32_t index;
};
struct type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  struct device device;
  std::int32_t rank;
  struct type type;
  std::int64_t* extents;
  std::int64_t* strides;  // in elements; null: C order
  std::uint64_t offset_bytes;
};
struct managed_tensor {
  struct tensor tensor;
  void* owner;
  void (*deleter)(managed_tensor* self);
};
struct version {
  std::uint32_t major;
  std::uint32_t minor;
};
inline constexpr std::uint64_t flag_read_only = 1;
inline constexpr std::uint64_t flag_copied = 2;
struct managed_tensor_versioned {
  struct version version;
  void* owner;
  void (*deleter)(managed_tensor_versioned* self);
  std::uint64_t flags;
  struct tensor tensor;
};
static_assert(sizeof(tensor) == 48 && sizeof(managed_tensor) == 64 && sizeof(managed_tensor_versioned) == 80);

inline constexpr const char* name = "dltensor";
inline constexpr const char* name_versioned = "dltensor_versioned";

}  // namespace cuphoton::xdr::python::dlpack
