// build.cpp: plans of plain images, and what plain and compressed plans share.
#include "plan/build.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "plan/compressed.hpp"
#include "plan/geometry.hpp"
#include "plan/recipe.hpp"

namespace cuphoton::xdr {
namespace {

// Row pieces of a plain image: small enough to stay in a core's second-level cache, large enough that a read call costs
// nothing.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

strided_box section_of(const shape& extents, const read_options& options, const where& place) {
  if (!options.section) return whole(extents);
  const strided_box& section = *options.section;
  if (!lies_inside(section, extents)) {
    throw error(errc::invalid_argument, place,
                "section " + to_string(section) + " is not inside the image " + to_string(extents) +
                    " (axes slowest first, one start:stop or start:stop:step each, steps of 1 or more)");
  }
  strided_box plain = section;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
    if (plain.extent[axis] <= 1) plain.step[axis] = 1;  // no second pixel to step to
  }
  return plain;
}

/// Cuts the rows that meet the section into pieces that are contiguous in the file. Axes faster than the split axis are
/// whole, slower ones have one pixel each. An axis beyond the rows is taken whole only where the section is, and rows
/// are joined only where the section takes each, so that no row outside the section is read.
tile_grid plain_grid(const shape& extents, const strided_box& section, std::int64_t pixel_bytes) {
  tile_grid grid{bounds_of(section), {extents.rank, {}}};
  std::int64_t inner_bytes = pixel_bytes;
  int split = extents.rank - 1;
  while (split > 0 && extents[split] <= piece_bytes / inner_bytes &&
         (split == extents.rank - 1 || section.extent[static_cast<std::size_t>(split)] == extents[split])) {  // step 1
    const auto axis = static_cast<std::size_t>(split--);
    inner_bytes *= extents.extent[axis];
    grid.area.start[axis] = 0;
    grid.area.extent[axis] = extents.extent[axis];
  }
  for (int i = 0; i < extents.rank; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    const std::int64_t most = std::max<std::int64_t>(grid.area.extent[axis], 1);
    grid.tile_shape.extent[axis] = i > split ? most : 1;
    const bool each = section.step[axis] == 1 || i == extents.rank - 1;
    if (i == split && each) {
      grid.tile_shape.extent[axis] = std::clamp<std::int64_t>(piece_bytes / inner_bytes, 1, most);
    }
  }
  return grid;
}

std::uint64_t pixel_index(const shape& extents, const std::array<std::int64_t, max_rank>& at) {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
    index = index * static_cast<std::uint64_t>(extents.extent[axis]) + static_cast<std::uint64_t>(at[axis]);
  }
  return index;
}

void plan_plain(const fits::hdu& unit, const read_options& options, image_plan& plan) {
  const fits::image_hdu& image = *unit.image;
  const auto pixel_bytes = static_cast<std::uint64_t>(size_bytes(image.stored_type));
  if (pixel_count(plan.section) == 0) return;
  plan.grid = plain_grid(plan.image_shape, plan.section, static_cast<std::int64_t>(pixel_bytes));
  tile_group group;
  group.recipe = make_recipe(image, options.values, false);
  group.capacity_bytes_per_pixel = static_cast<std::uint32_t>(pixel_bytes);
  const shape counts = tile_counts(plan.grid);
  if (pixel_count(counts) > std::numeric_limits<std::uint32_t>::max()) {
    throw error(errc::unsupported, {plan.file, plan.hdu_index},
                "the section has more than 2^32 rows: read less at once");
  }
  const section_tiles pieces = tiles_meeting(plan.grid, plan.section);
  group.tiles.reserve(static_cast<std::size_t>(tile_count(pieces)));
  pieces.for_each(counts, [&](std::uint64_t index) {
    const box piece = tile_box(plan.grid, index);
    tile_record tile;
    tile.tile_index = static_cast<std::uint32_t>(index);
    tile.offset_bytes = unit.data_offset_bytes + pixel_index(plan.image_shape, piece.start) * pixel_bytes;
    tile.length_bytes = static_cast<std::uint32_t>(static_cast<std::uint64_t>(pixel_count(piece)) * pixel_bytes);
    group.tiles.push_back(tile);
    return true;
  });
  plan.groups.push_back(std::move(group));
}

}  // namespace

void check_budget(const image_plan& plan, const limits& caps) {
  const auto pixels = static_cast<std::uint64_t>(pixel_count(plan.section));
  if (pixels <= caps.max_bytes / static_cast<std::uint64_t>(size_bytes(plan.output_type))) return;
  const std::string wanted = std::to_string(pixels) + " pixels of " + std::string(name(plan.output_type));
  const std::string text = wanted + " are more than the limit of " + std::to_string(caps.max_bytes) +
                           " bytes: read a section or raise max_bytes";
  throw error(errc::unsupported, {plan.file, plan.hdu_index}, text,
              {{reason_code::memory_limit, plan.hdu_index, text}});
}

image_plan plan_image(const byte_source& source, const fits::hdu& unit, const read_options& options) {
  const where place{source.name(), unit.index};
  if (unit.problem) throw unit.problem->in_file(source.name());
  const fits::image_hdu& image = *unit.image;
  image_plan plan;
  plan.file = source.name();
  plan.hdu_index = unit.index;
  plan.file_bytes = source.size_bytes();
  plan.image_shape = image.extents;
  plan.stored_type = image.stored_type;
  plan.scale = image.scale;
  plan.zero = image.zero;
  plan.null_value = keyword_null(image);
  plan.codec_name = image.codec_name;
  plan.notes = unit.notes;
  plan.reasons = image.reasons;
  plan.output_type = make_recipe(image, options.values, false).output_type;
  if (image.extents.rank > max_rank) return plan;
  plan.section = section_of(image.extents, options, place);
  plan.grid = {bounds_of(plan.section), plan.section.rank == 0 ? shape{} : shape{plan.section.rank, {}}};
  check_budget(plan, options.caps);
  if (image.compressed) {
    plan_compressed(source, unit, options, plan);
  } else if (plan.reasons.empty()) {
    plan_plain(unit, options, plan);
  }
  return plan;
}

}  // namespace cuphoton::xdr
