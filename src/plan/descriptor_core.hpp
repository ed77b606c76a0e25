// descriptor_core.hpp: one row of a tile table -> where the tile's bytes are and what is its own in the recipe.
// FITS 4.0 §7.3.5 and §10.1.3. Shared text, so that the device can parse tables that travel with their heap; the host
// loop is the reference and validates every row before any decoder runs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/bytes.hpp"
#include "base/hd.hpp"

#define XDR_FILE_ID 10

namespace cuphoton::xdr {

/// Which column holds the tile: the first of this order with a length above 0.
enum class tile_column : std::uint8_t { compressed, plain_fallback, gzip_fallback, none };

/// offset_bytes < 0: the column does not exist. Offsets are at most NAXIS1, which fits the file.
struct array_place {
  std::int64_t offset_bytes = -1;
  std::uint8_t descriptor_bytes = 8;
  std::uint8_t element_bytes = 1;
};
struct scalar_place {
  std::int64_t offset_bytes = -1;
  char type = 'D';
};

struct row_layout {
  array_place compressed;
  array_place plain_fallback;
  array_place gzip_fallback;
  array_place null_mask;
  scalar_place quant_scale;
  scalar_place quant_zero;
  scalar_place null_value;
  std::uint64_t heap_offset_bytes = 0;  // from the start of the file, at most file_bytes
  std::uint64_t file_bytes = 0;
};

struct tile_descriptor {
  std::uint64_t offset_bytes = 0;  // from the start of the file
  std::uint64_t length_bytes = 0;
  double quant_scale = 0.0;
  double quant_zero = 0.0;
  std::int64_t null_value = 0;
  tile_column column = tile_column::none;
  bool has_null_mask = false;
};
static_assert(std::is_trivially_copyable_v<tile_descriptor>);

/// A descriptor: element count, then byte offset in the heap. 32-bit words are unsigned, as in CFITSIO since 3.38:
/// heaps between 2 and 4 GiB need it.
struct heap_span {
  std::uint64_t elements = 0;
  std::uint64_t offset_bytes = 0;
};
XDR_HD inline heap_span load_descriptor(const array_place& place, const std::uint8_t* row) {
  if (place.offset_bytes < 0) return {};
  const std::uint8_t* const bytes = row + place.offset_bytes;
  if (place.descriptor_bytes == 8) return {load_be<std::uint32_t>(bytes), load_be<std::uint32_t>(bytes + 4)};
  return {load_be<std::uint64_t>(bytes), load_be<std::uint64_t>(bytes + 8)};
}

XDR_HD inline double load_number(const scalar_place& place, const std::uint8_t* row) {
  const std::uint8_t* const bytes = row + place.offset_bytes;
  switch (place.type) {
    case 'B': return static_cast<double>(*bytes);
    case 'I': return static_cast<double>(load_be<std::int16_t>(bytes));
    case 'J': return static_cast<double>(load_be<std::int32_t>(bytes));
    case 'K': return static_cast<double>(load_be<std::int64_t>(bytes));
    case 'E': return static_cast<double>(load_be<float>(bytes));
    default: return load_be<double>(bytes);
  }
}

XDR_HD inline std::int64_t load_integer(const scalar_place& place, const std::uint8_t* row) {
  const std::uint8_t* const bytes = row + place.offset_bytes;
  switch (place.type) {
    case 'B': return *bytes;
    case 'I': return load_be<std::int16_t>(bytes);
    case 'J': return load_be<std::int32_t>(bytes);
    default: return load_be<std::int64_t>(bytes);
  }
}

/// Parses the row at `row`. bad_data where a span leaves the file, no_data where every column is empty.
XDR_HD inline verdict parse_descriptor(const row_layout& layout, const std::uint8_t* row, tile_descriptor& tile) {
  const array_place* place = &layout.compressed;
  heap_span span = load_descriptor(*place, row);
  tile.column = tile_column::compressed;
  if (span.elements == 0) {
    place = &layout.plain_fallback;
    span = load_descriptor(*place, row);
    tile.column = tile_column::plain_fallback;
  }
  if (span.elements == 0) {
    place = &layout.gzip_fallback;
    span = load_descriptor(*place, row);
    tile.column = tile_column::gzip_fallback;
  }
  XDR_CHECK(span.elements != 0, tile_status::no_data);
  // Divisions, not products: nothing here can wrap.
  const std::uint64_t room = layout.file_bytes - layout.heap_offset_bytes;
  XDR_CHECK(span.offset_bytes <= room, tile_status::bad_data);
  XDR_CHECK(span.elements <= (room - span.offset_bytes) / place->element_bytes, tile_status::bad_data);
  tile.offset_bytes = layout.heap_offset_bytes + span.offset_bytes;
  tile.length_bytes = span.elements * place->element_bytes;
  if (layout.quant_scale.offset_bytes >= 0) tile.quant_scale = load_number(layout.quant_scale, row);
  if (layout.quant_zero.offset_bytes >= 0) tile.quant_zero = load_number(layout.quant_zero, row);
  if (layout.null_value.offset_bytes >= 0) tile.null_value = load_integer(layout.null_value, row);
  tile.has_null_mask = load_descriptor(layout.null_mask, row).elements != 0;
  return {};
}

}  // namespace cuphoton::xdr

#undef XDR_FILE_ID
