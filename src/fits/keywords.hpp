// keywords.hpp: typed access to the cards that decide, with one wording for what is wrong with them. Used by the files
// that judge a header; knows types and ranges of values, not what keywords mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "fits/cards.hpp"

namespace cuphoton::xdr::fits {

/// A number as BSCALE and BZERO accept it.
struct lenient_number {
  double value = 0.0;
  bool integer_literal = false;
};

/// View on the cards of one HDU. `cards` and `notes` belong to the caller and must outlive it.
class keywords {
 public:
  keywords(const card_list& cards, where place, std::vector<std::string>& notes)
      : cards_(cards), place_(std::move(place)), notes_(notes) {}

  const card_list& cards() const { return cards_; }
  const where& place() const { return place_; }
  void note(std::string text) const { notes_.push_back(std::move(text)); }
  /// Says what to do where `message` does not: a fault that the header shows is looked at there.
  [[noreturn]] void fail(errc code, std::string message) const;

  /// The integer, or nothing where the card is absent or holds no value. Throws header_invalid for another type and for
  /// duplicates that differ.
  std::optional<std::int64_t> integer(std::string_view keyword) const;
  /// As `integer`, but the card must exist and lowest <= value <= highest.
  std::int64_t required_integer(std::string_view keyword, std::int64_t lowest, std::int64_t highest) const;
  /// The string, trimmed, or nothing where the card is absent or holds no value. Throws like `integer`.
  std::optional<std::string> string(std::string_view keyword) const;
  /// The card exists and says T or F. Throws for duplicates that differ.
  bool is_logical(std::string_view keyword) const;
  /// The card exists and says T. Throws for duplicates that differ.
  bool is_true(std::string_view keyword) const;
  /// A number in any FITS form, also in quotes; of several cards the last. Both oddities are noted. Throws
  /// header_invalid where it is no number.
  std::optional<lenient_number> lenient(std::string_view keyword) const;
  /// Throws header_invalid where duplicates of `keyword` differ.
  void expect_no_conflict(std::string_view keyword) const;

 private:
  const card_list& cards_;
  where place_;
  std::vector<std::string>& notes_;
};

/// "NAXIS" and 2 give "NAXIS2".
std::string numbered(std::string_view stem, std::int64_t number);

}  // namespace cuphoton::xdr::fits
