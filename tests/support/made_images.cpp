// made_images.cpp: see made_images.hpp.
#include "support/made_images.hpp"

#include <memory>

#include "plan/geometry.hpp"
#include "support/encoders.hpp"

namespace cuphoton::xdr::test {
namespace {

std::vector<std::int64_t> fits_order(const shape& extents) {
  std::vector<std::int64_t> axes;
  for (int axis = extents.rank - 1; axis >= 0; --axis) axes.push_back(extents[axis]);
  return axes;
}

}  // namespace

std::int16_t made_pixel(std::uint64_t index) {
  return static_cast<std::int16_t>(index * 7919 % 65521 - 32760);
}

byte_vector made_bytes(const shape& extents, const strided_box& section) {
  byte_vector bytes;
  if (pixel_count(section) == 0) return bytes;
  const box cells{section.rank, {}, section.extent};
  auto cell = cells.start;
  do {
    std::uint64_t index = 0;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
      index = index * static_cast<std::uint64_t>(extents.extent[axis]) +
              static_cast<std::uint64_t>(section.start[axis] + cell[axis] * section.step[axis]);
    }
    append_be(bytes, made_pixel(index));
  } while (advance(cell, cells));
  return bytes;
}

byte_vector plain_file(const shape& extents, const std::vector<std::string>& extra) {
  return hdu_bytes(primary_cards(16, fits_order(extents), extra), made_bytes(extents, whole(extents)));
}

compressed_image gzip_image(const shape& extents, const shape& tile_shape) {
  compressed_image image;
  image.codec = "GZIP_1";
  image.axes = fits_order(extents);
  image.tiles = fits_order(tile_shape);
  table_column column{"COMPRESSED_DATA", "1PB", {}};
  const tile_grid grid{whole(extents), tile_shape};
  for (std::uint64_t tile = 0; tile < static_cast<std::uint64_t>(pixel_count(tile_counts(grid))); ++tile) {
    column.cells.emplace_back(gzip_by_zlib(made_bytes(extents, tile_box(grid, tile)), 1));
  }
  image.columns.push_back(std::move(column));
  return image;
}

std::shared_ptr<const byte_source> source_of(byte_vector bytes, std::string name) {
  struct holder {
    byte_vector bytes;
    std::shared_ptr<const byte_source> source;
  };
  auto owner = std::make_shared<holder>();
  owner->bytes = std::move(bytes);
  owner->source = memory_source(owner->bytes, std::move(name));
  return {owner, owner->source.get()};
}

}  // namespace cuphoton::xdr::test
