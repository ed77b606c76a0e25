// Every row of fits-semantics 1.5 and 1.6, and what quantised images add.
#include "plan/recipe.hpp"

#include <gtest/gtest.h>

namespace cuphoton::xdr {
namespace {

fits::image_hdu plain(pixel_type stored, double scale, double zero, bool integer = true) {
  fits::image_hdu image;
  image.stored_type = stored;
  image.scale = scale;
  image.zero = zero;
  image.zero_is_integer = integer;
  return image;
}

struct type_case {
  fits::image_hdu image;
  pixel_type output;
  bool flip_sign;
};

TEST(recipe, output_types_of_scaled_pixels) {
  const type_case cases[] = {
      {plain(pixel_type::u8, 1, 0), pixel_type::u8, false},
      {plain(pixel_type::u8, 1, -128), pixel_type::i8, true},
      {plain(pixel_type::u8, 1, -128, false), pixel_type::f32, false},  // written -128.0
      {plain(pixel_type::u8, 2, -128), pixel_type::f32, false},
      {plain(pixel_type::i16, 1, 0), pixel_type::i16, false},
      {plain(pixel_type::i16, 1, 32768, false), pixel_type::u16, true},
      {plain(pixel_type::i16, 1, 32767), pixel_type::f32, false},
      {plain(pixel_type::i32, 1, 2147483648.0), pixel_type::u32, true},
      {plain(pixel_type::i32, 0.5, 2147483648.0), pixel_type::f64, false},
      {plain(pixel_type::i64, 1, 9223372036854775808.0), pixel_type::u64, true},
      {plain(pixel_type::i64, 1, 1), pixel_type::f64, false},
      {plain(pixel_type::i64, 1, 0), pixel_type::i64, false},
      {plain(pixel_type::f32, 2, 1), pixel_type::f32, false},
      {plain(pixel_type::f64, 2, 1), pixel_type::f64, false},
      {plain(pixel_type::f32, 1, 32768), pixel_type::f32, false},
  };
  for (const type_case& row : cases) {
    const pixel_recipe recipe = make_recipe(row.image, pixel_values::scaled, false);
    EXPECT_EQ(recipe.output_type, row.output)
        << name(row.image.stored_type) << ' ' << row.image.scale << ' ' << row.image.zero;
    EXPECT_EQ(recipe.flip_sign, row.flip_sign);
    EXPECT_EQ(make_recipe(row.image, pixel_values::stored, false).output_type, row.image.stored_type);
    EXPECT_FALSE(make_recipe(row.image, pixel_values::stored, false).multiply);
  }
}

TEST(recipe, stages_that_are_neutral_do_not_run) {
  EXPECT_FALSE(make_recipe(plain(pixel_type::f32, 1, 5), pixel_values::scaled, false).multiply);
  EXPECT_FALSE(make_recipe(plain(pixel_type::f32, 2, 0), pixel_values::scaled, false).add);
  EXPECT_TRUE(make_recipe(plain(pixel_type::f32, 0, 0), pixel_values::scaled, false).multiply);  // BSCALE = 0 is legal
}

TEST(recipe, blank_makes_floats_except_where_the_sign_moves) {
  fits::image_hdu image = plain(pixel_type::i16, 1, 0);
  image.blank = 0;  // Astropy tests the value for truth; it is honoured here
  pixel_recipe recipe = make_recipe(image, pixel_values::scaled, false);
  EXPECT_EQ(recipe.output_type, pixel_type::f32);
  EXPECT_TRUE(recipe.has_null);
  EXPECT_EQ(recipe.null_value, 0);
  image.stored_type = pixel_type::i32;
  EXPECT_EQ(make_recipe(image, pixel_values::scaled, false).output_type, pixel_type::f64);
  image.zero = 2147483648.0;
  recipe = make_recipe(image, pixel_values::scaled, false);
  EXPECT_EQ(recipe.output_type, pixel_type::u32);
  EXPECT_FALSE(recipe.has_null);
  image = plain(pixel_type::f32, 1, 0);
  image.blank = 5;
  EXPECT_FALSE(make_recipe(image, pixel_values::scaled, false).has_null);
  image = plain(pixel_type::i16, 1, 0);
  image.blank = 5;
  EXPECT_FALSE(make_recipe(image, pixel_values::stored, false).has_null);
}

fits::image_hdu quantized() {
  fits::image_hdu image = plain(pixel_type::f32, 1, 0);
  image.compressed = true;
  image.tiles.quant_scale = fits::scalar_column{};
  image.tiles.quant_zero = fits::scalar_column{};
  image.quantize = fits::quantize_method::subtractive_2;
  image.dither_seed = 77;
  image.zblank = -5;
  return image;
}

TEST(recipe, quantised_tiles_and_their_fallbacks) {
  const fits::image_hdu image = quantized();
  const pixel_recipe recipe = make_recipe(image, pixel_values::stored, false);
  EXPECT_TRUE(recipe.quantized);
  EXPECT_EQ(recipe.dither, dither_method::subtractive_2);
  EXPECT_EQ(recipe.dither_seed, 77U);
  EXPECT_TRUE(recipe.has_null);
  EXPECT_EQ(recipe.null_value, -5);
  const pixel_recipe fallback = make_recipe(image, pixel_values::stored, true);
  EXPECT_FALSE(fallback.quantized);
  EXPECT_FALSE(fallback.has_null);
  EXPECT_EQ(fallback.dither, dither_method::none);
  EXPECT_FALSE(recipe.either_float || fallback.either_float);
}

TEST(recipe, lossless_floats_in_compressed_data_come_in_either_width) {
  fits::image_hdu image = quantized();
  image.tiles.quant_zero.reset();
  image.tiles.quant_scale.reset();
  EXPECT_TRUE(make_recipe(image, pixel_values::stored, false).either_float);
  EXPECT_FALSE(make_recipe(image, pixel_values::stored, true).either_float);
  EXPECT_FALSE(make_recipe(plain(pixel_type::f32, 1, 0), pixel_values::stored, false).either_float);
  image.stored_type = pixel_type::i32;
  EXPECT_FALSE(make_recipe(image, pixel_values::stored, false).either_float);
}

TEST(recipe, zquantiz_alone_means_nothing) {
  fits::image_hdu image = quantized();
  image.tiles.quant_zero.reset();
  EXPECT_FALSE(is_quantized(image));
  image = quantized();
  image.quantize = fits::quantize_method::none;
  EXPECT_FALSE(is_quantized(image));
}

TEST(recipe, zblank_counts_before_blank_but_for_integers) {
  fits::image_hdu image = quantized();
  image.blank = 9;
  EXPECT_EQ(keyword_null(image), -5);
  image.stored_type = pixel_type::i32;
  EXPECT_EQ(keyword_null(image), 9);
  image.blank.reset();
  EXPECT_EQ(keyword_null(image), -5);
  image.blank = 9;
  image.stored_type = pixel_type::f32;
  image.zblank.reset();
  EXPECT_EQ(keyword_null(image), 9);
}

}  // namespace
}  // namespace cuphoton::xdr
