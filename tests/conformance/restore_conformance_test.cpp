// restore_run against a pixel-at-a-time reading of fits-semantics that shares no code with it, over every raw layout,
// element width and recipe, whole tiles and pieces that begin in the middle. Other engines join this comparison through
// restore_run.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "restore/dither_table.hpp"
#include "restore/epilogue.hpp"
#include "restore/restore.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::size_t pixels = 2600;  // more than two chunks, not a multiple of one

/// Raw bytes of n elements in one layout; values.at(i) are the integers (or float bits) meant.
std::vector<std::uint8_t> lay_out(const std::vector<std::uint64_t>& values, raw_layout layout, std::size_t width) {
  std::vector<std::uint8_t> raw(values.size() * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t byte = 0; byte < width; ++byte) {  // byte 0 is the most significant
      const auto part = static_cast<std::uint8_t>(values[i] >> (8 * (width - 1 - byte)));
      if (layout == raw_layout::big_endian) raw[i * width + byte] = part;
      if (layout == raw_layout::big_endian_planes) raw[byte * values.size() + i] = part;
      if (layout == raw_layout::native_int) raw[i * width + (width - 1 - byte)] = part;
    }
  }
  return raw;
}

std::int64_t as_integer(std::uint64_t bits, std::size_t width) {
  switch (width) {
    case 1: return static_cast<std::int64_t>(bits & 0xFF);
    case 2: return static_cast<std::int16_t>(bits);
    case 4: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
  }
}

template <class Float>
Float scaled(const pixel_recipe& recipe, Float value) {
  if (recipe.multiply) {
    const volatile Float product = value * static_cast<Float>(recipe.scale);
    value = product;
  }
  if (recipe.add) {
    const volatile Float sum = value + static_cast<Float>(recipe.zero);
    value = sum;
  }
  return value;
}

/// The pixel as bits of the output type, by the text of fits-semantics 1.5, 1.6, 4.3 to 4.7.
std::uint64_t expected(const pixel_recipe& recipe, const raw_tile& tile, std::uint64_t bits, std::size_t index) {
  const bool single = recipe.output_type == pixel_type::f32;
  const auto pack = [&](double wide) {
    return single ? std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(wide))}
                  : std::bit_cast<std::uint64_t>(wide);
  };
  const std::uint64_t nan = single ? 0x7FC00000ULL : 0x7FF8000000000000ULL;
  const std::int64_t x = as_integer(bits, tile.element_bytes);
  if (recipe.quantized) {
    if (recipe.has_null && x == tile.null_value) return nan;
    double value = 0;
    if (recipe.dither == dither_method::none) {
      const volatile double product = static_cast<double>(x) * tile.quant_scale;
      value = product + tile.quant_zero;
    } else if (!(recipe.dither == dither_method::subtractive_2 && x == -2147483646)) {
      const dither_position place = seek_dither(host_dither, recipe.dither_seed, tile.tile_index, index);
      const auto r = static_cast<double>(dither_table[static_cast<std::size_t>(place.index)]);
      const volatile double difference = static_cast<double>(x) - r;
      const volatile double centred = difference + 0.5;
      const volatile double product = centred * tile.quant_scale;
      value = product + tile.quant_zero;
    }
    return single ? pack(static_cast<double>(scaled(recipe, static_cast<float>(value)))) : pack(scaled(recipe, value));
  }
  if (recipe.stored_type == pixel_type::f32) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::bit_cast<std::uint32_t>(scaled(recipe, value));
  }
  if (recipe.stored_type == pixel_type::f64)
    return std::bit_cast<std::uint64_t>(scaled(recipe, std::bit_cast<double>(bits)));
  if (is_floating(recipe.output_type)) {
    if (recipe.has_null && x == tile.null_value) return nan;
    return single ? pack(static_cast<double>(scaled(recipe, static_cast<float>(x))))
                  : pack(scaled(recipe, static_cast<double>(x)));
  }
  const int width = 8 * size_bytes(recipe.output_type);
  std::uint64_t value = static_cast<std::uint64_t>(x) & (width == 64 ? ~0ULL : (1ULL << width) - 1);
  if (recipe.flip_sign) value ^= 1ULL << (width - 1);
  return value;
}

