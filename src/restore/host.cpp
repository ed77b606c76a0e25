// host.cpp: restore_run, the reference. A chunk of pixels stays in the first-level cache while the stages pass over it.
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/bytes.hpp"
#include "restore/dither_table.hpp"
#include "restore/epilogue.hpp"
#include "restore/host_loops.hpp"
#include "restore/restore.hpp"
#include "restore/stages.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::size_t chunk_pixels = 1024;  // at most 8 KiB a buffer

/// Elements first .. first + count as native bytes of the same width.
void load(const raw_tile& tile, std::size_t first, std::size_t count, std::uint8_t* native) {
  const std::size_t width = tile.element_bytes;
  switch (tile.layout) {
    case raw_layout::big_endian: return host_loops::swap(tile.raw + first * width, width, count, native);
    case raw_layout::big_endian_planes:
      return host_loops::unshuffle(tile.raw, width, static_cast<std::size_t>(tile.pixels), first, count, native);
    case raw_layout::native_int: std::memcpy(native, tile.raw + first * width, count * width);
  }
}

/// Calls f with the integer type that raw elements of `bytes` have: single bytes are unsigned, the others signed.
template <class F>
decltype(auto) visit_integer(std::uint8_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f(std::type_identity<std::uint8_t>{});
    case 2: return f(std::type_identity<std::int16_t>{});
    case 4: return f(std::type_identity<std::int32_t>{});
    default: return f(std::type_identity<std::int64_t>{});
  }
}

/// Stored integers of type Stored; false where one does not fit.
template <class Stored>
bool load_integers(const raw_tile& tile, std::size_t first, std::size_t count, std::uint8_t* stored) {
  if (tile.element_bytes == sizeof(Stored)) {
    load(tile, first, count, stored);
    return true;
  }
  alignas(64) std::array<std::uint8_t, chunk_pixels * 8> native;
  load(tile, first, count, native.data());
  return visit_integer(tile.element_bytes, [&]<class Raw>(std::type_identity<Raw>) {
    bool fits = true;
    for (std::size_t i = 0; i < count; ++i) {
      Stored value;
      fits &= stages::narrow(load_native<Raw>(native.data() + i * sizeof(Raw)), value);
      std::memcpy(stored + i * sizeof value, &value, sizeof value);
    }
    return fits;
  });
}

/// Lossless floats as the output type: bits unchanged where elements have its width, else converted.
void load_floats(const raw_tile& tile, std::size_t first, std::size_t count, pixel_type output, std::uint8_t* out) {
  if (tile.element_bytes == size_bytes(output)) return load(tile, first, count, out);
  alignas(64) std::array<std::uint8_t, chunk_pixels * 8> native;
  load(tile, first, count, native.data());
  const auto convert = [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<To>(load_native<From>(native.data() + i * sizeof(From)));
      std::memcpy(out + i * sizeof value, &value, sizeof value);
    }
  };
  if (output == pixel_type::f32) convert(std::type_identity<double>{}, std::type_identity<float>{});
  if (output == pixel_type::f64) convert(std::type_identity<float>{}, std::type_identity<double>{});
}

template <class Integer>
bool contains(const Integer* integers, std::size_t count, Integer wanted) {
  unsigned found = 0;
  for (std::size_t i = 0; i < count; ++i) found |= static_cast<unsigned>(integers[i] == wanted);
  return found != 0;
}

/// Gives `value` to the pixels whose integer is `code`. Reserved codes are rare: a chunk without one costs one look.
template <class Integer, class Float>
void mark(const Integer* integers, std::size_t count, std::int64_t code, Float value, Float* pixels) {
  if (!std::in_range<Integer>(code)) return;
  const auto wanted = static_cast<Integer>(code);
  if (!contains(integers, count, wanted)) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (integers[i] == wanted) pixels[i] = value;
  }
}

/// BSCALE and BZERO in the output type, as Astropy applies them.
template <class Float>
void scale_in_place(const pixel_recipe& recipe, std::size_t count, Float* pixels) {
  const auto scale = static_cast<Float>(recipe.scale);
  const auto zero = static_cast<Float>(recipe.zero);
  if (recipe.multiply) {
    for (std::size_t i = 0; i < count; ++i) pixels[i] = stages::multiply(pixels[i], scale);
  }
  if (recipe.add) {
    for (std::size_t i = 0; i < count; ++i) pixels[i] = stages::add(pixels[i], zero);
  }
}

