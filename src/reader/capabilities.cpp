// capabilities.cpp: what this process can do, looked up once.
#include <cuphoton/xdr/capabilities.hpp>

#include <algorithm>
#include <string>

#include <cuphoton/xdr/reader.hpp>

#include "base/fork_guard.hpp"
#include "base/thread_pool.hpp"
#include "codecs/codec.hpp"
#include "device/api.hpp"
#include "reader/probe.hpp"

namespace cuphoton::xdr {
namespace {

reason no_device(const std::string& detail) {
  return {reason_code::device_unavailable, -1, detail};
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Lists the devices that can run this build's kernels; says why where there is none.
void probe_devices(capabilities& here) {
  if (!device::is_built()) {
    here.device = no_device("this build has no GPU engine: build it where nvcc is (XDR_CUDA=ON)");
    return;
  }
  const device::api_table& api = device::api();
  api.runtime_version(&here.runtime_version);
  if (api.driver_version(&here.driver_version) != 0 || here.driver_version == 0) {
    here.device = no_device("there is no NVIDIA driver on this machine: install one for CUDA " +
                            version_text(here.runtime_version) + " or newer");
    return;
  }
  if (here.driver_version / 1000 < here.runtime_version / 1000) {
    here.device = no_device("the NVIDIA driver supports CUDA " + version_text(here.driver_version) +
                            " only, this build needs " + version_text(here.runtime_version) + ": update the driver");
    return;
  }
  int count = 0;
  const int failed = api.device_count(&count);
  if (failed != 0 || count == 0) {
    here.device = no_device(std::string("no GPU is visible to this process") +
                            (failed != 0 ? std::string(": ") + api.error_text(failed) : "") +
                            "; look at nvidia-smi and CUDA_VISIBLE_DEVICES");
    return;
  }
  std::string without_code;
  for (int index = 0; index < count; ++index) {
    device::properties facts;
    bool runs = false;
    if (api.get_properties(&facts, index) != 0) continue;
    if (api.has_code(&runs, index) != 0 || !runs) {
      without_code += (without_code.empty() ? "" : ", ") + facts.name + " (sm_" + std::to_string(facts.major) +
                      std::to_string(facts.minor) + ")";
      continue;
    }
    here.devices.push_back(
        {index, facts.name, facts.major * 10 + facts.minor, facts.multiprocessors, facts.memory_bytes});
  }
  if (here.devices.empty()) {
    here.device = no_device("this build has no code for " + without_code + ": build it for that architecture");
  }
}

capabilities probe() {
  capabilities here;
  here.version = std::string(library_version());
  here.host_threads = static_cast<unsigned>(process_cores());
  probe_devices(here);
  for (const codec_row& row : codec_table()) {
    codec_capability codec;
    codec.name = std::string(row.fits_name);
    if (row.decode_tile == nullptr) {
      codec.host = reason{reason_code::host_engine_unavailable, -1, codec.name + " has no host decoder"};
    }
    codec.device = here.device;
    if (!codec.device && row.device == nullptr) codec.device = no_device(codec.name + " has no GPU decoder");
    here.codecs.push_back(std::move(codec));
  }
  return here;
}

/// The answer, and the process in which CUDA gave it.
struct probed {
  home_process home;
  capabilities here = probe();
};
const probed& probed_once() {
  static const probed& once = *new probed;  // never destroyed: a load may still run while the process ends
  return once;
}

}  // namespace

const capabilities& probe_capabilities() {
  return probed_once().here;
}

capabilities capabilities_for(int device, std::uint64_t needed_bytes) {
  capabilities here = probe_capabilities();
  if (here.device) return here;
  if (!probed_once().home.is_here()) {
    here.device = no_device(
        "this process was forked from one that had looked for a GPU, and CUDA did not come along: "
        "create worker processes by the 'spawn' start method");
    return here;
  }
  if (device::is_lost()) {
    here.device = no_device("the device was lost in this process: start a new one");
    return here;
  }
  const auto found = std::find_if(here.devices.begin(), here.devices.end(),
                                  [device](const device_info& one) { return one.index == device; });
  if (found == here.devices.end()) {
    here.device = no_device("CUDA device " + std::to_string(device) + " is not usable here");
    return here;
  }
  if (needed_bytes < found->memory_bytes / 16) return here;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  const device::api_table& api = device::api();
  int before = device;  // the caller's: CuPy and torch work on it
  api.get_device(&before);
  if (api.set_device(device) == 0 && api.memory_info(&free_bytes, &total_bytes) == 0) {
    here.device_free_bytes = free_bytes;
  }
  if (before != device) api.set_device(before);
  return here;
}

}  // namespace cuphoton::xdr
