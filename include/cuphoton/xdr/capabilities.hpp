// capabilities.hpp: what this process can do; each "no" carries its reason. Plain data, so tests build it by hand.
#pragma once

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

struct capabilities {
  std::string version;
  unsigned host_threads = 1;     // cores this process may use
  std::optional<reason> device;  // no GPU engine: why
  std::vector<codec_capability> codecs;
};

/// Probed once for each process; thread-safe.
const capabilities& probe_capabilities();

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
