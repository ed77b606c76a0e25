// bind_capabilities.cpp: what this process can do, each "no" with its reason.
#include <optional>
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"

namespace cuphoton::xdr::python {

void bind_capabilities(nb::module_& module) {
  nb::class_<codec_capability>(module, "CodecCapability", "A codec; `host` and `device` are None, or why not.")
      .def_ro("name", &codec_capability::name)
      .def_ro("host", &codec_capability::host)
      .def_ro("device", &codec_capability::device);
  nb::class_<device_info>(module, "DeviceInfo", "A GPU that this build can use.")
      .def_ro("index", &device_info::index)
      .def_ro("name", &device_info::name)
      .def_ro("compute_capability", &device_info::compute_capability, "90 for 9.0")
      .def_ro("multiprocessors", &device_info::multiprocessors)
      .def_ro("memory_bytes", &device_info::memory_bytes);
  nb::class_<capabilities>(module, "Capabilities", "What can run here; every no carries its reason.")
      .def_ro("version", &capabilities::version)
      .def_ro("host_threads", &capabilities::host_threads, "cores this process may use")
      .def_ro("device", &capabilities::device, "None, or why no GPU is used")
      .def_ro("codecs", &capabilities::codecs)
      .def_ro("devices", &capabilities::devices)
      .def_ro("driver_version", &capabilities::driver_version, "13000 for CUDA 13.0; 0 without a driver")
      .def_ro("runtime_version", &capabilities::runtime_version, "of the CUDA runtime in this build; 0 without");
  module.def(
      "capabilities",
      []() {
        const unlocked without_lock;  // the first call asks the driver
        return probe_capabilities();
      },
      "Probed once for each process.");
}

}  // namespace cuphoton::xdr::python
