// compressed_hdu.cpp: the Z keywords of a tile-compressed image (FITS 4.0 §10.1), by fits-semantics 2, 4.1 and 6.
// Damage is thrown; what is legal but decoded by nothing here becomes a reason.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/checked.hpp"
#include "fits/image_hdu.hpp"
#include "fits/tile_table.hpp"

namespace cuphoton::xdr::fits {
namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t max_axes = 999;
constexpr std::int64_t max_parameters = 999;  // ZNAME999 fills the eight bytes of a keyword
constexpr std::int64_t max_tile_pixels = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t max_rice_block_pixels = 1 << 15;
constexpr std::int64_t dither_seeds = 10000;  // FITS 4.0 §10.2.1

enum class codec_family { rice, hcompress, plio, other };

codec_family family_of(std::string_view codec_name) {
  if (codec_name == "RICE_1" || codec_name == "RICE_ONE") return codec_family::rice;
  if (codec_name == "HCOMPRESS_1") return codec_family::hcompress;
  if (codec_name == "PLIO_1") return codec_family::plio;
  return codec_family::other;
}

// Streams of bytes but for PLIO's words; a codec that is not known here may have its own.
std::string_view elements_of(std::string_view codec_name) {
  if (codec_name == "PLIO_1") return "I";
  const bool bytes = family_of(codec_name) != codec_family::other || codec_name == "GZIP_1" || codec_name == "GZIP_2";
  return bytes ? "B" : "BIJKED";
}

void add_reason(const keywords& header, image_hdu& image, reason_code code, std::string detail) {
  image.reasons.push_back({code, header.place().hdu, std::move(detail)});
}

// ZTILEn, by default full rows (§10.1.2), clipped to the image. An axis of length 0 keeps a tile extent of 1, so that
// nothing divides by zero.
void judge_tile_shape(const keywords& header, image_hdu& image) {
  const int rank = image.extents.rank;
  image.tile_shape.rank = rank;
  std::int64_t tile_pixels = 1;
  for (int n = 1; n <= rank; ++n) {
    const std::int64_t axis = std::max<std::int64_t>(image.extents[rank - n], 1);
    const std::string keyword = numbered("ZTILE", n);
    std::int64_t tile = n == 1 ? axis : 1;
    if (header.integer(keyword)) tile = header.required_integer(keyword, 1, int64_max);
    tile = std::min(tile, axis);
    image.tile_shape[rank - n] = tile;
    const auto product = checked_multiply(tile_pixels, tile);
    if (!product || *product > max_tile_pixels) {
      header.fail(errc::unsupported, "ZTILEn give tiles of 2^31 pixels or more; compress the image with smaller tiles");
    }
    tile_pixels = *product;
  }
}

// Rows that the table must have; nothing for an image without pixels. Below 2^63: at most one tile for each pixel.
std::optional<std::uint64_t> count_tiles(const image_hdu& image) {
  std::uint64_t count = 1;
  for (int axis = 0; axis < image.extents.rank; ++axis) {
    if (image.extents[axis] == 0) return std::nullopt;
    count *= static_cast<std::uint64_t>(divide_up(image.extents[axis], image.tile_shape[axis]));
  }
  return count;
}

// Value of the parameter `wanted` among ZNAMEi/ZVALi, looked up by name in any case up to the first gap; never by
// position.
std::optional<std::int64_t> codec_parameter(const keywords& header, std::string_view wanted) {
  std::optional<std::int64_t> found;
  for (std::int64_t i = 1; i <= max_parameters; ++i) {
    const std::optional<std::string> parameter = header.string(numbered("ZNAME", i));
    if (!parameter) break;
    const bool matches = std::equal(parameter->begin(), parameter->end(), wanted.begin(), wanted.end(),
                                    [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b; });
    if (!matches) continue;
    const std::string keyword = numbered("ZVAL", i);
    // Astropy writes SMOOTH as T or F where its argument is a bool.
    const std::int64_t value =
        header.is_logical(keyword)
            ? static_cast<std::int64_t>(header.is_true(keyword))
            : header.required_integer(keyword, std::numeric_limits<std::int64_t>::min(), int64_max);
    if (found && *found != value) {
      header.fail(errc::header_invalid, "ZNAMEi give " + std::string(wanted) + " twice, as " + std::to_string(*found) +
                                            " and as " + std::to_string(value));
    }
    found = value;
  }
  return found;
}

void judge_rice(const keywords& header, image_hdu& image) {
  const std::int64_t block = codec_parameter(header, "BLOCKSIZE").value_or(32);
  if (block < 1 || block > max_rice_block_pixels) {
    header.fail(errc::header_invalid, "BLOCKSIZE (ZVALi): expected 1 to " + std::to_string(max_rice_block_pixels) +
                                          ", found " + std::to_string(block));
  }
  image.rice_block_pixels = static_cast<std::uint32_t>(block);
  const std::int64_t width = codec_parameter(header, "BYTEPIX").value_or(4);
  if (width == 1 || width == 2 || width == 4) {
    image.rice_pixel_bytes = static_cast<std::uint32_t>(width);
  } else {
    add_reason(header, image, reason_code::pixel_width_unsupported,
               image.codec_name + " with BYTEPIX = " + std::to_string(width) + "; 1, 2 and 4 are supported");
  }
}

void judge_codec(const keywords& header, image_hdu& image) {
  const codec_family family = family_of(image.codec_name);
  if (family == codec_family::rice) judge_rice(header, image);
  // SCALE is not looked at: the one that counts is in the stream.
  if (family == codec_family::hcompress) image.hcompress_smooth = codec_parameter(header, "SMOOTH").value_or(0) != 0;
  if (image.stored_type == pixel_type::i64 && (family == codec_family::rice || family == codec_family::hcompress)) {
    add_reason(header, image, reason_code::pixel_width_unsupported,
               image.codec_name + " with ZBITPIX = 64: the codec is not defined for 64-bit integers");
  }
}

quantize_method parse_quantize_method(const keywords& header) {
  const std::optional<std::string> method = header.string("ZQUANTIZ");
  if (!method) return quantize_method::absent;
  constexpr std::array<std::pair<std::string_view, quantize_method>, 4> methods{
      {{"NONE", quantize_method::none},
       {"NO_DITHER", quantize_method::no_dither},
       {"SUBTRACTIVE_DITHER_1", quantize_method::subtractive_1},
       {"SUBTRACTIVE_DITHER_2", quantize_method::subtractive_2}}};
  for (const auto& [text, value] : methods) {
    if (*method == text) return value;
  }
  header.fail(errc::header_invalid,
              "ZQUANTIZ: expected NONE, NO_DITHER, SUBTRACTIVE_DITHER_1 or SUBTRACTIVE_DITHER_2, found '" +
                  printable(*method) + "'");
}

// Seeds above 10000 act modulo 10000 (fits-semantics 2.2).
std::uint32_t judge_dither_seed(const keywords& header) {
  const std::int64_t seed = header.integer("ZDITHER0").value_or(1);
  if (seed < 1) header.fail(errc::header_invalid, "ZDITHER0: expected 1 to 10000, found " + std::to_string(seed));
  return static_cast<std::uint32_t>((seed - 1) % dither_seeds + 1);
}

void judge_unquantized_floats(const keywords& header, image_hdu& image) {
  for (const char* keyword : {"ZSCALE", "ZZERO"}) {
    if (header.cards().count(keyword) == 0) continue;
    add_reason(
        header, image, reason_code::quantization_unsupported,
        std::string(keyword) + " is a keyword, not a column: quantized images need both columns ZSCALE and ZZERO");
    return;
  }
  if (family_of(image.codec_name) != codec_family::other) {
    add_reason(header, image, reason_code::quantization_unsupported,
               image.codec_name +
                   " codes integers, but the image is floating-point (ZBITPIX < 0) and the columns "
                   "ZSCALE and ZZERO, which would say how it was quantized, are missing");
  }
}

// fits-semantics 4.1: the columns decide; without them ZQUANTIZ and ZDITHER0 mean nothing.
void judge_quantization(const keywords& header, image_hdu& image) {
  for (const char* keyword : {"ZQUANTIZ", "ZDITHER0"}) header.expect_no_conflict(keyword);
  const bool has_scale = image.tiles.quant_scale.has_value();
  const bool has_zero = image.tiles.quant_zero.has_value();
  if (!is_floating(image.stored_type)) {
    if (has_scale || has_zero) header.note("columns ZSCALE and ZZERO are ignored: the image is not floating-point");
    image.tiles.quant_scale.reset();
    image.tiles.quant_zero.reset();
    return;
  }
  if (!has_scale && !has_zero) return judge_unquantized_floats(header, image);
  if (has_scale != has_zero) {
    return add_reason(header, image, reason_code::quantization_unsupported,
                      std::string("column ") + (has_scale ? "ZZERO" : "ZSCALE") +
                          " is missing: quantized images need both ZSCALE and ZZERO");
  }
  image.quantize = parse_quantize_method(header);
  if (image.quantize == quantize_method::none) {
    add_reason(header, image, reason_code::quantization_unsupported,
               "ZQUANTIZ = NONE contradicts the columns ZSCALE and ZZERO of a quantized image");
  }
  if (image.quantize == quantize_method::subtractive_1 || image.quantize == quantize_method::subtractive_2) {
    image.dither_seed = judge_dither_seed(header);
  }
}

}  // namespace

