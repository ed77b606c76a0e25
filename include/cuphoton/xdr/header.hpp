// header.hpp: header cards as typed values, for programs that show a header or build a WCS from it. Any bytes are
// accepted; which keywords decide pixels is judged elsewhere and never from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// `commentary`: COMMENT, HISTORY, blank and every card without "= " in bytes 9 and 10. `undefined`: nothing before the
/// comment. `text`: a value that follows no rule ("1 2 3"), or a number outside the range of double.
enum class card_kind : std::uint8_t { commentary, undefined, logical, integer, real, complex, string, text };
std::string_view name(card_kind kind) noexcept;

/// One value of a header, with all cards that hold it.
struct header_card {
  std::string keyword;  // bytes 1 to 8 without trailing blanks; after HIERARCH the words before '='; case as written
  card_kind kind = card_kind::commentary;
  bool logical = false;
  bool fits_int64 = false;   // an integer that `integer` holds; of longer ones `text` has the digits
  std::int64_t integer = 0;  // kind integer
  double real = 0.0;         // kinds real, integer (the nearest) and complex
  double imaginary = 0.0;    // kind complex
  std::string text;          // strings: without quotes, CONTINUE joined; commentary: bytes 9 to 80; others: as written
  std::string comment;       // behind the slash, of CONTINUE cards joined by a blank; without blanks around it
  std::size_t first_card = 0;  // its place among the cards that were given
  std::size_t card_count = 1;  // with its CONTINUE cards
};

/// The value of one card of any length up to 80 bytes. A CONTINUE card by itself is commentary.
header_card parse_header_card(std::string_view card);
/// The values of a header, in order. A string that ends in '&' is joined with the CONTINUE card behind it.
std::vector<header_card> parse_header(std::span<const std::string> cards);
/// The header of the image inside a tile-compressed HDU (FITS 4.0 §10.1.1), from the cards of its table: structure from
/// the Z keywords, without the keywords of table and compression. The cards of other HDUs come back as they are.
std::vector<std::string> image_header(std::span<const std::string> cards);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
