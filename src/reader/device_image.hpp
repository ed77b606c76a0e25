// device_image.hpp: arrays in device memory for the reader, and the way of a host-decoded array into one.
#pragma once

#include <cstdint>
#include <span>

#include <cuphoton/xdr/image.hpp>
#include <cuphoton/xdr/options.hpp>

#include "engine/engine.hpp"

namespace cuphoton::xdr {

/// Uninitialised device memory. Throws error{unsupported} with the reason where no GPU can be used, {out_of_memory}.
image make_device_image(pixel_type type, const shape& extents, int device);
/// Copies `pixels` to a device target of the same length; complete when this returns. Throws as above and
/// {device_failed}.
void upload(std::span<const std::uint8_t> pixels, const run_target& target, const read_options& options);

}  // namespace cuphoton::xdr