image_hdu describe_compressed(const keywords& header, const structure& size, std::uint64_t data_offset_bytes) {
  image_hdu image;
  image.compressed = true;
  const std::optional<std::string> codec = header.string("ZCMPTYPE");
  if (!codec || codec->empty()) {
    header.fail(errc::header_invalid,
                "ZCMPTYPE: expected the name of a codec, found " + describe(header.cards().value("ZCMPTYPE")));
  }
  image.codec_name = *codec;
  const int bitpix = judge_bitpix(header, "ZBITPIX");
  image.stored_type = type_of_bitpix(bitpix);
  const std::vector<std::int64_t> axes = judge_axes(header, "ZNAXIS", header.required_integer("ZNAXIS", 0, max_axes));
  array_bytes(header, axes, bitpix, "ZNAXISn");
  image.extents = reversed(header, axes, image.reasons);
  if (axes.empty()) {
    add_reason(header, image, reason_code::rank_unsupported, "ZNAXIS = 0: a compressed image needs at least one axis");
  }
  judge_scaling(header, image, is_floating(image.stored_type));
  image.zblank = header.integer("ZBLANK");
  judge_codec(header, image);
  if (image.extents.rank == 0) return image;  // without axes there are no tiles to speak of
  judge_tile_shape(header, image);
  image.tiles = judge_tile_table(header, size, data_offset_bytes, count_tiles(image), elements_of(image.codec_name));
  judge_quantization(header, image);
  return image;
}

}  // namespace cuphoton::xdr::fits
