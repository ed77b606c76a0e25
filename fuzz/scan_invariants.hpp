// scan_invariants.hpp: what must hold of every file_structure, whatever the bytes were. Shared by the fuzz targets of
// headers and tables; a violation aborts.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"
#include "io/memory.hpp"

#define XDR_INVARIANT(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)

namespace cuphoton::xdr::fits {

inline std::uint64_t product_of(const shape& extents) {
  std::uint64_t product = extents.rank > 0 ? 1 : 0;
  for (int axis = 0; axis < extents.rank; ++axis) {
    if (extents[axis] == 0) return 0;
  }
  for (int axis = 0; axis < extents.rank; ++axis) {
    XDR_INVARIANT(extents[axis] > 0);
    XDR_INVARIANT(!__builtin_mul_overflow(product, static_cast<std::uint64_t>(extents[axis]), &product));
  }
  return product;
}

template <class Column>
void check_column(const std::optional<Column>& column, std::uint64_t width_bytes, const tile_table& table) {
  if (column) XDR_INVARIANT(column->offset_bytes + width_bytes <= table.row_bytes);
}

inline std::uint64_t width_of(const std::optional<array_column>& column) {
  return column ? column->descriptor_bytes : 0;
}
inline std::uint64_t width_of(const std::optional<scalar_column>& column) {
  switch (column ? column->type : 'B') {
    case 'I': return 2;
    case 'J':
    case 'E': return 4;
    case 'K':
    case 'D': return 8;
    default: return 1;
  }
}

inline void check_table(const image_hdu& image, const hdu& unit) {
  const tile_table& table = image.tiles;
  for (const auto& column : {table.compressed, table.gzip_fallback, table.plain_fallback, table.null_mask}) {
    check_column(column, width_of(column), table);
    if (!column) continue;
    XDR_INVARIANT(column->descriptor_bytes == 8 || column->descriptor_bytes == 16);
    XDR_INVARIANT(column->element_bytes >= 1 && column->element_bytes <= 8);
  }
  for (const auto& column : {table.quant_scale, table.quant_zero, table.null_value}) {
    check_column(column, width_of(column), table);
  }
  std::uint64_t rows_bytes = 0;
  XDR_INVARIANT(!__builtin_mul_overflow(table.row_bytes, table.row_count, &rows_bytes));
  XDR_INVARIANT(table.table_offset_bytes == unit.data_offset_bytes);
  XDR_INVARIANT(table.table_offset_bytes + rows_bytes <= table.heap_offset_bytes);
  XDR_INVARIANT(table.heap_offset_bytes + table.heap_bytes == unit.data_offset_bytes + unit.data_bytes);
  if (product_of(image.extents) == 0) return;
  std::uint64_t tiles = 1;
  for (int axis = 0; axis < image.extents.rank; ++axis) {
    const std::int64_t tile = image.tile_shape[axis];
    XDR_INVARIANT(tile >= 1 && tile <= image.extents[axis]);
    tiles *= static_cast<std::uint64_t>((image.extents[axis] - 1) / tile + 1);
  }
  XDR_INVARIANT(tiles == table.row_count);
  XDR_INVARIANT(product_of(image.tile_shape) < std::uint64_t{1} << 31);
  XDR_INVARIANT(table.compressed.has_value());
}

inline void check_image(const image_hdu& image, const hdu& unit) {
  std::uint64_t bytes = 0;
  const auto width = static_cast<std::uint64_t>(size_bytes(image.stored_type));
  XDR_INVARIANT(!__builtin_mul_overflow(product_of(image.extents), width, &bytes));
  XDR_INVARIANT(image.extents.rank >= 0 && image.extents.rank <= max_rank);
  if (image.compressed) {
    XDR_INVARIANT(image.rice_block_pixels >= 1 && image.rice_block_pixels <= 32768);
    XDR_INVARIANT(image.rice_pixel_bytes == 1 || image.rice_pixel_bytes == 2 || image.rice_pixel_bytes == 4);
    XDR_INVARIANT(image.dither_seed >= 1 && image.dither_seed <= 10000);
    XDR_INVARIANT(!image.codec_name.empty());
    if (image.extents.rank > 0) check_table(image, unit);
  } else if (image.reasons.empty()) {
    XDR_INVARIANT(bytes == unit.data_bytes);
  }
}

/// Aborts where `file`, the scan of a source of `file_bytes` bytes, contradicts itself.
inline void check_structure(const file_structure& file, std::uint64_t file_bytes) {
  XDR_INVARIANT(!file.hdus.empty());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < file.hdus.size(); ++i) {
    const hdu& unit = file.hdus[i];
    XDR_INVARIANT(unit.index == static_cast<int>(i));
    XDR_INVARIANT(unit.header_offset_bytes == end && unit.header_offset_bytes < file_bytes);
    XDR_INVARIANT(unit.data_offset_bytes % 2880 == 0 && unit.data_offset_bytes > unit.header_offset_bytes);
    XDR_INVARIANT(unit.cards.size() * 80 < unit.data_offset_bytes - unit.header_offset_bytes);
    const bool inside = unit.data_bytes == 0 || unit.data_offset_bytes + unit.data_bytes <= file_bytes;
    XDR_INVARIANT(inside || (unit.problem && i + 1 == file.hdus.size()));
    if (unit.image) {
      XDR_INVARIANT(!unit.problem || unit.problem->code() == errc::file_truncated);
      check_image(*unit.image, unit);
    } else {
      XDR_INVARIANT(unit.problem || (unit.kind != hdu_kind::image && unit.kind != hdu_kind::compressed_image));
    }
    end = unit.data_offset_bytes + (unit.data_bytes + 2879) / 2880 * 2880;
  }
}

/// Scans `bytes`; anything thrown but xdr::error ends the process, and so does a contradiction.
inline void scan_and_check(std::span<const std::uint8_t> bytes) {
  limits caps;
  caps.max_header_bytes = 200 * 2880;
  try {
    check_structure(scan(*io::open_memory(bytes, "fuzz"), caps), bytes.size());
  } catch (const error& refused) {
    XDR_INVARIANT(refused.place().file == "fuzz");
    XDR_INVARIANT(!refused.message().empty());
  }
}

}  // namespace cuphoton::xdr::fits
