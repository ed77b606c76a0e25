// compressed.cpp: tile table -> groups. One group for each column that holds tiles: their codec and recipe differ.
#include "plan/compressed.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "codecs/codec.hpp"
#include "plan/descriptor_core.hpp"
#include "plan/geometry.hpp"
#include "plan/recipe.hpp"

namespace cuphoton::xdr {
namespace {

// Rows are fetched this many bytes at a time: large tables cost few reads, a small section little more than its rows.
constexpr std::uint64_t window_bytes = std::uint64_t{64} << 10;
// Deflate cannot expand more than about 1032:1 (a 258-byte match in 2 bits), so a shorter gzip tile cannot be whole.
constexpr std::uint64_t most_expansion = 1040;
// Below this a wrong claim costs nothing: the decoder will say what is wrong.
constexpr std::uint64_t harmless_bytes = std::uint64_t{64} << 20;

array_place place_of(const std::optional<fits::array_column>& column) {
  if (!column) return {};
  return {column->offset_bytes, column->descriptor_bytes, column->element_bytes};
}
scalar_place place_of(const std::optional<fits::scalar_column>& column) {
  if (!column) return {};
  return {column->offset_bytes, column->type};
}

row_layout layout_of(const fits::tile_table& table, std::uint64_t file_bytes) {
  row_layout layout;
  layout.compressed = place_of(table.compressed);
  layout.plain_fallback = place_of(table.plain_fallback);
  layout.gzip_fallback = place_of(table.gzip_fallback);
  layout.null_mask = place_of(table.null_mask);
  layout.quant_scale = place_of(table.quant_scale);
  layout.quant_zero = place_of(table.quant_zero);
  layout.null_value = place_of(table.null_value);
  layout.heap_offset_bytes = std::min(table.heap_offset_bytes, file_bytes);
  layout.file_bytes = file_bytes;
  return layout;
}

/// Rows of the table through a small window.
class row_reader {
 public:
  row_reader(const byte_source& source, const fits::tile_table& table) : source_(source), table_(table) {}

  const std::uint8_t* row(std::uint64_t index) {
    if (const std::uint8_t* mapped = source_.view(offset_of(index), table_.row_bytes)) return mapped;
    if (index < first_ || index >= first_ + count_) fetch(index);
    return rows_.data() + (index - first_) * table_.row_bytes;
  }

 private:
  std::uint64_t offset_of(std::uint64_t index) const { return table_.table_offset_bytes + index * table_.row_bytes; }

  void fetch(std::uint64_t index) {
    const std::uint64_t most = std::max<std::uint64_t>(window_bytes / std::max<std::uint64_t>(table_.row_bytes, 1), 1);
    first_ = index;
    count_ = std::min(most, table_.row_count - index);
    rows_.resize(static_cast<std::size_t>(count_ * table_.row_bytes));
    source_.read(offset_of(index), rows_);
  }

