// build.hpp: step 3 of the life of an image: header and tile table -> image_plan.
#pragma once

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// Plans the pixels of options.section of `unit`, which has an image, or a problem that is thrown. The result satisfies
/// `validate`. What no engine here can decode becomes a reason in the plan, without groups. Throws
/// error{invalid_argument} for a section outside the image, {tile_table_invalid} naming the tile, {unsupported} with
/// memory_limit. Reads the table's rows that meet the section, no pixels; allocates in proportion to them. Thread-safe.
image_plan plan_image(const byte_source& source, const fits::hdu& unit, const read_options& options);

/// Throws error{unsupported} with memory_limit where the plan's section has more bytes than caps.max_bytes.
void check_budget(const image_plan& plan, const limits& caps);

}  // namespace cuphoton::xdr
