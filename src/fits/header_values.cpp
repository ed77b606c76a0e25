// header_values.cpp: cards as values for people. Adds to cards.hpp what no keyword that decides pixels needs: comments,
// complex numbers, HIERARCH and strings that go on in CONTINUE cards. Linear in the header.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <cuphoton/xdr/header.hpp>

#include "fits/cards.hpp"

namespace cuphoton::xdr {
namespace {

using fits::card_value;
using fits::trim;
using fits::value_kind;

constexpr std::size_t keyword_bytes = 8;
constexpr std::size_t value_start = 10;
constexpr std::string_view hierarch = "HIERARCH ";

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
  return text;
}

// Length of the value that `field` begins with: up to the closing quote of a string, else up to the slash.
std::size_t value_length(std::string_view field) {
  const std::size_t open = field.find_first_not_of(std::string_view(" \0", 2));
  if (open == std::string_view::npos || field[open] != '\'') return std::min(field.find('/'), field.size());
  for (std::size_t i = open + 1; i < field.size(); ++i) {
    if (field[i] != '\'') continue;
    if (i + 1 < field.size() && field[i + 1] == '\'') {
      ++i;
      continue;
    }
    return i + 1;
  }
  return field.size();
}

std::string_view comment_of(std::string_view field) {
  const std::size_t slash = field.find('/', value_length(field));
  return slash == std::string_view::npos ? std::string_view{} : trim(field.substr(slash + 1));
}

// "(1.0, -2D1)": two numbers in parentheses (FITS 4.0 §4.2.5, §4.2.6).
std::optional<std::pair<double, double>> complex_of(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (text.size() < 2 || text.front() != '(' || text.back() != ')' || comma == std::string_view::npos)
    return std::nullopt;
  const auto real = fits::parse_number(text.substr(1, comma - 1));
  const auto imaginary = fits::parse_number(text.substr(comma + 1, text.size() - comma - 2));
  if (!real || !imaginary) return std::nullopt;
  return std::pair(real->real, imaginary->real);
}

void set_value(std::string_view field, header_card& result) {
  card_value value = fits::parse_value(field);
  result.comment = comment_of(field);
  result.real = value.real;
  result.integer = value.integer;
  result.logical = value.logical;
  result.text = std::move(value.text);
  switch (value.kind) {
    case value_kind::absent:
    case value_kind::undefined: result.kind = card_kind::undefined; return;
    case value_kind::logical: result.kind = card_kind::logical; return;
    case value_kind::string: result.kind = card_kind::string; return;
    case value_kind::integer:
      result.kind = card_kind::integer;
      result.fits_int64 = true;
      return;
    case value_kind::real: result.kind = value.integer_literal ? card_kind::integer : card_kind::real; return;
    case value_kind::text: break;
  }
  result.kind = card_kind::text;
  if (const auto parts = complex_of(result.text)) {
    result.kind = card_kind::complex;
    result.real = parts->first;
    result.imaginary = parts->second;
  }
}

bool is_commentary(std::string_view card) {
  const std::string_view keyword = card.substr(0, keyword_bytes);
  return card.substr(keyword_bytes, 2) != "= " || keyword == "COMMENT " || keyword == "HISTORY " ||
         keyword == "CONTINUE" || keyword == "        ";
}

// The field of a CONTINUE card that holds a string; nothing for another card.
std::optional<std::string_view> continuation(std::string_view card) {
  if (card.substr(0, value_start) != "CONTINUE  ") return std::nullopt;
  const std::string_view field = card.substr(value_start);
  return trim(field).starts_with('\'') ? std::optional(field) : std::nullopt;
}

}  // namespace

std::string_view name(card_kind kind) noexcept {
  switch (kind) {
    case card_kind::commentary: return "commentary";
    case card_kind::undefined: return "undefined";
    case card_kind::logical: return "logical";
    case card_kind::integer: return "integer";
    case card_kind::real: return "real";
    case card_kind::complex: return "complex";
    case card_kind::string: return "string";
    case card_kind::text: break;
  }
  return "text";
}

header_card parse_header_card(std::string_view card) {
  card = card.substr(0, fits::card_bytes);
  header_card result;
  if (card.starts_with(hierarch)) {
    // ESO's convention: free words, then '=' and a value as everywhere.
    const std::size_t equals = card.find('=');
    if (equals != std::string_view::npos && !trim(card.substr(hierarch.size(), equals - hierarch.size())).empty()) {
      result.keyword = trim(card.substr(hierarch.size(), equals - hierarch.size()));
      set_value(card.substr(equals + 1), result);
      return result;
    }
  }
  result.keyword = trim_right(card.substr(0, keyword_bytes));
  if (card.size() >= value_start - 1 && !is_commentary(card)) {
    set_value(card.substr(std::min(value_start, card.size())), result);
  } else if (card.size() > keyword_bytes) {
    result.text = trim_right(card.substr(keyword_bytes));
  }
  return result;
}

std::vector<header_card> parse_header(std::span<const std::string> cards) {
  std::vector<header_card> values;
  for (std::size_t i = 0; i < cards.size(); i += values.back().card_count) {
    values.push_back(parse_header_card(cards[i]));
    header_card& value = values.back();
    value.first_card = i;
    while (value.kind == card_kind::string && value.text.ends_with('&') && i + value.card_count < cards.size()) {
      const auto field = continuation(cards[i + value.card_count]);
      if (!field) break;
      value.text.pop_back();
      value.text += fits::parse_value(*field).text;
      const std::string_view comment = comment_of(*field);
      if (!comment.empty()) value.comment += (value.comment.empty() ? "" : " ") + std::string(comment);
      ++value.card_count;
    }
  }
  return values;
}

}  // namespace cuphoton::xdr
