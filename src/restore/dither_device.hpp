// dither_device.hpp: the dither tables in device memory, 80 KB for each .cu file that includes this. Device code only.
#pragma once

#include "restore/dither_table.hpp"

namespace cuphoton::xdr {

static const __device__ constant_array<float, dither_count> device_dither_values = dither_table;
static const __device__ constant_array<std::int32_t, dither_count + 1> device_dither_prefix = dither_prefix;

__device__ inline dither_tables device_dither() {
  return {device_dither_values.data(), device_dither_prefix.data()};
}

}  // namespace cuphoton::xdr
