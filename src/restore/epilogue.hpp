// epilogue.hpp: the stages of stages.hpp composed for one pixel, as the end of a kernel. The host's loops (host.cpp)
// pass the same stages over chunks; a test compares the two on a CPU, pixel by pixel.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <cuphoton/xdr/plan.hpp>

#include "base/hd.hpp"
#include "restore/stages.hpp"

namespace cuphoton::xdr {

/// What kind of stages run. `integer` delivers bits of an integer type, the others float or double.
enum class pixel_mode : std::uint8_t { integer, scaled, lossless, quantized };

/// A pixel_recipe in the form that kernels take.
struct pixel_rule {
  pixel_mode mode = pixel_mode::integer;
  dither_method dither = dither_method::none;
  bool multiply = false;
  bool add = false;
  bool flip_sign = false;
  bool has_null = false;
  std::uint8_t output_bytes = 1;
  std::uint8_t stored_bytes = 1;  // width of the stored type
  std::uint8_t widths = 15;       // sum of the element widths that can become pixels: 1, 2, 4, 8 (element_width_fits)
  std::uint32_t dither_seed = 1;
  std::int64_t lowest = 0;  // of the stored integer type
  std::int64_t highest = 0;
  double scale = 1.0;
  double zero = 0.0;
};
static_assert(std::is_trivially_copyable_v<pixel_rule>);

inline pixel_rule make_rule(const pixel_recipe& recipe) {
  pixel_rule rule;
  const bool floats = is_floating(recipe.stored_type);
  rule.mode = recipe.quantized                  ? pixel_mode::quantized
              : floats                          ? pixel_mode::lossless
              : is_floating(recipe.output_type) ? pixel_mode::scaled
                                                : pixel_mode::integer;
  rule.dither = recipe.dither;
  rule.multiply = recipe.multiply;
  rule.add = recipe.add;
  rule.flip_sign = recipe.flip_sign;
  rule.has_null = recipe.has_null;
  rule.output_bytes = static_cast<std::uint8_t>(size_bytes(recipe.output_type));
  rule.stored_bytes = static_cast<std::uint8_t>(size_bytes(recipe.stored_type));
  if (rule.mode == pixel_mode::quantized) rule.widths = 1 + 2 + 4;
  if (rule.mode == pixel_mode::lossless) rule.widths = recipe.either_float ? 4 + 8 : rule.stored_bytes;
  rule.dither_seed = recipe.dither_seed;
  rule.scale = recipe.scale;
  rule.zero = recipe.zero;
  switch (rule.stored_bytes) {
    case 1: rule.highest = std::numeric_limits<std::uint8_t>::max(); break;
    case 2:
      rule.lowest = std::numeric_limits<std::int16_t>::min();
      rule.highest = std::numeric_limits<std::int16_t>::max();
      break;
    case 4:
      rule.lowest = std::numeric_limits<std::int32_t>::min();
      rule.highest = std::numeric_limits<std::int32_t>::max();
      break;
    default:
      rule.lowest = std::numeric_limits<std::int64_t>::min();
      rule.highest = std::numeric_limits<std::int64_t>::max();
  }
  return rule;
}

/// The rule of a launch that decodes and leaves all else to launch_stages (separate.hpp): raw elements as integers, or
/// lossless floats, in places as wide as a pixel of the output. The checks of `rule` are made.
inline pixel_rule decode_stage(const pixel_rule& rule) {
  pixel_rule decode = rule;
  if (rule.mode != pixel_mode::lossless) decode.mode = pixel_mode::integer;
  decode.dither = dither_method::none;
  decode.multiply = decode.add = decode.flip_sign = decode.has_null = false;
  return decode;
}

/// What is one tile's own in the rule.
struct tile_rule {
  double quant_scale = 0.0;
  double quant_zero = 0.0;
  std::int64_t null_value = 0;
};

/// What pixels found, or-ed together.
enum pixel_findings : std::uint32_t {
  found_nothing = 0,
  found_out_of_range = 1,        // the tile's status becomes out_of_range
  found_doubtful_zero_code = 2,  // restore.hpp
  found_second_decoder = 4,      // a tile that was decoded by another decoder than the one asked for (nvcomp_core.hpp)
};

/// Whether elements of `element_bytes` can become pixels of the rule (restore.hpp says which).
XDR_HD inline bool element_width_fits(const pixel_rule& rule, std::uint32_t element_bytes) {
  const bool known = element_bytes == 1 || element_bytes == 2 || element_bytes == 4 || element_bytes == 8;
  return known && (rule.widths & element_bytes) != 0;
}

template <class Float>
XDR_HD Float apply_scale(const pixel_rule& rule, Float value) {
  if (rule.multiply) value = stages::multiply(value, static_cast<Float>(rule.scale));
  if (rule.add) value = stages::add(value, static_cast<Float>(rule.zero));
  return value;
}

/// One pixel. Raw: std::uint8_t, std::int16_t, std::int32_t or std::int64_t for integers and quantised data; for
/// lossless floats the float itself, of either width. Output: for pixel_mode::integer the unsigned type of the output's
/// width (its bits), else float or double. `dither` is the pixel's random number, looked at where the rule dithers.
template <pixel_mode Mode, class Output, class Raw>
XDR_HD Output restore_pixel(const pixel_rule& rule, const tile_rule& tile, Raw raw, float dither,
                            std::uint32_t& findings) {
  if constexpr (Mode == pixel_mode::lossless) {
    return apply_scale(rule, static_cast<Output>(raw));
  } else if constexpr (Mode == pixel_mode::quantized) {
    const auto q = static_cast<std::int32_t>(raw);
    double value = 0.0;
    if (rule.dither == dither_method::none) {
      value = stages::dequantize(q, tile.quant_scale, tile.quant_zero);
    } else {
      value = stages::dequantize_dithered(q, dither, tile.quant_scale, tile.quant_zero);
    }
    const bool is_null = rule.has_null && static_cast<std::int64_t>(q) == tile.null_value;
    auto result = static_cast<Output>(value);
    if (rule.dither == dither_method::subtractive_2) {
      if (q == stages::dither_zero_code) result = Output{0};
      if (q == stages::dither_doubtful_code && !is_null) findings |= found_doubtful_zero_code;
    }
    if (is_null) result = stages::quiet_nan<Output>();
    return apply_scale(rule, result);
  } else {
    const auto value = static_cast<std::int64_t>(raw);
    if (value < rule.lowest || value > rule.highest) findings |= found_out_of_range;
    if constexpr (Mode == pixel_mode::scaled) {
      const Output result = apply_scale(rule, static_cast<Output>(raw));
      return rule.has_null && value == tile.null_value ? stages::quiet_nan<Output>() : result;
    } else {
      const auto bits = static_cast<Output>(raw);
      return rule.flip_sign ? stages::flip_sign<Output>(bits) : bits;
    }
  }
}

/// Calls f.template operator()<Mode, Output>() with the pair that `rule` asks for: the list of kernels that exist.
template <class F>
decltype(auto) visit_rule(const pixel_rule& rule, F&& f) {
  const bool wide = rule.output_bytes == 8;
  switch (rule.mode) {
    case pixel_mode::scaled:
      return wide ? f.template operator()<pixel_mode::scaled, double>()
                  : f.template operator()<pixel_mode::scaled, float>();
    case pixel_mode::lossless:
      return wide ? f.template operator()<pixel_mode::lossless, double>()
                  : f.template operator()<pixel_mode::lossless, float>();
    case pixel_mode::quantized:
      return wide ? f.template operator()<pixel_mode::quantized, double>()
                  : f.template operator()<pixel_mode::quantized, float>();
    case pixel_mode::integer: break;
  }
  switch (rule.output_bytes) {
    case 1: return f.template operator()<pixel_mode::integer, std::uint8_t>();
    case 2: return f.template operator()<pixel_mode::integer, std::uint16_t>();
    case 4: return f.template operator()<pixel_mode::integer, std::uint32_t>();
    default: return f.template operator()<pixel_mode::integer, std::uint64_t>();
  }
}

}  // namespace cuphoton::xdr
