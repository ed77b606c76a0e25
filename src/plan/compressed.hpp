// compressed.hpp: the part of plan_image that reads tile tables.
#pragma once

#include <optional>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// Why no engine decodes the image, where ZCMPTYPE names no codec of this build.
std::optional<reason> codec_obstacle(const fits::image_hdu& image, int hdu_index);

/// Fills grid, groups, reasons and notes of a plan whose other members are set.
void plan_compressed(const byte_source& source, const fits::hdu& unit, const read_options& options, image_plan& plan);

}  // namespace cuphoton::xdr