struct test_case {
  pixel_recipe recipe;
  std::size_t element_bytes;
};

std::vector<test_case> all_cases() {
  std::vector<test_case> cases;
  const auto add = [&](pixel_recipe recipe, std::size_t width) { cases.push_back({recipe, width}); };
  const pixel_type stored_integers[] = {pixel_type::u8, pixel_type::i16, pixel_type::i32, pixel_type::i64};
  const pixel_type flipped[] = {pixel_type::i8, pixel_type::u16, pixel_type::u32, pixel_type::u64};
  for (std::size_t s = 0; s < 4; ++s) {
    for (const std::size_t width : {1UL, 2UL, 4UL, 8UL}) {
      pixel_recipe recipe;
      recipe.stored_type = recipe.output_type = stored_integers[s];
      add(recipe, width);
      recipe.output_type = flipped[s];
      recipe.flip_sign = true;
      add(recipe, width);
      recipe.flip_sign = false;
      recipe.output_type = s < 2 ? pixel_type::f32 : pixel_type::f64;
      recipe.has_null = true;
      recipe.null_value = 7;
      add(recipe, width);
      recipe.multiply = recipe.add = true;
      recipe.scale = 0.1;
      recipe.zero = 3.3;
      add(recipe, width);
      recipe.has_null = recipe.multiply = false;
      add(recipe, width);
    }
  }
  for (const pixel_type type : {pixel_type::f32, pixel_type::f64}) {
    pixel_recipe lossless;
    lossless.stored_type = lossless.output_type = type;
    add(lossless, static_cast<std::size_t>(size_bytes(type)));
    lossless.multiply = lossless.add = true;
    lossless.scale = 2.5;
    lossless.zero = -0.7;
    add(lossless, static_cast<std::size_t>(size_bytes(type)));
    for (const dither_method dither :
         {dither_method::none, dither_method::subtractive_1, dither_method::subtractive_2}) {
      for (const bool null : {false, true}) {
        for (const std::size_t width : {1UL, 2UL, 4UL}) {
          pixel_recipe recipe;
          recipe.stored_type = recipe.output_type = type;
          recipe.quantized = true;
          recipe.dither = dither;
          recipe.dither_seed = 9998;
          recipe.has_null = null;
          recipe.null_value = width == 4 ? -2147483647 : 7;
          add(recipe, width);
          recipe.multiply = true;
          recipe.scale = 1.7;
          add(recipe, width);
        }
      }
    }
  }
  return cases;
}

/// Values that fit the stored type, with the reserved ones and special floats sprinkled in.
std::vector<std::uint64_t> make_values(const test_case& now, std::mt19937_64& random) {
  std::vector<std::uint64_t> values(pixels);
  const bool floats = is_floating(now.recipe.stored_type) && !now.recipe.quantized;
  const std::size_t narrowest =
      now.recipe.quantized ? now.element_bytes
                           : std::min(now.element_bytes, static_cast<std::size_t>(size_bytes(now.recipe.stored_type)));
  for (std::uint64_t& value : values) {
    value = random();
    if (!floats) value = static_cast<std::uint64_t>(as_integer(value, narrowest));
    // A two-byte pixel in a one-byte image must be 0..255, a wide one from a byte is that already.
    if (!now.recipe.quantized && now.recipe.stored_type == pixel_type::u8) value &= 0xFF;
    if (random() % 16 == 0) value = static_cast<std::uint64_t>(now.recipe.null_value) & (narrowest == 1 ? 0xFF : ~0ULL);
    if (now.recipe.quantized && now.element_bytes == 4) {
      if (random() % 16 == 0) value = static_cast<std::uint64_t>(-2147483646LL);
      // Powers of two: only where a sum crosses one does the order of subtraction and addition show.
      if (random() % 4 == 0)
        value = static_cast<std::uint64_t>((std::int64_t{1} << random() % 31) * (random() % 2 ? 1 : -1));
    }
  }
  if (floats) {  // quiet and signalling NaN, infinities, subnormal, -0.0
    const std::uint64_t special32[] = {0x7FC00123, 0x7F800001, 0x7F800000, 0xFF800000, 1, 0x80000000};
    const std::uint64_t special64[] = {
        0x7FF8000000000123, 0x7FF0000000000001, 0x7FF0000000000000, 0xFFF0000000000000, 1, 0x8000000000000000};
    for (std::size_t i = 0; i < 6; ++i) values[i * 7] = now.element_bytes == 4 ? special32[i] : special64[i];
  }
  return values;
}

