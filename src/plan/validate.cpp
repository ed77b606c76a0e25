// validate.cpp: the invariants of a plan (docs/life-of-an-image.md), for plans that were read from JSON and in tests.
// An engine may trust every number of a plan that passed: offsets, boxes, types, products.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/plan.hpp>

#include "base/checked.hpp"
#include "codecs/codec.hpp"
#include "plan/geometry.hpp"

namespace cuphoton::xdr {
namespace {

class validator {
 public:
  explicit validator(const image_plan& plan) : plan_(plan) {}

  void run() const {
    check_boxes();
    check_types();
    require(plan_.reasons.empty() || plan_.groups.empty(), "reasons and groups exclude each other");
    if (!plan_.reasons.empty()) return;
    std::vector<std::uint32_t> seen;
    for (const tile_group& group : plan_.groups) {
      check_group(group);
      for (const tile_record& tile : group.tiles) {
        check_tile(tile);
        seen.push_back(tile.tile_index);
      }
    }
    check_cover(seen);
  }

 private:
  void require(bool holds, const char* invariant, long long tile = -1) const {
    if (holds) return;
    throw error(errc::tile_table_invalid, {plan_.file, plan_.hdu_index, tile},
                std::string("the plan is invalid: ") + invariant);
  }

  // Ranks agree, 0 <= start, start + extent <= limit, and every product fits 63 bits with eight bytes a pixel.
  void check_inside(const box& inner, const box& outer, const char* invariant) const {
    require(inner.rank == outer.rank, invariant);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(inner.rank); ++axis) {
      const std::int64_t from = inner.start[axis] - outer.start[axis];
      require(inner.start[axis] >= outer.start[axis] && inner.extent[axis] >= 0, invariant);
      require(from <= outer.extent[axis] && inner.extent[axis] <= outer.extent[axis] - from, invariant);
    }
  }

  void check_section() const {
    constexpr const char* invariant = "the section lies inside the image";
    const strided_box& section = plan_.section;
    require(section.rank == plan_.image_shape.rank, invariant);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
      require(section.step[axis] >= 1, "steps are 1 or more");
    }
    require(lies_inside(section, plan_.image_shape), invariant);
  }

  void check_boxes() const {
    require(plan_.image_shape.rank >= 0 && plan_.image_shape.rank <= max_rank, "rank is 0 to 16");
    std::int64_t bytes = 8;
    bool empty = plan_.image_shape.rank == 0;
    for (int axis = 0; axis < plan_.image_shape.rank; ++axis) {
      require(plan_.image_shape[axis] >= 0, "extents are not negative");
      empty = empty || plan_.image_shape[axis] == 0;
    }
    for (int axis = 0; !empty && axis < plan_.image_shape.rank; ++axis) {
      const auto next = checked_multiply(bytes, plan_.image_shape[axis]);
      require(next.has_value(), "the number of pixels fits 60 bits");
      bytes = *next;
    }
    if (!plan_.reasons.empty()) return;  // a refused plan may have no geometry
    check_section();
    check_inside(plan_.grid.area, whole(plan_.image_shape), "the grid lies inside the image");
    require(plan_.grid.tile_shape.rank == plan_.grid.area.rank, "tiles have the rank of the image");
    if (pixel_count(plan_.section) == 0) return;
    check_inside(bounds_of(plan_.section), plan_.grid.area, "the section lies inside the grid");
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(plan_.grid.area.rank); ++axis) {
      const std::int64_t extent = plan_.grid.tile_shape.extent[axis];
      require(extent >= 1 && extent <= plan_.grid.area.extent[axis], "tile extents are 1 to the grid's");
    }
    require(pixel_count(plan_.grid.tile_shape) <= std::numeric_limits<std::int32_t>::max(),
            "tiles have under 2^31 pixels");
    require(pixel_count(tile_counts(plan_.grid)) <= std::numeric_limits<std::uint32_t>::max(), "under 2^32 tiles");
  }

  static bool is_stored(pixel_type type) {
    return type != pixel_type::i8 && type != pixel_type::u16 && type != pixel_type::u32 && type != pixel_type::u64;
  }

  void check_types() const { require(is_stored(plan_.stored_type), "the stored type is a BITPIX type"); }

  void check_recipe(const pixel_recipe& recipe) const {
    require(recipe.stored_type == plan_.stored_type, "groups share the stored type");
    require(recipe.output_type == plan_.output_type, "groups share the output type");
    require(recipe.dither_seed >= 1 && recipe.dither_seed <= 10000, "the dither seed is 1 to 10000");
    const bool floating_output = is_floating(recipe.output_type);
    if (is_floating(recipe.stored_type)) {
      require(recipe.output_type == recipe.stored_type && !recipe.flip_sign, "floats keep their type");
    } else {
      require(!recipe.quantized, "only floats are quantised");
      require(!(recipe.multiply || recipe.add || recipe.has_null) || floating_output, "scaled integers become floats");
      require(floating_output || size_bytes(recipe.output_type) == size_bytes(recipe.stored_type),
              "integers keep their width");
      require(floating_output || is_stored(recipe.output_type) != recipe.flip_sign,
              "the sign flips for unsigned types");
      require(!(floating_output && recipe.flip_sign), "a flipped sign makes no float");
    }
    require(recipe.quantized || recipe.dither == dither_method::none, "only quantised pixels are dithered");
    require(!recipe.either_float || (is_floating(recipe.stored_type) && !recipe.quantized),
            "only lossless floats come in either width");
  }

  void check_group(const tile_group& group) const {
    require(find_codec(group.codec) != nullptr, "the codec has an engine");
    check_recipe(group.recipe);
    require(group.capacity_bytes_per_pixel >= 1 && group.capacity_bytes_per_pixel <= 8,
            "capacity is 1 to 8 bytes a pixel");
    require(group.codec != codec_id::rice_1 || group.capacity_bytes_per_pixel >= group.parameters.rice_pixel_bytes,
            "the capacity holds Rice's pixels");
    require(group.codec != codec_id::hcompress_1 || group.capacity_bytes_per_pixel >= sizeof(std::int32_t),
            "the capacity holds HCOMPRESS's 32-bit integers");
    require(group.null_values.empty() || group.null_values.size() == group.tiles.size(),
            "one null value for each tile or none");
  }

  void check_tile(const tile_record& tile) const {
    const auto counts = static_cast<std::uint64_t>(pixel_count(tile_counts(plan_.grid)));
    require(tile.tile_index < counts, "tile numbers are inside the grid", tile.tile_index);
    require(tile.offset_bytes <= plan_.file_bytes && tile.length_bytes <= plan_.file_bytes - tile.offset_bytes,
            "tiles lie inside the file", tile.tile_index);
    require(meets(tile_box(plan_.grid, tile.tile_index), plan_.section), "every tile meets the section",
            tile.tile_index);
  }

  // Distinct tiles, each meeting the section, as many as meet it: every pixel is written exactly once.
  void check_cover(std::vector<std::uint32_t>& seen) const {
    std::sort(seen.begin(), seen.end());
    require(std::adjacent_find(seen.begin(), seen.end()) == seen.end(), "no tile occurs twice");
    const std::int64_t wanted = tile_count(tiles_meeting(plan_.grid, plan_.section));
    require(static_cast<std::uint64_t>(wanted) == seen.size(), "the tiles cover the section");
  }

  const image_plan& plan_;
};

}  // namespace

void validate(const image_plan& plan) {
  validator(plan).run();
}

}  // namespace cuphoton::xdr
