// capabilities.hpp: what this process can do; each "no" carries its reason. Plain data, so tests build it by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/reason.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// One row of the codec table as seen from outside. An empty optional means "yes".
struct codec_capability {
  std::string name;  // ZCMPTYPE
  std::optional<reason> host;
  std::optional<reason> device;
};

/// A GPU that this build can use.
struct device_info {
  int index = 0;
  std::string name;
  int compute_capability = 0;  // 90 for 9.0
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

struct capabilities {
  std::string version;
  unsigned host_threads = 1;     // cores this process may use
  std::optional<reason> device;  // no GPU engine: why
  std::vector<codec_capability> codecs;
  std::vector<device_info> devices;     // usable ones; empty where `device` holds a reason
  int driver_version = 0;               // 13000: CUDA 13.0; 0: no driver
  int runtime_version = 0;              // of the CUDA runtime in this build; 0: built without
  std::uint64_t device_free_bytes = 0;  // on the device asked for, when it was asked; 0: not known
};

/// Probed once for each process; thread-safe.
const capabilities& probe_capabilities();

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
