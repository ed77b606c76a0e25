// fits_builder.hpp: makes small FITS files in memory, right ones and wrong ones, card by card. Shared by tests and fuzz
// seeds; writes from the standard's rules and never through the library under test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cuphoton::xdr::test {

using byte_vector = std::vector<std::uint8_t>;

/// One card of 80 bytes in fixed format. The last takes the value as written.
std::string card(std::string_view keyword, std::string_view text_value);  // a string, gets quotes
std::string card(std::string_view keyword, const char* text_value);
std::string card(std::string_view keyword, double value);
template <class Number>
requires std::is_integral_v<Number> std::string card(std::string_view keyword, Number value);
std::string raw_card(std::string_view keyword, std::string_view value);
/// Any text, cut or padded to 80 bytes.
std::string card_of(std::string_view text);

template <class Number>
requires std::is_integral_v<Number> std::string card(std::string_view keyword, Number value) {
  if constexpr (std::is_same_v<Number, bool>) {
    return raw_card(keyword, value ? "T" : "F");
  } else {
    return raw_card(keyword, std::to_string(value));
  }
}

/// The cards, END, and blanks up to a multiple of 2880.
byte_vector header_bytes(const std::vector<std::string>& cards);
/// Zeros up to a multiple of 2880.
void pad_data(byte_vector& bytes);
void append(byte_vector& bytes, const byte_vector& more);
/// Appends a number, big-endian.
template <class Number>
void append_be(byte_vector& bytes, Number value);

/// SIMPLE, BITPIX, NAXIS, NAXISn and `extra`; axes in FITS order.
std::vector<std::string> primary_cards(int bitpix, const std::vector<std::int64_t>& axes,
                                       const std::vector<std::string>& extra = {});
/// XTENSION = 'IMAGE', mandatory keywords and `extra`.
std::vector<std::string> image_cards(int bitpix, const std::vector<std::int64_t>& axes,
                                     const std::vector<std::string>& extra = {});
/// A primary HDU without data.
byte_vector empty_primary(const std::vector<std::string>& extra = {});
/// A header with its data unit, padded.
byte_vector hdu_bytes(const std::vector<std::string>& cards, byte_vector data);

/// A descriptor written as given, whatever the heap holds.
struct raw_descriptor {
  std::uint64_t elements = 0;
  std::uint64_t offset_bytes = 0;
};
/// What a row holds in one column: nothing (an empty descriptor), bytes for the heap, a descriptor as given, or a
/// number.
using table_cell = std::variant<std::monostate, byte_vector, raw_descriptor, std::int64_t, double>;
/// One column of a compressed image: TTYPE, TFORM and a cell for each tile.
struct table_column {
  std::string name;
  std::string form;
  std::vector<table_cell> cells;
};

/// A compressed image made by hand. Everything in it may be wrong on purpose; axes and tiles in FITS order.
struct compressed_image {
  std::string codec = "RICE_1";
  int bitpix = 16;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> tiles;  // empty: no ZTILEn
  std::vector<table_column> columns;
  std::vector<std::string> extra;         // cards before END
  std::vector<std::string> early;         // cards between TFIELDS and TTYPE1
  std::uint64_t gap_bytes = 0;            // between rows and heap, filled with 0xEE; writes THEAP
  byte_vector heap_start;                 // dead bytes at the start of the heap
  std::vector<std::size_t> heap_order;    // order in which columns put their bytes on the heap; empty: as listed
  std::optional<std::int64_t> row_count;  // NAXIS2 as written; absent: the rows there are
  std::optional<std::int64_t> row_bytes;  // NAXIS1 as written
  std::optional<std::int64_t> pcount;     // as written
};

/// The extension HDU, padded.
byte_vector compressed_hdu(const compressed_image& image);
/// Its cards alone.
std::vector<std::string> compressed_cards(const compressed_image& image);
/// An empty primary and the extension.
byte_vector compressed_file(const compressed_image& image);
/// A valid one: `rows` row tiles of `width` pixels, descriptors empty, so that tests change one thing.
compressed_image sample_image(std::int64_t width = 8, std::int64_t rows = 3);

template <class Number>
void append_be(byte_vector& bytes, Number value) {
  const auto bits = static_cast<std::make_unsigned_t<Number>>(value);
  for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
}

}  // namespace cuphoton::xdr::test
