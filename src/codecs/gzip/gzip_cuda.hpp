// gzip_cuda.hpp: the device engine of GZIP_1 and GZIP_2; defined in builds with CUDA only.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

extern const device_codec gzip_device;

}  // namespace cuphoton::xdr