/// One chunk of quantised pixels, `place` moving on by one number for each pixel.
template <class Float>
void restore_quantized(const pixel_recipe& recipe, const raw_tile& tile, std::size_t first, std::size_t count,
                       dither_position& place, restore_outcome& outcome, Float* out) {
  alignas(64) std::array<std::int32_t, chunk_pixels> q;
  load_integers<std::int32_t>(tile, first, count, reinterpret_cast<std::uint8_t*>(q.data()));
  if (recipe.dither == dither_method::none) {
    host_loops::dequantize(q.data(), count, tile.quant_scale, tile.quant_zero, out);
  } else {
    for (std::size_t done = 0; done < count;) {
      const std::size_t run = std::min(count - done, static_cast<std::size_t>(place.left()));
      host_loops::dequantize(q.data() + done, dither_table.data() + place.index, run, tile.quant_scale, tile.quant_zero,
                             out + done);
      place.index += static_cast<int>(run);
      if (place.left() == 0) place.next_segment(host_dither);
      done += run;
    }
  }
  if (recipe.dither == dither_method::subtractive_2) {
    mark(q.data(), count, stages::dither_zero_code, Float{0}, out);
    const bool is_null = recipe.has_null && tile.null_value == stages::dither_doubtful_code;
    outcome.doubtful_zero_code |= !is_null && contains(q.data(), count, stages::dither_doubtful_code);
  }
  // The null test comes first in the order of meaning, so it is written last: a code that is both is null.
  if (recipe.has_null) mark(q.data(), count, tile.null_value, stages::quiet_nan<Float>(), out);
  scale_in_place(recipe, count, out);
}

/// One chunk of integers that leave as floats: nulls, scale.
template <class Stored, class Float>
bool restore_scaled(const pixel_recipe& recipe, const raw_tile& tile, std::size_t first, std::size_t count,
                    Float* out) {
  alignas(64) std::array<Stored, chunk_pixels> stored;
  if (!load_integers<Stored>(tile, first, count, reinterpret_cast<std::uint8_t*>(stored.data()))) return false;
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Float>(stored[i]);
  scale_in_place(recipe, count, out);
  if (recipe.has_null) mark(stored.data(), count, tile.null_value, stages::quiet_nan<Float>(), out);
  return true;
}

/// One chunk; `out` holds `count` pixels of the output type, aligned for it.
void restore_chunk(const pixel_recipe& recipe, const raw_tile& tile, std::size_t first, std::size_t count,
                   dither_position& place, restore_outcome& outcome, std::uint8_t* out) {
  const pixel_type output = recipe.output_type;
  const auto as_float = reinterpret_cast<float*>(out);
  const auto as_double = reinterpret_cast<double*>(out);
  if (recipe.quantized) {
    if (output == pixel_type::f32) restore_quantized(recipe, tile, first, count, place, outcome, as_float);
    if (output == pixel_type::f64) restore_quantized(recipe, tile, first, count, place, outcome, as_double);
    return;
  }
  if (is_floating(recipe.stored_type)) {
    load_floats(tile, first, count, output, out);
    if (output == pixel_type::f32) scale_in_place(recipe, count, as_float);
    if (output == pixel_type::f64) scale_in_place(recipe, count, as_double);
    return;
  }
  const auto stored_bytes = static_cast<std::uint8_t>(size_bytes(recipe.stored_type));
  const bool fits = visit_integer(stored_bytes, [&]<class Stored>(std::type_identity<Stored>) {
    if (output == pixel_type::f32) return restore_scaled<Stored>(recipe, tile, first, count, as_float);
    if (output == pixel_type::f64) return restore_scaled<Stored>(recipe, tile, first, count, as_double);
    const bool all = load_integers<Stored>(tile, first, count, out);
    if (recipe.flip_sign) host_loops::flip_sign(sizeof(Stored), count, out);
    return all;
  });
  if (!fits) outcome.status = tile_status::out_of_range;
}

}  // namespace

tile_status check_element_width(const pixel_recipe& recipe, std::uint8_t element_bytes) noexcept {
  return element_width_fits(make_rule(recipe), element_bytes) ? tile_status::ok : tile_status::bad_data;
}

restore_outcome restore_run(const pixel_recipe& recipe, const raw_tile& tile, std::uint64_t first_pixel,
                            std::uint64_t count, std::uint8_t* out) noexcept {
  const auto width = static_cast<std::size_t>(size_bytes(recipe.output_type));
  dither_position place;
  if (recipe.quantized && recipe.dither != dither_method::none) {
    place = seek_dither(host_dither, recipe.dither_seed, tile.tile_index, first_pixel);
  }
  restore_outcome outcome;
  for (std::uint64_t done = 0; done < count;) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(count - done, chunk_pixels));
    restore_chunk(recipe, tile, static_cast<std::size_t>(first_pixel + done), step, place, outcome, out + done * width);
    done += step;
  }
  return outcome;
}

}  // namespace cuphoton::xdr
