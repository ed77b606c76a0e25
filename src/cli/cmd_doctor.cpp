// cmd_doctor.cpp: `cuphoton xdr doctor`: what can run here, each "no" with its reason and its cure.
#include <algorithm>

#include "cli/cfitsio_peer.hpp"
#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {
namespace {

std::string_view cure_of(reason_code code) {
  switch (code) {
    case reason_code::codec_unsupported: return "read such images with Astropy, or with a newer xDR";
    case reason_code::device_unavailable: return "as said there; the host engine reads meanwhile";
    case reason_code::host_engine_unavailable: return "use the GPU engine, or Astropy";
    default: return "see docs/errors-and-receipts.md";
  }
}

/// The table of this build plus a "no" for each tile codec of the standard (FITS 4.0 10.4) that it lacks.
capabilities with_absent_codecs(capabilities able) {
  for (const char* codec : {"NOCOMPRESS", "GZIP_1", "GZIP_2", "RICE_1", "HCOMPRESS_1", "PLIO_1"}) {
    const auto has_name = [codec](const codec_capability& row) { return row.name == codec; };
    if (std::any_of(able.codecs.begin(), able.codecs.end(), has_name)) continue;
    const reason absent{reason_code::codec_unsupported, -1, std::string("this build has no decoder for ") + codec};
    able.codecs.push_back({codec, absent, absent});
  }
  return able;
}

std::string yes_no(const std::optional<reason>& absent) {
  return absent ? "no" : "yes";
}

std::string cuda_version(int version) {
  if (version == 0) return "nothing (no driver)";
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// One line for each distinct "no"; the same reason for six codecs is said once.
void add_cures(std::string& text, const std::string& subject, const std::optional<reason>& absent) {
  if (!absent) return;
  const std::string cure = ": " + printable(absent->detail) + " [" + std::string(name(absent->code)) +
                           "]\n  cure: " + std::string(cure_of(absent->code)) + "\n";
  if (text.find(cure) == std::string::npos) text += subject + cure;
}

std::string text_of(const capabilities& able) {
  std::string text = "cuphoton xdr " + able.version + ", compiler " + __VERSION__ + "\n";
  text += "host engine: yes, " + std::to_string(able.host_threads) + " threads\n";
  text += "GPU engine: " + yes_no(able.device) + "\n";
  for (const device_info& device : able.devices) {
    text += "  device " + std::to_string(device.index) + ": " + printable(device.name) + ", sm_" +
            std::to_string(device.compute_capability) + ", " + std::to_string(device.memory_bytes >> 20) + " MiB\n";
  }
  if (able.runtime_version != 0) {
    text +=
        "  runtime " + cuda_version(able.runtime_version) + ", driver for " + cuda_version(able.driver_version) + "\n";
  }
  const auto absent = peer_absent();
  text +=
      "CFITSIO (second opinion of verify, writer of make-demo): " + (absent ? "no" : "yes, " + peer_version()) + "\n\n";
  table rows({"codec", "host", "gpu"});
  std::string cures;
  add_cures(cures, "GPU", able.device);
  for (const codec_capability& codec : able.codecs) {
    rows.add({codec.name, yes_no(codec.host), yes_no(codec.device)});
    add_cures(cures, codec.name + " on the host", codec.host);
    add_cures(cures, codec.name + " on the GPU", codec.device);
  }
  if (absent)
    cures += "CFITSIO: " + *absent +
             "\n  cure: install libcfitsio-dev and configure again; for a wheel, name its folder by "
             "CUPHOTON_XDR_CFITSIO_ROOT\n";
  return text + rows.text() + (cures.empty() ? "" : "\n" + cures);
}

}  // namespace

std::string doctor_text() {
  return text_of(with_absent_codecs(probe_capabilities()));
}

int run_doctor(const command_line& line) {
  print(line.json ? json_of_doctor(with_absent_codecs(probe_capabilities()), peer_absent(), peer_version())
                  : doctor_text());
  return 0;
}

}  // namespace cuphoton::xdr::cli
