// peer_faults.cpp: known faults of CFITSIO (Debian's 4.2) as predicates. Each is as narrow as the plan allows: an entry
// that covers too much would hide faults of ours.
#include "cli/peer_faults.hpp"

#include <algorithm>
#include <string_view>

namespace cuphoton::xdr::cli {
namespace {

struct subject {
  const hdu_info& hdu;
  const image_plan& plan;

  bool compressed() const { return hdu.kind == hdu_kind::compressed_image; }
  bool scaled() const { return plan.scale != 1.0 || plan.zero != 0.0; }
  bool floating() const { return is_floating(plan.stored_type); }
  bool any_group(auto&& holds) const { return std::any_of(plan.groups.begin(), plan.groups.end(), holds); }
  bool quantized() const {
    return any_group([](const tile_group& group) { return group.recipe.quantized; });
  }
  /// Tiles that came from a fallback column, told by their codec or by not being quantised among quantised ones.
  bool fallback() const {
    return any_group([this](const tile_group& group) {
      return group.codec == codec_id::none || (quantized() && !group.recipe.quantized) ||
             (group.codec == codec_id::gzip_1 && plan.codec_name != "GZIP_1");
    });
  }
  bool has_column(std::string_view column) const {
    return std::any_of(hdu.cards.begin(), hdu.cards.end(), [column](const std::string& card) {
      return card.starts_with("TTYPE") && card.find(column) != std::string::npos;
    });
  }
  /// ZNAME1 exists and is not the parameter that CFITSIO takes ZVAL1 for.
  bool rice_parameters_moved() const {
    if (!plan.codec_name.starts_with("RICE")) return false;
    const auto card = std::find_if(hdu.cards.begin(), hdu.cards.end(),
                                   [](const std::string& text) { return text.starts_with("ZNAME1  "); });
    return card != hdu.cards.end() && card->find("BLOCKSIZE") == std::string::npos;
  }
  bool padding_missing() const {
    constexpr std::uint64_t block_bytes = 2880;
    const std::uint64_t end = hdu.data_offset_bytes + hdu.data_bytes;
    return (end + block_bytes - 1) / block_bytes * block_bytes > plan.file_bytes;
  }
  bool narrow_nulls() const {
    return any_group([](const tile_group& group) {
      return group.codec == codec_id::rice_1 && group.recipe.has_null && group.parameters.rice_pixel_bytes < 4;
    });
  }
};

struct entry {
  const char* key;
  const char* text;
  bool (*covers)(const subject&);
};

constexpr entry entries[] = {
    {"row 8", "BZERO is not applied to tiles that are not compressed and to fallback tiles",
     [](const subject& s) { return s.compressed() && s.scaled() && s.fallback(); }},
    {"row 14", "64-bit integers in tiles are not supported",
     [](const subject& s) { return s.compressed() && s.plan.stored_type == pixel_type::i64; }},
    {"row 15", "with both fallback columns it looks at UNCOMPRESSED_DATA only",
     [](const subject& s) {
       return s.compressed() && s.has_column("'UNCOMPRESSED_DATA'") && s.has_column("'GZIP_COMPRESSED_DATA'");
     }},
    {"row 24", "missing padding at the end of the file is refused",
     [](const subject& s) { return s.padding_missing(); }},
    {"row 28", "the null value is cut to the width of the tile's integers",
     [](const subject& s) { return s.quantized() && s.narrow_nulls(); }},
    {"section 4.6", "with a null value, fallback tiles lose infinities, subnormals and the sign of zero",
     [](const subject& s) { return s.quantized() && s.fallback(); }},
    {"section 4.7", "BSCALE and BZERO of compressed floats go into ZSCALE and ZZERO, not into fallback tiles",
     [](const subject& s) { return s.compressed() && s.floating() && s.scaled(); }},
    {"bug-cases B3", "RICE block size is taken from ZVAL1, whatever ZNAME1 says",
     [](const subject& s) { return s.compressed() && s.rice_parameters_moved(); }},
};

}  // namespace

std::optional<std::string> known_peer_fault(const hdu_info& hdu, const image_plan& plan) {
  const subject image{hdu, plan};
  for (const entry& known : entries) {
    if (known.covers(image)) return std::string("known fault ") + known.key + ": " + known.text;
  }
  return {};
}

}  // namespace cuphoton::xdr::cli