bool same_bits(std::uint64_t got, std::uint64_t want, pixel_type type, bool computed) {
  if (got == want) return true;
  if (!computed || !is_floating(type)) return false;  // NaN payloads count where nothing was computed
  if (type == pixel_type::f32) {
    return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(got))) &&
           std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(want)));
  }
  return std::isnan(std::bit_cast<double>(got)) && std::isnan(std::bit_cast<double>(want));
}

/// The kernels' way: one pixel at a time through restore_pixel. Bits of the output type.
template <pixel_mode Mode, class Output, class Raw>
std::uint64_t by_epilogue(const pixel_rule& rule, const raw_tile& tile, std::size_t index, std::uint32_t& findings) {
  Raw raw = stages::load_native_at<Raw>(tile.raw, index);
  if (tile.layout == raw_layout::big_endian) raw = stages::load_big_endian<Raw>(tile.raw, index);
  if (tile.layout == raw_layout::big_endian_planes) {
    raw = stages::load_planes<Raw>(tile.raw, index, static_cast<std::size_t>(tile.pixels));
  }
  const dither_position place = seek_dither(host_dither, rule.dither_seed, tile.tile_index, index);
  const float number = dither_table[static_cast<std::size_t>(place.index)];
  const tile_rule own{tile.quant_scale, tile.quant_zero, tile.null_value};
  const Output pixel = restore_pixel<Mode, Output>(rule, own, raw, number, findings);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &pixel, sizeof pixel);
  return bits;
}

std::uint64_t by_epilogue(const pixel_rule& rule, const raw_tile& tile, std::size_t index, std::uint32_t& findings) {
  return visit_rule(rule, [&]<pixel_mode Mode, class Output>() {
    if constexpr (Mode == pixel_mode::lossless) {
      return by_epilogue<Mode, Output, Output>(rule, tile, index, findings);
    } else {
      switch (tile.element_bytes) {
        case 1: return by_epilogue<Mode, Output, std::uint8_t>(rule, tile, index, findings);
        case 2: return by_epilogue<Mode, Output, std::int16_t>(rule, tile, index, findings);
        case 4: return by_epilogue<Mode, Output, std::int32_t>(rule, tile, index, findings);
        default: return by_epilogue<Mode, Output, std::int64_t>(rule, tile, index, findings);
      }
    }
  });
}

