// cards.hpp: the only text that knows the grammar of header cards (FITS 4.0 §4.1, §4.2). Bytes in, typed values out;
// which keywords matter and what they must hold is judged elsewhere. Any bytes are accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuphoton::xdr::fits {

/// Bytes of one card.
inline constexpr std::size_t card_bytes = 80;

/// `absent`: no such card. `undefined`: a card with nothing before the comment. `text`: a value that follows no rule
/// ("1.95E+00,"), a complex number, or a number outside the range of double.
enum class value_kind : std::uint8_t { absent, undefined, logical, integer, real, string, text };

/// The value of one card. Numbers of kind integer also set `real`.
struct card_value {
  value_kind kind = value_kind::absent;
  bool logical = false;
  bool integer_literal = false;  // a number written as digits only; one that passes int64 has kind real, nearest double
  std::int64_t integer = 0;
  double real = 0.0;
  std::string text;  // strings: between the quotes, '' undoubled, trailing blanks removed; others: as written

  bool is_number() const { return kind == value_kind::integer || kind == value_kind::real; }
};

/// Reads bytes 11 to 80 of a card (any length): free format, D exponents, strings without a closing quote.
/// Never returns `absent`.
card_value parse_value(std::string_view field);
/// Reads a number that fills `text` but for blanks around it; nothing where it is none.
std::optional<card_value> parse_number(std::string_view text);
/// Equal as values: 16 and 16.0 are, 'a' and 'a  ' are, 16 and '16' are not.
bool same_value(const card_value& a, const card_value& b);
/// For messages: the value as written, strings in quotes, other than printable ASCII as '?'; "no value", "no card".
std::string describe(const card_value& value);
/// `text` without blanks (and NULs, which some writers pad with) at both ends.
std::string_view trim(std::string_view text);
/// The bytes with everything outside printable ASCII replaced by '?', for messages.
std::string printable(std::string_view bytes);
/// The bytes of a card announce END, cleanly padded or not.
bool is_end_card(std::string_view card);

/// The cards of one header, END excluded. Keeps their text; finds values by keyword in logarithmic time. Commentary
/// (COMMENT, HISTORY, blank, CONTINUE, HIERARCH and every card without "= " in bytes 9 and 10) has text but no value.
/// Keywords are compared byte by byte, so lower case and illegal ones are kept but meet no keyword of the standard.
/// Building sorts once; a hash table could be made quadratic by a hostile header of 64 MiB.
class card_list {
 public:
  card_list() = default;
  /// `text` holds whole cards one after the other; a rest of less than 80 bytes is dropped.
  explicit card_list(std::string text);

  std::size_t size() const { return text_.size() / card_bytes; }
  /// The 80 bytes of card `index` < size().
  std::string_view card(std::size_t index) const;
  /// Bytes 1 to 8 of card `index` without trailing blanks.
  std::string_view keyword(std::size_t index) const;
  /// Value of card `index`; absent for commentary.
  card_value value_at(std::size_t index) const;

  /// Value of the last card with this keyword: of plain duplicates the last counts.
  card_value value(std::string_view keyword) const;
  /// Cards with this keyword and a value indicator.
  std::size_t count(std::string_view keyword) const;
  /// Number of the first card with this keyword and a value indicator.
  std::optional<std::size_t> first(std::string_view keyword) const;
  /// Values of all cards with this keyword, in file order.
  std::vector<card_value> values(std::string_view keyword) const;
  /// The keyword occurs more than once, and not always with the same value.
  bool conflicting(std::string_view keyword) const;

 private:
  struct entry {
    std::uint64_t keyword;  // its 8 bytes
    std::uint32_t index;
  };
  std::pair<const entry*, const entry*> range(std::string_view keyword) const;

  std::string text_;
  std::vector<entry> entries_;  // sorted by keyword, then index
};

}  // namespace cuphoton::xdr::fits
