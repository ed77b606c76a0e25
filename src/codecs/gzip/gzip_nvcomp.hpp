// gzip_nvcomp.hpp: nvCOMP as one more device decoder of the gzip rows, only where a caller names it.
#pragma once

#include "codecs/codec.hpp"

namespace cuphoton::xdr {

/// The decoder that the options name for gzip tiles; nullptr where that is the row's own (docs/nvcomp.md has the
/// table).
const device_alternative* choose_nvcomp(const read_options& options) noexcept;

// Defined in builds with CUDA only.
extern const device_codec nvcomp_gzip_device;           // nvCOMP chooses hardware or CUDA
extern const device_codec nvcomp_gzip_cuda_device;      // CUDA kernels only
extern const device_codec nvcomp_gzip_hardware_device;  // hardware only
extern const device_codec nvcomp_deflate_device;        // CUDA kernels, framing stripped

}  // namespace cuphoton::xdr
