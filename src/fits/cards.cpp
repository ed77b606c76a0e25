// cards.cpp: splits cards into keyword and value. Each function looks at 80 bytes at most, so time is linear in the
// header.
#include "fits/cards.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>
#include <tuple>

namespace cuphoton::xdr::fits {
namespace {

constexpr std::size_t keyword_bytes = 8;
constexpr std::size_t value_start = 10;

bool is_blank(char c) {
  return c == ' ' || c == '\0';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::uint64_t pack(std::string_view keyword) {
  std::array<char, keyword_bytes> padded{};
  padded.fill(' ');
  std::copy(keyword.begin(), keyword.end(), padded.begin());
  std::uint64_t packed = 0;
  std::memcpy(&packed, padded.data(), sizeof packed);
  return packed;
}

// FITS 4.0 §4.1.2.2: without "= " in bytes 9 and 10 there is no value; commentary keywords never have one.
bool has_value(std::string_view card) {
  if (card.substr(keyword_bytes, 2) != "= ") return false;
  const std::string_view keyword = card.substr(0, keyword_bytes);
  return keyword != "COMMENT " && keyword != "HISTORY " && keyword != "CONTINUE" && keyword != "        ";
}

// Length of the digits that `text` begins with.
std::size_t digit_count(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

// [+-] digits [. digits] [(E|D) [+-] digits], at least one digit in the mantissa (FITS 4.0 §4.2.3, §4.2.4).
struct number_form {
  bool valid = false;
  bool integer = false;
};
number_form classify(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  const std::size_t whole = digit_count(text);
  text.remove_prefix(whole);
  if (text.empty()) return {whole > 0, whole > 0};
  std::size_t fraction = 0;
  if (text[0] == '.') {
    text.remove_prefix(1);
    fraction = digit_count(text);
    text.remove_prefix(fraction);
  }
  if (whole + fraction == 0) return {};
  if (text.empty()) return {true, false};
  if (std::string_view("EeDd").find(text[0]) == std::string_view::npos) return {};
  text.remove_prefix(1);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return {!text.empty() && digit_count(text) == text.size(), false};
}

// The nearest double of a text that `classify` accepted; nothing outside its range.
std::optional<double> to_double(std::string_view text) {
  std::string plain(text);  // from_chars knows neither a leading + nor D
  if (plain.front() == '+') plain.erase(0, 1);
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c == 'D' || c == 'd'; }, 'E');
  double value = 0.0;
  const auto [end, failure] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (failure != std::errc{} || end != plain.data() + plain.size()) return std::nullopt;
  return value;
}

card_value parse_string(std::string_view after_quote) {
  card_value result;
  result.kind = value_kind::string;
  for (std::size_t i = 0; i < after_quote.size(); ++i) {
    if (after_quote[i] == '\'') {
      const bool doubled = i + 1 < after_quote.size() && after_quote[i + 1] == '\'';
      if (!doubled) break;
      ++i;
    }
    result.text += after_quote[i];
  }
  while (!result.text.empty() && is_blank(result.text.back())) result.text.pop_back();
  return result;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string printable(std::string_view bytes) {
  std::string text(bytes);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::optional<card_value> parse_number(std::string_view text) {
  text = trim(text);
  const number_form form = classify(text);
  if (!form.valid) return std::nullopt;
  const std::optional<double> nearest = to_double(text);
  if (!nearest) return std::nullopt;
  card_value result;
  result.kind = value_kind::real;
  result.integer_literal = form.integer;
  result.real = *nearest;
  result.text = text;
  if (form.integer) {
    const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
    if (std::from_chars(begin, text.data() + text.size(), result.integer).ec == std::errc{}) {
      result.kind = value_kind::integer;
    }
  }
  return result;
}

card_value parse_value(std::string_view field) {
  field = trim(field);
  if (!field.empty() && field.front() == '\'') return parse_string(field.substr(1));
  const std::string_view token = trim(field.substr(0, field.find('/')));
  if (const std::optional<card_value> number = parse_number(token)) return *number;
  card_value result;
  result.text = token;
  if (token.empty()) {
    result.kind = value_kind::undefined;
  } else if (token == "T" || token == "F") {
    result.kind = value_kind::logical;
    result.logical = token == "T";
  } else {
    result.kind = value_kind::text;
  }
  return result;
}

bool same_value(const card_value& a, const card_value& b) {
  if (a.kind == value_kind::integer && b.kind == value_kind::integer) return a.integer == b.integer;
  if (a.is_number() && b.is_number()) return a.real == b.real;
  return a.kind == b.kind && a.text == b.text;
}

std::string describe(const card_value& value) {
  switch (value.kind) {
    case value_kind::absent: return "no card";
    case value_kind::undefined: return "no value";
    case value_kind::string: return "'" + printable(value.text) + "'";
    default: return printable(value.text);
  }
}

bool is_end_card(std::string_view card) {
  // Keyword END without a value indicator; some writers pad with NULs or put text behind it.
  return card.substr(0, 3) == "END" && std::all_of(card.begin() + 3, card.begin() + keyword_bytes, is_blank) &&
         card[keyword_bytes] != '=';
}

card_list::card_list(std::string text) : text_(std::move(text)) {
  text_.resize(text_.size() / card_bytes * card_bytes);
  for (std::size_t index = 0; index < size(); ++index) {
    if (has_value(card(index))) {
      entries_.push_back({pack(card(index).substr(0, keyword_bytes)), static_cast<std::uint32_t>(index)});
    }
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const entry& a, const entry& b) { return std::tie(a.keyword, a.index) < std::tie(b.keyword, b.index); });
}

std::string_view card_list::card(std::size_t index) const {
  return std::string_view(text_).substr(index * card_bytes, card_bytes);
}

std::string_view card_list::keyword(std::size_t index) const {
  std::string_view word = card(index).substr(0, keyword_bytes);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

card_value card_list::value_at(std::size_t index) const {
  const std::string_view bytes = card(index);
  return has_value(bytes) ? parse_value(bytes.substr(value_start)) : card_value{};
}

std::pair<const card_list::entry*, const card_list::entry*> card_list::range(std::string_view keyword) const {
  if (keyword.size() > keyword_bytes) return {nullptr, nullptr};
  const std::uint64_t packed = pack(keyword);
  const entry* const end = entries_.data() + entries_.size();
  const entry* const from =
      std::lower_bound(entries_.data(), end, packed, [](const entry& e, std::uint64_t key) { return e.keyword < key; });
  const entry* const to =
      std::upper_bound(from, end, packed, [](std::uint64_t key, const entry& e) { return key < e.keyword; });
  return {from, to};
}

card_value card_list::value(std::string_view keyword) const {
  const auto [from, to] = range(keyword);
  return from == to ? card_value{} : value_at((to - 1)->index);
}

std::size_t card_list::count(std::string_view keyword) const {
  const auto [from, to] = range(keyword);
  return static_cast<std::size_t>(to - from);
}

std::optional<std::size_t> card_list::first(std::string_view keyword) const {
  const auto [from, to] = range(keyword);
  if (from == to) return std::nullopt;
  return from->index;
}

std::vector<card_value> card_list::values(std::string_view keyword) const {
  const auto [from, to] = range(keyword);
  std::vector<card_value> found;
  for (const entry* e = from; e != to; ++e) found.push_back(value_at(e->index));
  return found;
}

bool card_list::conflicting(std::string_view keyword) const {
  const auto [from, to] = range(keyword);
  if (to - from < 2) return false;
  const card_value kept = value_at(from->index);
  return std::any_of(from + 1, to, [&](const entry& e) { return !same_value(kept, value_at(e.index)); });
}

}  // namespace cuphoton::xdr::fits
