// keywords.cpp: the wording of what was expected and what was found, for every keyword that decides.
#include "fits/keywords.hpp"

#include <cmath>

namespace cuphoton::xdr::fits {

std::string numbered(std::string_view stem, std::int64_t number) {
  return std::string(stem) + std::to_string(number);
}

void keywords::fail(errc code, std::string message) const {
  const bool damage = code == errc::header_invalid || code == errc::tile_table_invalid;
  if (damage && message.find("; ") == std::string::npos) {
    message += "; look at the header: cuphoton xdr info --cards FILE";
  }
  throw error(code, place_, std::move(message));
}

void keywords::expect_no_conflict(std::string_view keyword) const {
  if (!cards_.conflicting(keyword)) return;
  const std::vector<card_value> values = cards_.values(keyword);
  std::string second = describe(values.back());
  for (const card_value& value : values) {
    if (!same_value(value, values.front())) {
      second = describe(value);
      break;
    }
  }
  fail(errc::header_invalid, std::string(keyword) + " appears more than once with different values (" +
                                 describe(values.front()) + " and " + second +
                                 "); remove the wrong card from the header");
}

std::optional<std::int64_t> keywords::integer(std::string_view keyword) const {
  expect_no_conflict(keyword);
  const card_value value = cards_.value(keyword);
  if (value.kind == value_kind::absent || value.kind == value_kind::undefined) return std::nullopt;
  // A whole number with a point ("12151.") is none by the standard's rules, but says what is meant; below 2^53 it is
  // exact.
  if (value.kind == value_kind::real && std::abs(value.real) < 0x1p53 && std::trunc(value.real) == value.real) {
    note(std::string(keyword) + " should be an integer, but is written " + describe(value));
    return static_cast<std::int64_t>(value.real);
  }
  if (value.kind != value_kind::integer) {
    fail(errc::header_invalid,
         std::string(keyword) + ": expected an integer of at most 64 bits, found " + describe(value));
  }
  return value.integer;
}

std::int64_t keywords::required_integer(std::string_view keyword, std::int64_t lowest, std::int64_t highest) const {
  const std::optional<std::int64_t> value = integer(keyword);
  if (!value) {
    fail(errc::header_invalid,
         std::string(keyword) + ": expected an integer, found " + describe(cards_.value(keyword)));
  }
  if (*value < lowest || *value > highest) {
    fail(errc::header_invalid, std::string(keyword) + ": expected " + std::to_string(lowest) + " to " +
                                   std::to_string(highest) + ", found " + std::to_string(*value));
  }
  return *value;
}

std::optional<std::string> keywords::string(std::string_view keyword) const {
  expect_no_conflict(keyword);
  const card_value value = cards_.value(keyword);
  if (value.kind == value_kind::absent || value.kind == value_kind::undefined) return std::nullopt;
  if (value.kind != value_kind::string) {
    fail(errc::header_invalid, std::string(keyword) + ": expected a string in quotes, found " + describe(value));
  }
  return std::string(trim(value.text));
}

bool keywords::is_logical(std::string_view keyword) const {
  expect_no_conflict(keyword);
  return cards_.value(keyword).kind == value_kind::logical;
}

bool keywords::is_true(std::string_view keyword) const {
  expect_no_conflict(keyword);
  const card_value value = cards_.value(keyword);
  return value.kind == value_kind::logical && value.logical;
}

std::optional<lenient_number> keywords::lenient(std::string_view keyword) const {
  if (cards_.conflicting(keyword)) {
    note(std::string(keyword) + " appears more than once with different values; the last counts");
  }
  const card_value value = cards_.value(keyword);
  if (value.is_number()) return lenient_number{value.real, value.integer_literal};
  if (value.kind == value_kind::absent) return std::nullopt;
  if (value.kind == value_kind::undefined) {
    note(std::string(keyword) + " has no value; its default is used");
    return std::nullopt;
  }
  const std::optional<card_value> quoted = value.kind == value_kind::string ? parse_number(value.text) : std::nullopt;
  if (!quoted) fail(errc::header_invalid, std::string(keyword) + ": expected a number, found " + describe(value));
  note(std::string(keyword) + " = " + describe(value) + " is quoted; read as a number");
  return lenient_number{quoted->real, quoted->integer_literal};
}

}  // namespace cuphoton::xdr::fits
