// probe.cu: a kernel that does nothing. Whether the device accepts it tells whether this build has code for the device.
#include "device/probe.hpp"

namespace cuphoton::xdr::device {
namespace {

__global__ void probe() {}

}  // namespace

const void* probe_kernel() noexcept {
  return reinterpret_cast<const void*>(&probe);
}

}  // namespace cuphoton::xdr::device
