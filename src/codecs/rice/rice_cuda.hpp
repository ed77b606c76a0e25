// rice_cuda.hpp: the device engine of RICE_1; defined in builds with CUDA only.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

extern const device_codec rice_device;

}  // namespace cuphoton::xdr