void compare(const test_case& now, raw_layout layout, std::mt19937_64& random) {
  const std::vector<std::uint64_t> values = make_values(now, random);
  const std::vector<std::uint8_t> raw = lay_out(values, layout, now.element_bytes);
  raw_tile tile;
  tile.raw = raw.data();
  tile.pixels = pixels;
  tile.tile_index = 4;
  tile.quant_scale = 0.37;
  tile.quant_zero = 1234.5;
  tile.null_value = now.recipe.null_value;
  tile.layout = layout;
  tile.element_bytes = static_cast<std::uint8_t>(now.element_bytes);
  ASSERT_EQ(check_element_width(now.recipe, tile.element_bytes), tile_status::ok);
  const pixel_rule rule = make_rule(now.recipe);
  ASSERT_TRUE(element_width_fits(rule, tile.element_bytes));
  const auto width = static_cast<std::size_t>(size_bytes(now.recipe.output_type));
  const bool computed = now.recipe.quantized || now.recipe.multiply || now.recipe.add;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{1500}}) {
    const std::size_t count = pixels - first - (first == 0 ? 0 : 13);
    std::vector<double> aligned(pixels + 1);
    auto* const out = reinterpret_cast<std::uint8_t*>(aligned.data());
    std::memset(out, 0xA5, aligned.size() * sizeof(double));
    ASSERT_EQ(restore_run(now.recipe, tile, first, count, out).status, tile_status::ok);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t got = 0;
      std::memcpy(&got, out + i * width, width);
      const std::uint64_t want = expected(now.recipe, tile, values[first + i], first + i);
      std::uint32_t findings = found_nothing;
      ASSERT_EQ(by_epilogue(rule, tile, first + i, findings), got) << "host loops and epilogue differ";
      ASSERT_EQ(findings & found_out_of_range, 0U);
      ASSERT_TRUE(same_bits(got, want, now.recipe.output_type, computed))
          << "pixel " << first + i << " layout " << static_cast<int>(layout) << " width " << now.element_bytes
          << " stored " << name(now.recipe.stored_type) << " output " << name(now.recipe.output_type) << std::hex
          << " got " << got << " want " << want;
    }
    for (std::size_t i = 0; i < 8; ++i) ASSERT_EQ(out[count * width + i], 0xA5) << "written behind the run";
  }
}

TEST(restore_conformance, every_recipe_equals_the_reading_of_the_text) {
  std::mt19937_64 random(20261201);
  const std::vector<test_case> cases = all_cases();
  ASSERT_GE(cases.size(), 150U);
  for (const test_case& now : cases) {
    compare(now, raw_layout::big_endian, random);
    compare(now, raw_layout::big_endian_planes, random);
    if (now.recipe.quantized || !is_floating(now.recipe.stored_type)) compare(now, raw_layout::native_int, random);
  }
}

TEST(restore_conformance, integers_that_do_not_fit_are_reported) {
  pixel_recipe recipe;
  recipe.stored_type = recipe.output_type = pixel_type::i16;
  const std::int32_t raw[] = {1, 32768, 3};
  raw_tile tile;
  tile.raw = reinterpret_cast<const std::uint8_t*>(raw);
  tile.pixels = 3;
  tile.element_bytes = 4;
  std::int16_t out[3] = {};
  EXPECT_EQ(restore_run(recipe, tile, 0, 3, reinterpret_cast<std::uint8_t*>(out)).status, tile_status::out_of_range);
  EXPECT_EQ(restore_run(recipe, tile, 0, 1, reinterpret_cast<std::uint8_t*>(out)).status, tile_status::ok);
  std::uint32_t findings = found_nothing;
  by_epilogue(make_rule(recipe), tile, 0, findings);
  EXPECT_EQ(findings, found_nothing);
  by_epilogue(make_rule(recipe), tile, 1, findings);
  EXPECT_EQ(findings, found_out_of_range);
}

