// probe.hpp: capabilities as they are for one device right now.
#pragma once

#include <cuphoton/xdr/capabilities.hpp>

namespace cuphoton::xdr {

/// probe_capabilities() narrowed to `device`: a reason where it cannot be used, else its free memory.
capabilities capabilities_for(int device);

}  // namespace cuphoton::xdr
