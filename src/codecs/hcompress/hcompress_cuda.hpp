// hcompress_cuda.hpp: the device engine of HCOMPRESS_1; defined in builds with CUDA only.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

extern const device_codec hcompress_device;

}  // namespace cuphoton::xdr
