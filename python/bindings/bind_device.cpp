// bind_device.cpp: the memory pool of a device as Python sees it, and the environment variable that caps it.
#include <cerrno>
#include <cstdlib>

#include <cuphoton/xdr/device.hpp>

#include "bind.hpp"

namespace cuphoton::xdr::python {
namespace {

/// CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES: whole bytes; anything else is as if it were not set.
void limit_from_environment() {
  const char* const text = std::getenv("CUPHOTON_XDR_DEVICE_POOL_MAX_BYTES");
  if (text == nullptr || *text < '0' || *text > '9') return;
  char* end = nullptr;
  errno = 0;
  const unsigned long long bytes = std::strtoull(text, &end, 10);
  if (*end == '\0' && errno == 0) limit_device_pools(bytes);
}

}  // namespace

void bind_device(nb::module_& module) {
  limit_from_environment();
  module.def(
      "device_pool",
      [](int device) {
        const pool_facts facts = device_pool(device);
        nb::dict words;
        words["allocations"] = facts.allocations;
        words["releases"] = facts.releases;
        words["bytes_in_use"] = facts.bytes_in_use;
        words["peak_bytes"] = facts.peak_bytes;
        words["keep_bytes"] = facts.keep_bytes;
        return words;
      },
      nb::arg("device") = 0);
  module.def(
      "trim_device_pool",
      [](int device) {
        const unlocked without_lock;
        trim_device_pool(device);
      },
      nb::arg("device") = 0);
}

}  // namespace cuphoton::xdr::python