  const byte_source& source_;
  const fits::tile_table& table_;
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::uint8_t> rows_;
};

std::uint32_t capacity_of(codec_id codec, const pixel_recipe& recipe, const fits::image_hdu& image) {
  if (codec == codec_id::rice_1) return image.rice_pixel_bytes;
  if (codec == codec_id::hcompress_1) return sizeof(std::int32_t);
  // The element width of a gzip tile is known only after inflating: integers may have 1, 2, 4 or 8 bytes whatever
  // ZBITPIX says, floats 4 or 8 (their own width in fallback tiles), quantised ones come from at most 4.
  return !recipe.quantized && (recipe.either_float || recipe.stored_type != pixel_type::f32) ? 8 : 4;
}

/// With BZERO = 32768 writers store the physical numbers, since PLIO_1 has none below zero: the raw ones lie this much
/// lower (fits-semantics 3.4). CFITSIO looks at no keyword but BZERO.
std::uint32_t plio_zero_of(const fits::image_hdu& image) {
  return image.stored_type == pixel_type::i16 && image.zero == 0x1p15 ? 0x8000 : 0;
}

/// The three columns as groups, in tile_column order.
std::array<tile_group, 3> empty_groups(const fits::image_hdu& image, codec_id codec, pixel_values values) {
  std::array<tile_group, 3> groups;
  const codec_id codecs[] = {codec, codec_id::none, codec_id::gzip_1};
  for (std::size_t column = 0; column < groups.size(); ++column) {
    tile_group& group = groups[column];
    group.codec = codecs[column];
    group.recipe = make_recipe(image, values, column != 0);
    group.parameters.rice_block_pixels = image.rice_block_pixels;
    group.parameters.rice_pixel_bytes = image.rice_pixel_bytes;
    if (group.codec == codec_id::hcompress_1) {
      group.parameters.hcompress_smooth = image.hcompress_smooth;
      group.parameters.hcompress_clip_16 = image.stored_type == pixel_type::i16;
    }
    if (group.codec == codec_id::plio_1) group.parameters.plio_zero = plio_zero_of(image);
    group.capacity_bytes_per_pixel = capacity_of(group.codec, group.recipe, image);
  }
  return groups;
}

class table_planner {
 public:
  table_planner(const byte_source& source, const fits::hdu& unit, image_plan& plan)
      : image_(*unit.image),
        plan_(plan),
        layout_(layout_of(image_.tiles, source.size_bytes())),
        rows_(source, image_.tiles),
        heap_end_(image_.tiles.heap_offset_bytes + image_.tiles.heap_bytes) {}

  void add(std::uint64_t index, std::array<tile_group, 3>& groups) {
    tile_descriptor tile;
    const verdict outcome = parse_descriptor(layout_, rows_.row(index), tile);
    if (outcome.status == tile_status::no_data) {
      fail(index, "no column of the table holds data for this tile; the file is incomplete, fetch it again");
    }
    if (!outcome.ok()) {
      fail(index, "the descriptor points outside the file of " + std::to_string(plan_.file_bytes) +
                      " bytes; the table is damaged or the file is cut, fetch it again");
    }
    if (tile.has_null_mask) note_mask();
    check(index, tile, groups[static_cast<std::size_t>(tile.column)]);
    tile_group& group = groups[static_cast<std::size_t>(tile.column)];
    group.tiles.push_back({tile.offset_bytes, static_cast<std::uint32_t>(tile.length_bytes),
                           static_cast<std::uint32_t>(index), tile.quant_scale, tile.quant_zero});
    if (image_.tiles.null_value && group.recipe.has_null) group.null_values.push_back(tile.null_value);
    beyond_ = beyond_ || tile.offset_bytes + tile.length_bytes > heap_end_;
  }

  bool beyond_heap() const { return beyond_; }

 private:
  [[noreturn]] void fail(std::uint64_t index, std::string text) const {
    throw error(errc::tile_table_invalid, {plan_.file, plan_.hdu_index, static_cast<long long>(index)},
                std::move(text));
  }

  void note_mask() {
    if (!plan_.reasons.empty()) return;
    plan_.reasons.push_back({reason_code::null_mask_unsupported, plan_.hdu_index,
                             "the column NULL_PIXEL_MASK holds null masks, which no reader decodes"});
  }

  void check(std::uint64_t index, const tile_descriptor& tile, const tile_group& group) const {
    const auto pixels = static_cast<std::uint64_t>(pixel_count(tile_box(plan_.grid, index)));
    const std::string length = std::to_string(tile.length_bytes) + " bytes";
    if (tile.length_bytes > std::numeric_limits<std::uint32_t>::max())
      fail(index, length + " are over the limit of 4 GiB");
    const bool bounded = group.codec == codec_id::rice_1 || group.codec == codec_id::hcompress_1;
    if (bounded && tile.length_bytes > 8 * pixels + 4096) {
      fail(index,
           length + " for " + std::to_string(pixels) + " pixels of " + plan_.codec_name + ": no writer makes so many");
    }
    if (group.codec == codec_id::plio_1 && tile.length_bytes > 2 * (3 * pixels + 8)) {
      fail(index, length + " for " + std::to_string(pixels) + " pixels of PLIO_1: no writer makes so many");
    }
    const bool inflates = group.codec == codec_id::gzip_1 || group.codec == codec_id::gzip_2;
    if (inflates && pixels > harmless_bytes && pixels / most_expansion > tile.length_bytes) {
      fail(index, length + " of gzip cannot hold " + std::to_string(pixels) + " pixels");
    }
    if (tile.column == tile_column::plain_fallback) {
      const char element = image_.tiles.plain_fallback->element;
      if ((element == 'E' || element == 'D') != is_floating(image_.stored_type)) {
        fail(index, std::string("UNCOMPRESSED_DATA holds elements of type ") + element + " for pixels of " +
                        std::string(name(image_.stored_type)));
      }
    }
  }

