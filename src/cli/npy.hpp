// npy.hpp: --save: pixels as a NumPy .npy file, format version 1.0, C order, native byte order.
#pragma once

#include <string>

#include <cuphoton/xdr/image.hpp>

namespace cuphoton::xdr::cli {

/// Magic, version, length and the dictionary, padded so that the pixels start at a multiple of 64 bytes.
std::string npy_header(pixel_type type, const shape& extents);
/// Replaces `path` as a whole. Throws error{io_failed}.
void save_npy(const std::string& path, const image& pixels);

}  // namespace cuphoton::xdr::cli
