// image_header.cpp: the header of the image that a compressed HDU stands for. Cards keep their bytes but for the
// keyword, so values and comments are those that the writer was given.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <cuphoton/xdr/header.hpp>

#include "fits/cards.hpp"

namespace cuphoton::xdr {
namespace {

using fits::card_bytes;

/// FITS 4.0 §10.1.1 and §10.1.2: where the table header keeps a keyword of the image.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> renamed{
    {{"ZEXTEND", "EXTEND"}, {"ZBLOCKED", "BLOCKED"}, {"ZHECKSUM", "CHECKSUM"}, {"ZDATASUM", "DATASUM"}}};
/// Structure of either header, written anew; sums of the table; keywords of the compression.
constexpr std::array<std::string_view, 26> dropped{
    "SIMPLE", "XTENSION", "BITPIX",   "NAXIS",    "EXTEND",   "PCOUNT",  "GCOUNT", "GROUPS",  "TFIELDS",
    "THEAP",  "CHECKSUM", "DATASUM",  "ZSIMPLE",  "ZTENSION", "ZBITPIX", "ZNAXIS", "ZPCOUNT", "ZGCOUNT",
    "ZIMAGE", "ZCMPTYPE", "ZMASKCMP", "ZQUANTIZ", "ZDITHER0", "ZBLANK",  "ZSCALE", "ZZERO"};
constexpr std::array<std::string_view, 20> dropped_stems{"NAXIS", "ZNAXIS", "ZTILE", "ZNAME", "ZVAL",  "TTYPE", "TFORM",
                                                         "TUNIT", "TNULL",  "TSCAL", "TZERO", "TDISP", "TBCOL", "TDIM",
                                                         "TCTYP", "TCUNI",  "TCRPX", "TCRVL", "TCDLT", "TRPOS"};

bool is_numbered(std::string_view keyword, std::string_view stem) {
  return keyword.size() > stem.size() && keyword.starts_with(stem) && keyword[stem.size()] != '0' &&
         keyword.find_first_not_of("0123456789", stem.size()) == std::string_view::npos;
}

bool is_dropped(std::string_view keyword) {
  return std::find(dropped.begin(), dropped.end(), keyword) != dropped.end() ||
         std::any_of(dropped_stems.begin(), dropped_stems.end(),
                     [keyword](std::string_view stem) { return is_numbered(keyword, stem); });
}

std::string with_keyword(std::string card, std::string_view keyword) {
  card.resize(card_bytes, ' ');
  std::string name(keyword);
  name.resize(8, ' ');
  return card.replace(0, 8, name);
}

std::string made_card(std::string_view keyword, std::string value) {
  if (value.front() != '\'') value.insert(0, 20 - std::min<std::size_t>(value.size(), 20), ' ');
  return with_keyword("        = " + value, keyword);
}

class table_cards {
 public:
  explicit table_cards(std::span<const std::string> cards) : values_(parse_header(cards)), cards_(cards) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].kind != card_kind::commentary) last_[values_[i].keyword] = i;  // of duplicates the last counts
    }
  }
  const std::vector<header_card>& values() const { return values_; }
  const header_card* find(std::string_view keyword) const {
    const auto found = last_.find(keyword);
    return found == last_.end() ? nullptr : &values_[found->second];
  }
  /// The card of `keyword` under another name.
  std::optional<std::string> renamed_card(std::string_view keyword, std::string_view other) const {
    const header_card* const value = find(keyword);
    if (value == nullptr) return std::nullopt;
    return with_keyword(cards_[value->first_card], other);
  }
  std::int64_t integer(std::string_view keyword) const {
    const header_card* const value = find(keyword);
    return value != nullptr && value->fits_int64 ? value->integer : 0;
  }

 private:
  std::vector<header_card> values_;
  std::span<const std::string> cards_;
  std::map<std::string, std::size_t, std::less<>> last_;
};

void add_structure(const table_cards& table, std::vector<std::string>& image) {
  const auto simple = table.renamed_card("ZSIMPLE", "SIMPLE");
  const header_card* const kind = table.find("ZTENSION");
  if (simple) {
    image.push_back(*simple);
  } else if (kind != nullptr && kind->text == "IMAGE") {
    image.push_back(table.renamed_card("ZTENSION", "XTENSION").value());
  } else {
    image.push_back(made_card("XTENSION", "'IMAGE   '           / IMAGE extension"));
  }
  const auto add = [&](std::string_view from, std::string_view to, const char* otherwise) {
    image.push_back(table.renamed_card(from, to).value_or(made_card(to, otherwise)));
  };
  add("ZBITPIX", "BITPIX", "8");
  add("ZNAXIS", "NAXIS", "0");
  const std::int64_t axes = std::min<std::int64_t>(table.integer("ZNAXIS"), 999);
  for (std::int64_t n = 1; n <= axes; ++n) {
    const std::string number = std::to_string(n);
    add("ZNAXIS" + number, "NAXIS" + number, "0");
  }
  if (simple) return;
  add("ZPCOUNT", "PCOUNT", "0");
  add("ZGCOUNT", "GCOUNT", "1");
}

// The name that writers give a table for want of a better one belongs to no image.
bool is_default_name(const header_card& value) {
  return value.keyword == "EXTNAME" && value.kind == card_kind::string && value.text == "COMPRESSED_IMAGE";
}

}  // namespace

std::vector<std::string> image_header(std::span<const std::string> cards) {
  const table_cards table(cards);
  const header_card* const marked = table.find("ZIMAGE");
  if (marked == nullptr || marked->kind != card_kind::logical || !marked->logical) return {cards.begin(), cards.end()};
  std::vector<std::string> image;
  add_structure(table, image);
  for (const header_card& value : table.values()) {
    const auto first = cards.begin() + static_cast<std::ptrdiff_t>(value.first_card);
    if (value.kind != card_kind::commentary) {
      const auto* const other =
          std::find_if(renamed.begin(), renamed.end(), [&](const auto& pair) { return pair.first == value.keyword; });
      if (other != renamed.end()) {
        image.push_back(with_keyword(*first, other->second));
        continue;
      }
      if (is_dropped(value.keyword) || is_default_name(value)) continue;
    }
    image.insert(image.end(), first, first + static_cast<std::ptrdiff_t>(value.card_count));
  }
  // BLANK of integer images may be written as ZBLANK (§10.1.2, §10.2.3); floating-point images have none.
  const header_card* const bitpix = table.find("ZBITPIX");
  if (bitpix != nullptr && bitpix->integer > 0 && table.find("BLANK") == nullptr) {
    if (const auto blank = table.renamed_card("ZBLANK", "BLANK")) image.push_back(*blank);
  }
  return image;
}

}  // namespace cuphoton::xdr
