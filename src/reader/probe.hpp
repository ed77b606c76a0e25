// probe.hpp: capabilities as they are for one device right now.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/capabilities.hpp>

namespace cuphoton::xdr {

/// probe_capabilities() narrowed to `device`: a reason where it cannot be used. Its free memory is asked for only where
/// `needed_bytes` is not small for it: the question takes the driver longer than the load of a small image.
capabilities capabilities_for(int device, std::uint64_t needed_bytes);

}  // namespace cuphoton::xdr
