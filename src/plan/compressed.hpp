// compressed.hpp: the part of plan_image that reads tile tables.
#pragma once

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// Fills grid, groups, reasons and notes of a plan whose other members are set.
void plan_compressed(const byte_source& source, const fits::hdu& unit, const read_options& options, image_plan& plan);

}  // namespace cuphoton::xdr
