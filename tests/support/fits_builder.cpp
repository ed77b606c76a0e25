// fits_builder.cpp: cards, padding, and rows and heap of hand-made tables.
#include "support/fits_builder.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <numeric>

namespace cuphoton::xdr::test {
namespace {

constexpr std::size_t block = 2880;
constexpr std::size_t card_length = 80;

std::string padded(std::string_view text, std::size_t length) {
  std::string result(text.substr(0, length));
  result.resize(length, ' ');
  return result;
}

// The letter that counts, after the repeat.
char letter_of(const std::string& form, std::size_t which = 0) {
  std::size_t at = 0;
  while (at < form.size() && std::isdigit(static_cast<unsigned char>(form[at]))) ++at;
  return at + which < form.size() ? form[at + which] : 'B';
}

std::uint64_t element_bytes(char letter) {
  switch (letter) {
    case 'I': return 2;
    case 'J':
    case 'E': return 4;
    case 'K':
    case 'D': return 8;
    default: return 1;
  }
}

void append_descriptor(byte_vector& row, char letter, const raw_descriptor& descriptor) {
  if (letter == 'Q') {
    append_be(row, descriptor.elements);
    append_be(row, descriptor.offset_bytes);
  } else {
    append_be(row, static_cast<std::uint32_t>(descriptor.elements));
    append_be(row, static_cast<std::uint32_t>(descriptor.offset_bytes));
  }
}

void append_number(byte_vector& row, char letter, const table_cell& cell) {
  const auto* real = std::get_if<double>(&cell);
  const auto* integer = std::get_if<std::int64_t>(&cell);
  const double as_real = real ? *real : integer ? static_cast<double>(*integer) : 0.0;
  const std::int64_t as_integer = integer ? *integer : static_cast<std::int64_t>(as_real);
  switch (letter) {
    case 'I': return append_be(row, static_cast<std::int16_t>(as_integer));
    case 'J': return append_be(row, static_cast<std::int32_t>(as_integer));
    case 'K': return append_be(row, as_integer);
    case 'E': return append_be(row, std::bit_cast<std::uint32_t>(static_cast<float>(as_real)));
    case 'D': return append_be(row, std::bit_cast<std::uint64_t>(as_real));
    default: row.push_back(static_cast<std::uint8_t>(as_integer));
  }
}

struct built_table {
  byte_vector rows;
  byte_vector heap;
  std::size_t row_count = 0;
};

// The heap is filled column by column in `heap_order`, so that descriptors need not grow from row to row.
built_table build_table(const compressed_image& image) {
  built_table table;
  for (const table_column& column : image.columns) table.row_count = std::max(table.row_count, column.cells.size());
  table.heap = image.heap_start;
  std::vector<std::size_t> order = image.heap_order;
  if (order.empty()) {
    order.resize(image.columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
  }
  std::vector<std::vector<raw_descriptor>> descriptors(image.columns.size(),
                                                       std::vector<raw_descriptor>(table.row_count));
  for (const std::size_t number : order) {
    const table_column& column = image.columns[number];
    for (std::size_t row = 0; row < column.cells.size(); ++row) {
      if (const auto* given = std::get_if<raw_descriptor>(&column.cells[row])) descriptors[number][row] = *given;
      const auto* bytes = std::get_if<byte_vector>(&column.cells[row]);
      if (bytes == nullptr) continue;
      descriptors[number][row] = {bytes->size() / element_bytes(letter_of(column.form, 1)), table.heap.size()};
      append(table.heap, *bytes);
    }
  }
  for (std::size_t row = 0; row < table.row_count; ++row) {
    for (std::size_t number = 0; number < image.columns.size(); ++number) {
      const table_column& column = image.columns[number];
      const char letter = letter_of(column.form);
      if (letter == 'P' || letter == 'Q') {
        append_descriptor(table.rows, letter, descriptors[number][row]);
      } else {
        append_number(table.rows, letter, row < column.cells.size() ? column.cells[row] : table_cell{});
      }
    }
  }
  return table;
}

std::vector<std::string> cards_of(const compressed_image& image, const built_table& table) {
  const std::size_t row_bytes = table.row_count == 0 ? 0 : table.rows.size() / table.row_count;
  std::vector<std::string> cards{
      card("XTENSION", "BINTABLE"),
      card("BITPIX", 8),
      card("NAXIS", 2),
      card("NAXIS1", image.row_bytes.value_or(static_cast<std::int64_t>(row_bytes))),
      card("NAXIS2", image.row_count.value_or(static_cast<std::int64_t>(table.row_count))),
      card("PCOUNT", image.pcount.value_or(static_cast<std::int64_t>(image.gap_bytes + table.heap.size()))),
      card("GCOUNT", 1),
      card("TFIELDS", image.columns.size())};
  cards.insert(cards.end(), image.early.begin(), image.early.end());
  for (std::size_t n = 1; n <= image.columns.size(); ++n) {
    cards.push_back(card("TTYPE" + std::to_string(n), image.columns[n - 1].name));
    cards.push_back(card("TFORM" + std::to_string(n), image.columns[n - 1].form));
  }
  if (image.gap_bytes > 0) cards.push_back(card("THEAP", table.rows.size() + image.gap_bytes));
  cards.push_back(card("ZIMAGE", true));
  cards.push_back(card("ZCMPTYPE", image.codec));
  cards.push_back(card("ZBITPIX", image.bitpix));
  cards.push_back(card("ZNAXIS", image.axes.size()));
  for (std::size_t n = 1; n <= image.axes.size(); ++n) {
    cards.push_back(card("ZNAXIS" + std::to_string(n), image.axes[n - 1]));
  }
  for (std::size_t n = 1; n <= image.tiles.size(); ++n) {
    cards.push_back(card("ZTILE" + std::to_string(n), image.tiles[n - 1]));
  }
  cards.insert(cards.end(), image.extra.begin(), image.extra.end());
  return cards;
}

std::vector<std::string> with_axes(std::vector<std::string> cards, int bitpix, const std::vector<std::int64_t>& axes) {
  cards.push_back(card("BITPIX", bitpix));
  cards.push_back(card("NAXIS", axes.size()));
  for (std::size_t n = 1; n <= axes.size(); ++n) cards.push_back(card("NAXIS" + std::to_string(n), axes[n - 1]));
  return cards;
}

}  // namespace

std::string card_of(std::string_view text) {
  return padded(text, card_length);
}

std::string raw_card(std::string_view keyword, std::string_view value) {
  std::string text = padded(keyword, 8) + "= ";
  text.append(value.size() < 20 ? 20 - value.size() : 0, ' ');
  return card_of(text + std::string(value));
}

std::string card(std::string_view keyword, std::string_view text_value) {
  std::string quoted = "'";
  for (const char c : text_value) quoted.append(c == '\'' ? 2 : 1, c);
  quoted.resize(std::max<std::size_t>(quoted.size(), 9), ' ');
  return card_of(padded(keyword, 8) + "= " + quoted + "'");
}

std::string card(std::string_view keyword, const char* text_value) {
  return card(keyword, std::string_view(text_value));
}

std::string card(std::string_view keyword, double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.16E", value);
  return raw_card(keyword, text);
}

byte_vector header_bytes(const std::vector<std::string>& cards) {
  std::string text;
  for (const std::string& one : cards) text += one;
  text += card_of("END");
  text.resize((text.size() + block - 1) / block * block, ' ');
  return {text.begin(), text.end()};
}

void pad_data(byte_vector& bytes) {
  bytes.resize((bytes.size() + block - 1) / block * block, 0);
}

void append(byte_vector& bytes, const byte_vector& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::vector<std::string> primary_cards(int bitpix, const std::vector<std::int64_t>& axes,
                                       const std::vector<std::string>& extra) {
  std::vector<std::string> cards = with_axes({card("SIMPLE", true)}, bitpix, axes);
  cards.insert(cards.end(), extra.begin(), extra.end());
  return cards;
}

std::vector<std::string> image_cards(int bitpix, const std::vector<std::int64_t>& axes,
                                     const std::vector<std::string>& extra) {
  std::vector<std::string> cards = with_axes({card("XTENSION", "IMAGE")}, bitpix, axes);
  cards.push_back(card("PCOUNT", 0));
  cards.push_back(card("GCOUNT", 1));
  cards.insert(cards.end(), extra.begin(), extra.end());
  return cards;
}

byte_vector empty_primary(const std::vector<std::string>& extra) {
  return header_bytes(primary_cards(8, {}, extra));
}

byte_vector hdu_bytes(const std::vector<std::string>& cards, byte_vector data) {
  byte_vector bytes = header_bytes(cards);
  pad_data(data);
  append(bytes, data);
  return bytes;
}

std::vector<std::string> compressed_cards(const compressed_image& image) {
  return cards_of(image, build_table(image));
}

byte_vector compressed_hdu(const compressed_image& image) {
  const built_table table = build_table(image);
  byte_vector data = table.rows;
  data.insert(data.end(), static_cast<std::size_t>(image.gap_bytes), 0xEE);
  append(data, table.heap);
  return hdu_bytes(cards_of(image, table), std::move(data));
}

byte_vector compressed_file(const compressed_image& image) {
  byte_vector file = empty_primary();
  append(file, compressed_hdu(image));
  return file;
}

compressed_image sample_image(std::int64_t width, std::int64_t rows) {
  compressed_image image;
  image.axes = {width, rows};
  image.tiles = {width, 1};
  image.columns = {{"COMPRESSED_DATA", "1PB", std::vector<table_cell>(static_cast<std::size_t>(rows))}};
  return image;
}

}  // namespace cuphoton::xdr::test
