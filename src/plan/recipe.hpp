// recipe.hpp: from a header's BITPIX, BSCALE, BZERO, BLANK and Z keywords to the recipe of its pixels. The one place
// that decides output types (docs/life-of-an-image.md, step 3).
#pragma once

#include <optional>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// Columns ZSCALE and ZZERO exist and ZQUANTIZ is not NONE: raw integers stand for floats.
bool is_quantized(const fits::image_hdu& image) noexcept;
/// Null value by keyword: of floats ZBLANK, else BLANK; of integers BLANK, else ZBLANK. A ZBLANK column overrides it
/// tile by tile.
std::optional<std::int64_t> keyword_null(const fits::image_hdu& image) noexcept;
/// Recipe of tiles in COMPRESSED_DATA and of plain images; `fallback` for tiles in the other two columns, which hold
/// the stored pixels themselves whatever ZQUANTIZ says.
pixel_recipe make_recipe(const fits::image_hdu& image, pixel_values values, bool fallback);

}  // namespace cuphoton::xdr
