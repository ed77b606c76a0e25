// recipe.cpp: Astropy's rules for the type of scaled pixels, CFITSIO's for quantised ones.
#include "plan/recipe.hpp"

namespace cuphoton::xdr {
namespace {

/// The type that only moves the sign, where BSCALE = 1 and BZERO is the one value of the convention (FITS 4.0 §5.2.5).
std::optional<pixel_type> type_by_sign(const fits::image_hdu& image) {
  if (image.scale != 1.0) return std::nullopt;
  switch (image.stored_type) {
    // Astropy takes -128.0, written with a point, for an ordinary shift.
    case pixel_type::u8:
      return image.zero == -128.0 && image.zero_is_integer ? std::optional(pixel_type::i8) : std::nullopt;
    case pixel_type::i16: return image.zero == 0x1p15 ? std::optional(pixel_type::u16) : std::nullopt;
    case pixel_type::i32: return image.zero == 0x1p31 ? std::optional(pixel_type::u32) : std::nullopt;
    case pixel_type::i64: return image.zero == 0x1p63 ? std::optional(pixel_type::u64) : std::nullopt;
    default: return std::nullopt;
  }
}

/// float32 holds 8- and 16-bit integers exactly, so Astropy uses it for them and float64 above.
pixel_type float_for(pixel_type stored) {
  return size_bytes(stored) <= 2 || stored == pixel_type::f32 ? pixel_type::f32 : pixel_type::f64;
}

bool has_null(const fits::image_hdu& image) {
  return keyword_null(image).has_value() || (image.compressed && image.tiles.null_value.has_value());
}

void apply_scaling(const fits::image_hdu& image, pixel_recipe& recipe) {
  if (const auto type = type_by_sign(image)) {
    recipe.output_type = *type;
    recipe.flip_sign = true;
    return;
  }
  recipe.multiply = image.scale != 1.0;
  recipe.add = image.zero != 0.0;
  if (recipe.multiply) recipe.scale = image.scale;
  if (recipe.add) recipe.zero = image.zero;
  if (is_floating(image.stored_type)) return;
  recipe.has_null = has_null(image);
  if (recipe.multiply || recipe.add || recipe.has_null) recipe.output_type = float_for(image.stored_type);
}

}  // namespace

bool is_quantized(const fits::image_hdu& image) noexcept {
  return image.compressed && is_floating(image.stored_type) && image.tiles.quant_scale && image.tiles.quant_zero &&
         image.quantize != fits::quantize_method::none;
}

std::optional<std::int64_t> keyword_null(const fits::image_hdu& image) noexcept {
  // Of two that differ Astropy takes BLANK for integers (fits-semantics 8.2), every reader ZBLANK for quantised floats.
  if (image.blank && !is_floating(image.stored_type)) return image.blank;
  return image.zblank ? image.zblank : image.blank;
}

pixel_recipe make_recipe(const fits::image_hdu& image, pixel_values values, bool fallback) {
  pixel_recipe recipe;
  recipe.stored_type = image.stored_type;
  recipe.output_type = image.stored_type;
  if (!fallback && is_quantized(image)) {
    recipe.quantized = true;
    recipe.has_null = has_null(image);
    if (image.quantize == fits::quantize_method::subtractive_1) recipe.dither = dither_method::subtractive_1;
    if (image.quantize == fits::quantize_method::subtractive_2) recipe.dither = dither_method::subtractive_2;
    recipe.dither_seed = image.dither_seed;
  }
  // Fallback tiles hold the stored pixels themselves: another width there is damage (fits-semantics 3.1, 4.6).
  recipe.either_float = image.compressed && !fallback && !recipe.quantized && is_floating(image.stored_type);
  if (values == pixel_values::scaled) apply_scaling(image, recipe);
  if (recipe.has_null) recipe.null_value = keyword_null(image).value_or(0);
  return recipe;
}

}  // namespace cuphoton::xdr
