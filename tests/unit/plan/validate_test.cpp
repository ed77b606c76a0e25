// A valid plan, and each invariant of docs/life-of-an-image.md broken once. The same plans through JSON, and JSON that
// is none.
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/plan.hpp>

namespace cuphoton::xdr {
namespace {

image_plan good_plan() {
  image_plan plan;
  plan.file = "made.fits";
  plan.hdu_index = 1;
  plan.file_bytes = 1000;
  plan.image_shape = {2, {6, 10}};
  plan.section = box{2, {1, 2}, {3, 4}};  // meets tiles 0 to 3 of a 2 x 5 grid of 3 x 2 tiles ... the first two rows
  plan.grid = {whole(plan.image_shape), {2, {2, 10}}};
  plan.stored_type = pixel_type::f32;
  plan.output_type = pixel_type::f32;
  plan.null_value = -5;
  plan.codec_name = "RICE_1";
  plan.notes = {"a note", "bytes \xff that are no UTF-8"};
  tile_group group;
  group.codec = codec_id::rice_1;
  group.recipe.stored_type = group.recipe.output_type = pixel_type::f32;
  group.recipe.quantized = true;
  group.recipe.dither = dither_method::subtractive_1;
  group.recipe.has_null = true;
  group.parameters = {16, 4, true, true};
  group.tiles = {{900, 100, 0, 0.5, std::numeric_limits<double>::quiet_NaN()}};
  group.null_values = {-5};
  plan.groups.push_back(group);
  tile_group fallback;
  fallback.codec = codec_id::none;
  fallback.recipe.stored_type = fallback.recipe.output_type = pixel_type::f32;
  fallback.tiles = {{0, 80, 1, 0, 0}};
  plan.groups.push_back(fallback);
  return plan;
}

TEST(validate, accepts_a_good_plan) {
  EXPECT_NO_THROW(validate(good_plan()));
}

struct broken {
  const char* invariant;
  std::function<void(image_plan&)> breaks;
};

const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
const broken cases[] = {
    {"rank is 0 to 16", [](image_plan& p) { p.image_shape.rank = 17; }},
    {"rank is 0 to 16", [](image_plan& p) { p.image_shape.rank = -1; }},
    {"extents are not negative", [](image_plan& p) { p.image_shape[0] = -1; }},
    {"pixels fits 60 bits",
     [](image_plan& p) {
       p.image_shape = {2, {huge / 8, 2}};
     }},
    {"section lies inside the image", [](image_plan& p) { p.section.extent[0] = 6; }},
    {"section lies inside the image", [](image_plan& p) { p.section.start[0] = -1; }},
    {"section lies inside the image", [](image_plan& p) { p.section.extent[1] = huge; }},
    {"section lies inside the image", [](image_plan& p) { p.section.rank = 1; }},
    {"section lies inside the image", [](image_plan& p) { p.section.extent[0] = -1; }},
    {"section lies inside the image", [](image_plan& p) { p.section.step[1] = 4; }},
    {"section lies inside the image", [](image_plan& p) { p.section.step[1] = huge; }},
    {"steps are 1 or more", [](image_plan& p) { p.section.step[0] = 0; }},
    {"steps are 1 or more", [](image_plan& p) { p.section.step[1] = -huge; }},
    {"grid lies inside the image", [](image_plan& p) { p.grid.area.extent[0] = 7; }},
    {"section lies inside the grid",
     [](image_plan& p) {
       p.grid.area = {2, {2, 0}, {4, 10}};
     }},
    {"tiles have the rank", [](image_plan& p) { p.grid.tile_shape.rank = 1; }},
    {"tile extents are 1", [](image_plan& p) { p.grid.tile_shape[0] = 0; }},
    {"tile extents are 1", [](image_plan& p) { p.grid.tile_shape[1] = 11; }},
    {"tiles have under 2^31",
     [](image_plan& p) {
       p.image_shape = {2, {6, 1LL << 33}};
       p.grid = {whole(p.image_shape), {2, {2, 1LL << 33}}};
     }},
    {"under 2^32 tiles",
     [](image_plan& p) {
       p.image_shape = {2, {6, 1LL << 33}};
       p.grid = {whole(p.image_shape), {2, {2, 1}}};
     }},
    {"stored type is a BITPIX", [](image_plan& p) { p.stored_type = pixel_type::u16; }},
    {"reasons and groups", [](image_plan& p) { p.reasons.push_back({}); }},
    {"groups share the stored", [](image_plan& p) { p.groups[1].recipe.stored_type = pixel_type::f64; }},
    {"groups share the output", [](image_plan& p) { p.groups[1].recipe.output_type = pixel_type::f64; }},
    {"floats keep their type", [](image_plan& p) { p.groups[0].recipe.flip_sign = true; }},
    {"dither seed is", [](image_plan& p) { p.groups[0].recipe.dither_seed = 0; }},
    {"dither seed is", [](image_plan& p) { p.groups[0].recipe.dither_seed = 10001; }},
    {"only lossless floats come in either width", [](image_plan& p) { p.groups[0].recipe.either_float = true; }},
    {"only quantised pixels are dithered", [](image_plan& p) { p.groups[0].recipe.quantized = false; }},
    {"codec has an engine", [](image_plan& p) { p.groups[0].codec = static_cast<codec_id>(99); }},
    {"capacity is 1 to 8", [](image_plan& p) { p.groups[0].capacity_bytes_per_pixel = 0; }},
    {"capacity is 1 to 8", [](image_plan& p) { p.groups[0].capacity_bytes_per_pixel = 9; }},
    {"capacity holds Rice", [](image_plan& p) { p.groups[0].capacity_bytes_per_pixel = 2; }},
    {"capacity holds HCOMPRESS",
     [](image_plan& p) {
       p.groups[0].codec = codec_id::hcompress_1;
       p.groups[0].capacity_bytes_per_pixel = 3;
     }},
    {"one null value for each", [](image_plan& p) { p.groups[0].null_values.push_back(1); }},
    {"tile numbers are inside", [](image_plan& p) { p.groups[1].tiles[0].tile_index = 3; }},
    {"tiles lie inside the file", [](image_plan& p) { p.groups[0].tiles[0].length_bytes = 101; }},
    {"tiles lie inside the file", [](image_plan& p) { p.groups[0].tiles[0].offset_bytes = ~0ULL; }},
    {"every tile meets the section", [](image_plan& p) { p.groups[1].tiles[0].tile_index = 2; }},
    {"no tile occurs twice", [](image_plan& p) { p.groups[1].tiles[0].tile_index = 0; }},
    {"tiles cover the section", [](image_plan& p) { p.groups.pop_back(); }},
    {"only floats are quantised",
     [](image_plan& p) {
       p.stored_type = p.output_type = pixel_type::i32;
       for (tile_group& group : p.groups) group.recipe.stored_type = group.recipe.output_type = pixel_type::i32;
     }},
};

/// An integer plan, for what only integers can break.
image_plan integer_plan() {
  image_plan plan = good_plan();
  plan.stored_type = plan.output_type = pixel_type::i16;
  for (tile_group& group : plan.groups) {
    group.recipe = {};
    group.recipe.stored_type = group.recipe.output_type = pixel_type::i16;
  }
  return plan;
}
void set_output(image_plan& plan, pixel_type type) {
  plan.output_type = type;
  for (tile_group& group : plan.groups) group.recipe.output_type = type;
}
const broken integer_cases[] = {
    {"scaled integers become floats", [](image_plan& p) { p.groups[0].recipe.multiply = true; }},
    {"scaled integers become floats", [](image_plan& p) { p.groups[0].recipe.has_null = true; }},
    {"integers keep their width", [](image_plan& p) { set_output(p, pixel_type::i32); }},
    {"sign flips for unsigned", [](image_plan& p) { set_output(p, pixel_type::u16); }},
    {"sign flips for unsigned", [](image_plan& p) { p.groups[0].recipe.flip_sign = true; }},
    {"flipped sign makes no float",
     [](image_plan& p) {
       set_output(p, pixel_type::f32);
       p.groups[0].recipe.flip_sign = true;
     }},
};

void expect_broken(image_plan plan, const broken& row) {
  row.breaks(plan);
  try {
    validate(plan);
    ADD_FAILURE() << "accepted: " << row.invariant;
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::tile_table_invalid);
    EXPECT_NE(std::string(problem.what()).find(row.invariant), std::string::npos)
        << problem.what() << " / " << row.invariant;
  }
}

TEST(validate, refuses_each_broken_invariant) {
  for (const broken& row : cases) expect_broken(good_plan(), row);
  ASSERT_NO_THROW(validate(integer_plan()));
  for (const broken& row : integer_cases) expect_broken(integer_plan(), row);
}

TEST(plan_json, goes_round) {
  const std::string text = to_json(good_plan());
  const image_plan back = plan_from_json(text);
  EXPECT_EQ(to_json(back), text);
  const image_plan plan = good_plan();
  EXPECT_EQ(back.section, plan.section);
  EXPECT_EQ(back.groups[0].recipe, plan.groups[0].recipe);
  EXPECT_EQ(back.groups[0].null_values, plan.groups[0].null_values);
  EXPECT_TRUE(back.groups[0].tiles[0].quant_zero != back.groups[0].tiles[0].quant_zero);
  EXPECT_EQ(back.null_value, plan.null_value);
}

TEST(plan_json, refused_plans_keep_their_reasons) {
  image_plan plan = good_plan();
  plan.groups.clear();
  plan.reasons.push_back({reason_code::null_mask_unsupported, 1, "masks"});
  EXPECT_EQ(plan_from_json(to_json(plan)).reasons, plan.reasons);
}

TEST(plan_json, what_validate_refuses_is_not_accepted) {
  for (const broken& row : cases) {
    image_plan plan = good_plan();
    row.breaks(plan);
    const bool unwritable = plan.image_shape.rank < 0 || plan.image_shape.rank > max_rank ||
                            (!plan.groups.empty() && plan.groups[0].codec > codec_id::plio_1);
    if (unwritable) continue;  // a number that JSON text has no form for
    EXPECT_THROW(plan_from_json(to_json(plan)), error) << row.invariant;
  }
}

TEST(plan_json, anything_else_is_an_error_and_nothing_more) {
  const std::string good = to_json(good_plan(), -1);
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_THROW(plan_from_json(std::string_view(good).substr(0, cut)), error) << cut;
  }
  for (const char* text :
       {"", "null", "[]", "{}", "{\"schema\":1}", "{\"schema\":2,\"kind\":\"image_plan\"}", "\"\\ud800\""}) {
    EXPECT_THROW(plan_from_json(text), error) << text;
  }
  EXPECT_THROW(plan_from_json(std::string(100000, '[')), error);  // deep nesting must not exhaust the stack
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"file_bytes\":1000", "\"file_bytes\":-1"},
           {"\"file_bytes\":1000", "\"file_bytes\":1e3"},
           {"\"file_bytes\":1000", "\"file_bytes\":99999999999999999999999"},
           {"\"hdu\":1", "\"hdu\":4294967296"},
           {"\"codec\":\"rice_1\"", "\"codec\":\"rice_2\""},
           {"\"codec\":\"rice_1\"", "\"codec\":5"},
           {"\"output_type\":\"float32\"", "\"output_type\":\"float16\""},
           {"\"codec\":\"rice_1\"", "\"codec\":\"hcompress_1\""},  // whose two parameters are then missing
           {"\"codec\":\"rice_1\"", "\"codec\":\"hcompress_1\",\"hcompress_smooth\":1,\"hcompress_clip_16\":true"},
           {"\"codec\":\"rice_1\"", "\"codec\":\"hcompress_1\",\"hcompress_smooth\":true,\"hcompress_clip\":true"},
           {"\"quantized\":true", "\"quantized\":1"},
           {"[900,100,0,0.5,\"nan\"]", "[900,100,0,0.5]"},
           {"[900,100,0,0.5,\"nan\"]", "[900,100,0,0.5,\"many\"]"},
           {"[900,100,0,0.5,\"nan\"]", "[900,4294967296,0,0.5,1]"},
           {"\"notes\":[", "\"notes\":[7,"},
       }) {
    EXPECT_THROW(plan_from_json(replaced(from, to)), error) << to;
  }
  const image_plan hcompress = plan_from_json(replaced(
      "\"codec\":\"rice_1\"", "\"codec\":\"hcompress_1\",\"hcompress_smooth\":true,\"hcompress_clip_16\":true"));
  EXPECT_TRUE(hcompress.groups[0].parameters.hcompress_smooth && hcompress.groups[0].parameters.hcompress_clip_16);
  EXPECT_EQ(plan_from_json(to_json(hcompress)).groups[0].parameters, hcompress.groups[0].parameters);
}

}  // namespace
}  // namespace cuphoton::xdr
