// separate.hpp: the fused kernel launched one stage at a time: decode, convert (widen, dequantise, sign, null),
// multiply, add. The same device text with the other stages switched off, so a difference between the two variants
// names the stage that is wrong. Slower; for people who look for a fault.
#pragma once

#include <cstdint>

#include "restore/device_group.hpp"

struct CUstream_st;

namespace cuphoton::xdr {

/// Enqueues the stages behind decoding for the group's tiles whose results are ok: from `raw` (device memory of the
/// section, as a codec's kernel leaves it under decode_stage(group.rule)) to group.out. Throws error{device_failed,
/// device_lost}.
void launch_stages(const device_group& group, const std::uint8_t* raw, CUstream_st* stream);

}  // namespace cuphoton::xdr
