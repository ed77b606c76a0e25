// tile_table.cpp: TFORM grammar, column offsets, heap bounds. All sums are checked; at most 999 columns are walked.
#include "fits/tile_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include "base/checked.hpp"

namespace cuphoton::xdr::fits {
namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t max_columns = 999;  // FITS 4.0 §7.3.1

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) { return upper(c); });
  return result;
}

// Bytes of one element; 0 for an unknown letter. X is counted in bits elsewhere.
std::uint64_t letter_bytes(char letter) {
  switch (letter) {
    case 'L':
    case 'A':
    case 'B':
    case 'X': return 1;
    case 'I': return 2;
    case 'J':
    case 'E': return 4;
    case 'K':
    case 'D':
    case 'C':
    case 'P': return 8;
    case 'M':
    case 'Q': return 16;
    default: return 0;
  }
}

/// A column that is being placed.
struct placed_column {
  std::int64_t number = 0;
  std::string name;
  column_form form;
  std::uint32_t offset_bytes = 0;
};

class table_builder {
 public:
  table_builder(const keywords& header, std::string_view compressed_elements)
      : header_(header), compressed_elements_(compressed_elements) {}

  void add(const placed_column& column);
  tile_table table;

 private:
  void set(std::optional<array_column>& slot, const placed_column& column, std::string_view elements) const;
  void set(std::optional<scalar_column>& slot, const placed_column& column, std::string_view letters) const;
  [[noreturn]] void fail(const placed_column& column, const std::string& message) const {
    header_.fail(errc::tile_table_invalid,
                 "column " + std::to_string(column.number) + " (" + column.name + "): " + message);
  }

  const keywords& header_;
  std::string_view compressed_elements_;
};

void table_builder::add(const placed_column& column) {
  if (column.name == "COMPRESSED_DATA") return set(table.compressed, column, compressed_elements_);
  if (column.name == "GZIP_COMPRESSED_DATA") return set(table.gzip_fallback, column, "B");
  if (column.name == "UNCOMPRESSED_DATA") return set(table.plain_fallback, column, "BIJKED");
  if (column.name == "NULL_PIXEL_MASK") return set(table.null_mask, column, "BIJKED");
  if (column.name == "ZSCALE") return set(table.quant_scale, column, "DE");
  if (column.name == "ZZERO") return set(table.quant_zero, column, "DE");
  if (column.name == "ZBLANK") return set(table.null_value, column, "BIJK");
  // Any other column, a user's for instance, is passed over by its width.
}

void table_builder::set(std::optional<array_column>& slot, const placed_column& column,
                        std::string_view elements) const {
  if (slot) fail(column, "appears twice");
  const column_form& form = column.form;
  if (form.letter != 'P' && form.letter != 'Q') {
    fail(column, std::string("expected TFORM P or Q, found ") + form.letter);
  }
  if (form.repeat == 0) return;  // no descriptor: as if the column were not there
  if (elements.find(form.element) == std::string_view::npos) {
    fail(column, "expected elements of type " + std::string(elements) + ", found " + form.element);
  }
  slot = array_column{column.offset_bytes, static_cast<std::uint8_t>(form.width_bytes), form.element,
                      static_cast<std::uint8_t>(letter_bytes(form.element))};
}

void table_builder::set(std::optional<scalar_column>& slot, const placed_column& column,
                        std::string_view letters) const {
  if (slot) fail(column, "appears twice");
  if (letters.find(column.form.letter) == std::string_view::npos || column.form.repeat != 1) {
    fail(column, "expected one number of type " + std::string(letters) + ", found TFORM " +
                     std::to_string(column.form.repeat) + column.form.letter);
  }
  slot = scalar_column{column.offset_bytes, column.form.letter};
}

column_form judge_form(const keywords& header, std::int64_t number) {
  const std::string keyword = numbered("TFORM", number);
  const std::optional<std::string> text = header.string(keyword);
  if (!text) header.fail(errc::tile_table_invalid, keyword + ": expected a column format, found no value");
  const std::optional<column_form> form = parse_tform(*text);
  if (!form) {
    header.fail(errc::tile_table_invalid, keyword + ": expected a column format, found '" + printable(*text) + "'");
  }
  return *form;
}