  const fits::image_hdu& image_;
  image_plan& plan_;
  row_layout layout_;
  row_reader rows_;
  std::uint64_t heap_end_;
  bool beyond_ = false;
};

void check_grid(const fits::image_hdu& image, const read_options& options, const image_plan& plan) {
  const where place{plan.file, plan.hdu_index};
  const shape counts = tile_counts(plan.grid);
  const auto rows = static_cast<std::uint64_t>(pixel_count(counts));
  if (rows != image.tiles.row_count) {
    throw error(errc::tile_table_invalid, place,
                "the table has " + std::to_string(image.tiles.row_count) + " rows, the image " + std::to_string(rows) +
                    " tiles");
  }
  const std::int64_t tile_pixels = pixel_count(image.tile_shape);
  if (rows > std::numeric_limits<std::uint32_t>::max() || tile_pixels > std::numeric_limits<std::int32_t>::max()) {
    throw error(errc::unsupported, place, "tiles of 2^31 pixels and more, and more than 2^32 tiles, are not supported");
  }
  // A section of one pixel still decodes its whole tile.
  if (static_cast<std::uint64_t>(tile_pixels) * static_cast<std::uint64_t>(size_bytes(image.stored_type)) >
      options.caps.max_bytes) {
    const std::string text = "one tile has " + std::to_string(tile_pixels) +
                             " pixels, more than max_bytes = " + std::to_string(options.caps.max_bytes) + " allows";
    throw error(errc::unsupported, place, text, {{reason_code::memory_limit, plan.hdu_index, text}});
  }
}

}  // namespace

std::optional<reason> codec_obstacle(const fits::image_hdu& image, int hdu_index) {
  if (image.codec_name.empty() || find_codec(image.codec_name) != nullptr) return std::nullopt;
  return reason{reason_code::codec_unsupported, hdu_index,
                "the codec '" + image.codec_name +
                    "' (ZCMPTYPE) is not supported; unpack the image with the program that compressed it"};
}

void plan_compressed(const byte_source& source, const fits::hdu& unit, const read_options& options, image_plan& plan) {
  const fits::image_hdu& image = *unit.image;
  const codec_row* codec = find_codec(image.codec_name);
  if (auto obstacle = codec_obstacle(image, plan.hdu_index)) plan.reasons.push_back(std::move(*obstacle));
  if (codec == nullptr || !plan.reasons.empty() || pixel_count(plan.image_shape) == 0) return;
  plan.grid = {whole(plan.image_shape), image.tile_shape};
  check_grid(image, options, plan);
  if (pixel_count(plan.section) == 0) return;

  std::array<tile_group, 3> groups = empty_groups(image, codec->id, options.values);
  table_planner table(source, unit, plan);
  const shape counts = tile_counts(plan.grid);
  tiles_meeting(plan.grid, plan.section).for_each(counts, [&](std::uint64_t row) {
    table.add(row, groups);
    return plan.reasons.empty();
  });
  if (table.beyond_heap()) plan.notes.push_back("tiles lie beyond the heap that PCOUNT declares; they were read");
  if (!plan.reasons.empty()) return;
  for (tile_group& group : groups) {
    if (!group.tiles.empty()) plan.groups.push_back(std::move(group));
  }
}

}  // namespace cuphoton::xdr
