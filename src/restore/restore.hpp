// restore.hpp: from the raw elements of one tile to final pixels. Knows a raw_layout and a recipe, never a codec.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/status.hpp>

#include "base/raw_layout.hpp"

namespace cuphoton::xdr {

/// Raw elements of one decoded tile and what is its own in the recipe.
struct raw_tile {
  const std::uint8_t* raw = nullptr;
  std::uint64_t pixels = 0;      // all pixels of the tile: the distance of GZIP_2's planes
  std::uint64_t tile_index = 0;  // row of the table, for the dither start
  double quant_scale = 0.0;
  double quant_zero = 0.0;
  std::int64_t null_value = 0;  // meant where the recipe has_null
  raw_layout layout = raw_layout::native_int;
  std::uint8_t element_bytes = 0;  // 1, 2, 4 or 8
};

/// Whether elements of `element_bytes` can become pixels of the recipe: 1, 2, 4 for quantised data, the stored width
/// for lossless floats (4 or 8 where the recipe says either_float), any for integers. bad_data otherwise.
tile_status check_element_width(const pixel_recipe& recipe, std::uint8_t element_bytes) noexcept;

struct restore_outcome {
  tile_status status = tile_status::ok;  // out_of_range where an integer does not fit the stored type: output undefined
  // SUBTRACTIVE_DITHER_2 data hold -2147483647 and that is not their null value. FITS 4.0 calls it the code of zero,
  // every writer and reader uses -2147483646: it is dequantised like any other number, and the receipt says so.
  bool doubtful_zero_code = false;
};

/// Pixels first_pixel .. first_pixel + count of the tile (in tile order) into `out` (count pixels of the output type,
/// aligned for it). The reference that every other engine must equal bit for bit.
restore_outcome restore_run(const pixel_recipe& recipe, const raw_tile& tile, std::uint64_t first_pixel,
                            std::uint64_t count, std::uint8_t* out) noexcept;

}  // namespace cuphoton::xdr
