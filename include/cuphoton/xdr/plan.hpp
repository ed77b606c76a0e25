// plan.hpp: what must be read, decoded and placed to produce one image.
// Made in step 3 of docs/life-of-an-image.md, consumed by the engines. Plain data: no file handle, no device memory,
// no header cards, so a plan can be printed, stored and replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <cuphoton/xdr/reason.hpp>
#include <cuphoton/xdr/types.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

enum class dither_method : std::uint8_t { none, subtractive_1, subtractive_2 };

/// How raw elements become pixels, in this order: widen or dequantise, null, sign flip or scale. A stage that is
/// off does not run. Two arithmetics on purpose: see src/restore/stages.hpp.
struct pixel_recipe {
  pixel_type stored_type = pixel_type::u8;  // BITPIX / ZBITPIX
  pixel_type output_type = pixel_type::u8;
  bool either_float = false;  // lossless floats of COMPRESSED_DATA: raw elements may be float32 or float64
  bool quantized = false;     // raw elements are integers q; the value is q * quant_scale + quant_zero
  dither_method dither = dither_method::none;
  std::uint32_t dither_seed = 1;  // ZDITHER0, reduced to 1..10000
  bool has_null = false;          // raw integers equal to the null value become NaN
  std::int64_t null_value = 0;    // for tiles without one of their own
  bool flip_sign = false;         // unsigned and signed-byte conventions: the top bit is inverted
  bool multiply = false;          // by `scale`, in the output type
  bool add = false;               // `zero`, in the output type
  double scale = 1.0;
  double zero = 0.0;

  bool operator==(const pixel_recipe&) const = default;
};

struct codec_parameters {
  std::uint32_t rice_block_pixels = 32;  // BLOCKSIZE
  std::uint32_t rice_pixel_bytes = 4;    // BYTEPIX
  std::uint32_t plio_zero = 0;           // subtracted from what PLIO_1 stores, modulo 2^32
  bool hcompress_smooth = false;         // SMOOTH
  bool hcompress_clip_16 = false;        // ZBITPIX = 16: what does not fit becomes the nearest value that does

  bool operator==(const codec_parameters&) const = default;
};

/// One tile as kernels see it. Codec and recipe belong to its group, nulls per tile to a separate array.
struct tile_record {
  std::uint64_t offset_bytes = 0;  // first compressed byte, from the start of the (unpacked) file
  std::uint32_t length_bytes = 0;  // compressed; longer tiles are unsupported
  std::uint32_t tile_index = 0;    // row of the table: gives the target box (tile_box) and the dither start
  double quant_scale = 0.0;
  double quant_zero = 0.0;
};
static_assert(sizeof(tile_record) == 32);
static_assert(std::is_trivially_copyable_v<tile_record>);

/// Tiles that are decoded and restored alike: one loop on the host, one launch on the device.
struct tile_group {
  codec_id codec = codec_id::none;
  codec_parameters parameters;
  pixel_recipe recipe;
  std::uint32_t capacity_bytes_per_pixel = 4;  // room for raw elements whose width the stream decides
  std::vector<tile_record> tiles;
  std::vector<std::int64_t> null_values;  // one for each tile (ZBLANK column), or empty
};

/// How an area is cut. Tile numbers count along the fastest axis first; edge tiles are clipped to the area.
struct tile_grid {
  box area;          // compressed: the whole image; plain: the rows that hold the section
  shape tile_shape;  // every extent >= 1, unless the area holds no pixel
};
/// Tiles along each axis.
shape tile_counts(const tile_grid& grid);
/// Pixels of tile `tile_index`, in image coordinates.
box tile_box(const tile_grid& grid, std::uint64_t tile_index);

/// Invariants (checked by `validate`): see docs/life-of-an-image.md.
struct image_plan {
  std::string file;
  int hdu_index = 0;
  std::uint64_t file_bytes = 0;
  shape image_shape;
  strided_box section;
  tile_grid grid;
  pixel_type stored_type = pixel_type::u8;
  pixel_type output_type = pixel_type::u8;
  double scale = 1.0;                      // BSCALE, reported also where it is not applied
  double zero = 0.0;                       // BZERO
  std::optional<std::int64_t> null_value;  // BLANK / ZBLANK
  std::string codec_name;                  // ZCMPTYPE; empty for plain images
  std::vector<tile_group> groups;
  std::vector<reason> reasons;     // not empty: nothing here can decode the image, and why; then no groups
  std::vector<std::string> notes;  // harmless oddities, for the receipt
};

/// Throws error{tile_table_invalid} naming the first invariant that does not hold. Reads no file.
void validate(const image_plan& plan);
/// JSON, schema version 1, and back. `plan_from_json` accepts no plan that `validate` refuses.
std::string to_json(const image_plan& plan, int indent = 2);
image_plan plan_from_json(std::string_view text);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