// Adds up the widths; every offset is below NAXIS1, so that it fits once NAXIS1 does.
void judge_columns(const keywords& header, std::uint64_t row_bytes, table_builder& builder) {
  const std::int64_t count = header.required_integer("TFIELDS", 0, max_columns);
  std::uint64_t offset_bytes = 0;
  for (std::int64_t number = 1; number <= count; ++number) {
    placed_column column;
    column.number = number;
    column.form = judge_form(header, number);
    column.name = upper(header.string(numbered("TTYPE", number)).value_or(""));
    column.offset_bytes = static_cast<std::uint32_t>(offset_bytes);
    const auto end = checked_add(offset_bytes, column.form.width_bytes);
    if (!end || *end > row_bytes) {
      header.fail(errc::tile_table_invalid, "TFORM1 to " + numbered("TFORM", number) +
                                                " are wider than NAXIS1 = " + std::to_string(row_bytes) + " bytes");
    }
    offset_bytes = *end;
    builder.add(column);
  }
  if (offset_bytes != row_bytes) {
    header.fail(errc::tile_table_invalid, "expected columns of NAXIS1 = " + std::to_string(row_bytes) +
                                              " bytes, found " + std::to_string(offset_bytes) + " by TFORMn");
  }
}

void judge_heap(const keywords& header, const structure& size, std::uint64_t data_offset_bytes, tile_table& table) {
  const std::uint64_t rows_bytes = table.row_bytes * table.row_count;  // at most data_bytes
  std::uint64_t heap_at = rows_bytes;
  if (const std::optional<std::int64_t> theap = header.integer("THEAP")) {
    if (*theap < 0 || static_cast<std::uint64_t>(*theap) < rows_bytes ||
        static_cast<std::uint64_t>(*theap) > size.data_bytes) {
      header.fail(errc::tile_table_invalid, "THEAP: expected " + std::to_string(rows_bytes) + " to " +
                                                std::to_string(size.data_bytes) + ", found " + std::to_string(*theap));
    }
    heap_at = static_cast<std::uint64_t>(*theap);
  }
  table.heap_offset_bytes = data_offset_bytes + heap_at;
  table.heap_bytes = size.data_bytes - heap_at;
}

}  // namespace

std::optional<column_form> parse_tform(std::string_view text) {
  text = trim(text);
  column_form form;
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits > 0 && std::from_chars(text.data(), text.data() + digits, form.repeat).ec != std::errc{})
    return std::nullopt;
  if (digits == text.size()) return std::nullopt;
  form.letter = upper(text[digits]);
  const std::uint64_t bytes = letter_bytes(form.letter);
  if (bytes == 0) return std::nullopt;
  if (form.letter == 'P' || form.letter == 'Q') {
    if (form.repeat > 1 || digits + 1 == text.size()) return std::nullopt;
    form.element = upper(text[digits + 1]);
    if (letter_bytes(form.element) == 0 || form.element == 'P' || form.element == 'Q') return std::nullopt;
  }
  if (form.letter == 'X') {
    form.width_bytes = divide_up<std::uint64_t>(form.repeat, 8);
    return form;
  }
  const auto width = checked_multiply(form.repeat, bytes);
  if (!width || *width > static_cast<std::uint64_t>(int64_max)) return std::nullopt;
  form.width_bytes = *width;
  return form;
}

tile_table judge_tile_table(const keywords& header, const structure& size, std::uint64_t data_offset_bytes,
                            std::optional<std::uint64_t> tile_count, std::string_view compressed_elements) {
  if (size.bitpix != 8 || size.axes.size() != 2 || size.gcount != 1) {
    header.fail(errc::tile_table_invalid, "expected BITPIX = 8, NAXIS = 2 and GCOUNT = 1 in a table, found " +
                                              std::to_string(size.bitpix) + ", " + std::to_string(size.axes.size()) +
                                              " and " + std::to_string(size.gcount));
  }
  table_builder builder(header, compressed_elements);
  tile_table& table = builder.table;
  table.table_offset_bytes = data_offset_bytes;
  table.row_bytes = static_cast<std::uint64_t>(size.axes[0]);
  table.row_count = static_cast<std::uint64_t>(size.axes[1]);
  if (table.row_bytes > std::numeric_limits<std::uint32_t>::max()) {
    header.fail(errc::tile_table_invalid,
                "NAXIS1: expected rows below 4 GiB, found " + std::to_string(table.row_bytes));
  }
  if (tile_count && table.row_count != *tile_count) {
    header.fail(errc::tile_table_invalid, "NAXIS2: expected " + std::to_string(*tile_count) +
                                              " rows, one for each tile, found " + std::to_string(table.row_count));
  }
  judge_columns(header, table.row_bytes, builder);
  if (tile_count && !table.compressed) {
    header.fail(errc::tile_table_invalid, "expected a column COMPRESSED_DATA, found none among TTYPEn");
  }
  judge_heap(header, size, data_offset_bytes, table);
  return table;
}

}  // namespace cuphoton::xdr::fits