TEST(restore_conformance, widths_that_cannot_be_pixels_are_refused) {
  pixel_recipe recipe;
  recipe.stored_type = recipe.output_type = pixel_type::f64;
  EXPECT_EQ(check_element_width(recipe, 4), tile_status::bad_data);  // crashes CFITSIO, accepted by Astropy
  EXPECT_EQ(check_element_width(recipe, 8), tile_status::ok);
  recipe.either_float = true;
  EXPECT_EQ(check_element_width(recipe, 4), tile_status::ok);
  EXPECT_EQ(check_element_width(recipe, 2), tile_status::bad_data);
  recipe.either_float = false;
  recipe.quantized = true;
  EXPECT_EQ(check_element_width(recipe, 8), tile_status::bad_data);
  EXPECT_EQ(check_element_width(recipe, 4), tile_status::ok);
  recipe = {};
  EXPECT_EQ(check_element_width(recipe, 3), tile_status::bad_data);
  // 1, 2, 4, 8 for integers; not 8 for quantised data; the stored width alone for lossless floats. Host and kernels ask
  // alike.
  for (const test_case& now : all_cases()) {
    for (std::uint8_t width = 0; width < 10; ++width) {
      bool wanted = width == 1 || width == 2 || width == 4 || width == 8;
      if (now.recipe.quantized) wanted = wanted && width != 8;
      if (!now.recipe.quantized && is_floating(now.recipe.stored_type))
        wanted = width == size_bytes(now.recipe.stored_type);
      EXPECT_EQ(element_width_fits(make_rule(now.recipe), width), wanted);
      EXPECT_EQ(check_element_width(now.recipe, width) == tile_status::ok, wanted);
    }
  }
}

TEST(restore_conformance, lossless_floats_of_the_other_width_are_converted) {
  const auto check = [](auto from, auto to, pixel_type type) {
    using raw_type = decltype(from);
    using output_type = decltype(to);
    const raw_type values[] = {raw_type(0),
                               raw_type(-0.0),
                               raw_type(1.1),
                               raw_type(1e300),
                               raw_type(-3.4028235e38),
                               raw_type(1e-320),
                               std::numeric_limits<raw_type>::infinity(),
                               raw_type(0.1)};
    constexpr std::size_t count = std::size(values);
    std::vector<std::uint8_t> raw;
    raw.resize(sizeof values);
    std::memcpy(raw.data(), values, sizeof values);
    pixel_recipe recipe;
    recipe.stored_type = recipe.output_type = type;
    recipe.either_float = true;
    recipe.add = true;
    recipe.zero = 0.25;
    raw_tile tile;
    tile.raw = raw.data();
    tile.pixels = count;
    tile.layout = raw_layout::native_int;
    tile.element_bytes = sizeof(raw_type);
    output_type out[count] = {};
    ASSERT_EQ(restore_run(recipe, tile, 0, count, reinterpret_cast<std::uint8_t*>(out)).status, tile_status::ok);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(out[i], static_cast<output_type>(values[i]) + output_type(0.25)) << i;
      std::uint32_t findings = found_nothing;
      const auto pixel =
          restore_pixel<pixel_mode::lossless, output_type>(make_rule(recipe), {}, values[i], 0, findings);
      EXPECT_EQ(pixel, out[i]) << i;
    }
  };
  check(double{}, float{}, pixel_type::f32);
  check(float{}, double{}, pixel_type::f64);
}

TEST(restore_conformance, the_doubtful_zero_code_is_told) {
  pixel_recipe recipe;
  recipe.stored_type = recipe.output_type = pixel_type::f32;
  recipe.quantized = true;
  recipe.dither = dither_method::subtractive_2;
  const std::int32_t raw[] = {5, -2147483647};
  raw_tile tile;
  tile.raw = reinterpret_cast<const std::uint8_t*>(raw);
  tile.pixels = 2;
  tile.element_bytes = 4;
  tile.quant_scale = 1;
  float out[2] = {};
  EXPECT_TRUE(restore_run(recipe, tile, 0, 2, reinterpret_cast<std::uint8_t*>(out)).doubtful_zero_code);
  EXPECT_LT(out[1], -2e9F);
  std::uint32_t findings = found_nothing;
  by_epilogue(make_rule(recipe), tile, 1, findings);
  EXPECT_EQ(findings, found_doubtful_zero_code);
  recipe.has_null = true;
  tile.null_value = -2147483647;
  EXPECT_FALSE(restore_run(recipe, tile, 0, 2, reinterpret_cast<std::uint8_t*>(out)).doubtful_zero_code);
  EXPECT_TRUE(std::isnan(out[1]));
}

}  // namespace
}  // namespace cuphoton::xdr
