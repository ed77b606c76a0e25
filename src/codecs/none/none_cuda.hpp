// none_cuda.hpp: the device engine of pixels that are stored as they are; defined in builds with CUDA only.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

extern const device_codec none_device;

}  // namespace cuphoton::xdr
