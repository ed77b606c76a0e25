// inspect.cpp: the listing of a file, and the choice of one HDU by number or name.
#include "reader/select.hpp"

#include <algorithm>
#include <cctype>

#include <cuphoton/xdr/reader.hpp>

#include "plan/compressed.hpp"
#include "plan/recipe.hpp"

namespace cuphoton::xdr {
namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string quantization_of(const fits::image_hdu& image) {
  if (!is_quantized(image)) return "";
  switch (image.quantize) {
    case fits::quantize_method::subtractive_1: return "SUBTRACTIVE_DITHER_1";
    case fits::quantize_method::subtractive_2: return "SUBTRACTIVE_DITHER_2";
    default: return "NO_DITHER";
  }
}

hdu_info describe(const fits::hdu& unit) {
  hdu_info info;
  info.index = unit.index;
  info.kind = unit.kind;
  info.name = unit.name;
  info.version = unit.version;
  info.header_offset_bytes = unit.header_offset_bytes;
  info.data_offset_bytes = unit.data_offset_bytes;
  info.data_bytes = unit.data_bytes;
  info.problem = unit.problem;
  info.notes = unit.notes;
  for (std::size_t i = 0; i < unit.cards.size(); ++i) info.cards.emplace_back(unit.cards.card(i));
  if (!unit.image) return info;
  const fits::image_hdu& image = *unit.image;
  info.extents = image.extents;
  info.stored_type = image.stored_type;
  info.scaled_type = make_recipe(image, pixel_values::scaled, false).output_type;
  info.scale = image.scale;
  info.zero = image.zero;
  info.null_value = keyword_null(image);
  info.codec_name = image.codec_name;
  info.tile_shape = image.tile_shape;
  info.quantization = quantization_of(image);
  info.reasons = image.reasons;
  if (auto obstacle = codec_obstacle(image, unit.index)) info.reasons.push_back(std::move(*obstacle));
  return info;
}

bool has_pixels(const fits::hdu& unit) {
  if (unit.kind != hdu_kind::image && unit.kind != hdu_kind::compressed_image) return false;
  return unit.problem || (unit.image && pixel_count(unit.image->extents) > 0);
}

std::string listing(const fits::file_structure& file) {
  std::string text;
  for (const fits::hdu& unit : file.hdus) {
    if (unit.index == 20) return text + ", ...";  // a message, not a listing
    text += (text.empty() ? "" : ", ") + std::to_string(unit.index) + " " + std::string(name(unit.kind)) +
            (unit.name.empty() ? "" : " " + unit.name);
  }
  return text;
}

bool matches(const fits::hdu& unit, const hdu_selector& which) {
  if (which.index) return unit.index == *which.index;
  if (!which.name) return has_pixels(unit);
  if (which.version && unit.version != *which.version) return false;
  const std::string wanted = upper(*which.name);
  return wanted == "PRIMARY" ? unit.index == 0 : upper(unit.name) == wanted;
}

std::string absence_of(const hdu_selector& which) {
  if (which.index) return "there is no HDU " + std::to_string(*which.index);
  if (!which.name) return "there is no image with pixels";
  return "no HDU is named '" + *which.name + "'" + (which.version ? " version " + std::to_string(*which.version) : "");
}

/// An HDU was found, but has no pixels by its kind. The walk may have ended with it, so the list takes a new one.
[[noreturn]] void refuse(const byte_source& source, const fits::hdu& unit, const limits& caps) {
  const std::string text = "this HDU holds no image (" + std::string(name(unit.kind)) +
                           "), the file holds: " + listing(fits::scan(source, caps)) + "; choose one with an image";
  throw error(errc::unsupported, {source.name(), unit.index}, text, {{reason_code::not_an_image, unit.index, text}});
}

}  // namespace

std::string_view name(hdu_kind kind) noexcept {
  switch (kind) {
    case hdu_kind::empty: return "empty";
    case hdu_kind::image: return "image";
    case hdu_kind::compressed_image: return "compressed_image";
    case hdu_kind::random_groups: return "random_groups";
    case hdu_kind::binary_table: return "binary_table";
    case hdu_kind::ascii_table: return "ascii_table";
    case hdu_kind::other: break;
  }
  return "other";
}

file_info inspect(const byte_source& source, const limits& caps) {
  const fits::file_structure file = fits::scan(source, caps);
  file_info info;
  info.file = source.name();
  info.file_bytes = source.size_bytes();
  info.problem = file.problem;
  info.notes = file.notes;
  if (const outer_compression* outer = source.unpacked()) {
    info.outer = *outer;
    info.notes.insert(info.notes.end(), outer->notes.begin(), outer->notes.end());
  }
  for (const fits::hdu& unit : file.hdus) info.hdus.push_back(describe(unit));
  return info;
}

fits::hdu select_hdu(const byte_source& source, const hdu_selector& which, const limits& caps) {
  if (which.index && *which.index < 0) {
    throw error(errc::invalid_argument, {source.name()}, "HDU numbers start at 0");
  }
  fits::file_structure file = fits::scan(source, caps, which.index);
  for (fits::hdu& unit : file.hdus) {
    if (!matches(unit, which)) continue;
    if (!unit.image && !unit.problem) refuse(source, unit, caps);
    return std::move(unit);
  }
  if (file.problem) throw *file.problem;  // the HDU may lie behind the damage
  const char* cure = which.index || which.name ? "; choose one of these" : "; give a file that holds one";
  throw error(errc::hdu_not_found, {source.name()}, absence_of(which) + ", the file holds: " + listing(file) + cure);
}

}  // namespace cuphoton::xdr
