// serialize.cpp: plan <-> JSON, for the command, bug reports and tests that need no file. JSON text is untrusted: every
// number is checked for kind and range here, and the plan as a whole by `validate`.
#include <limits>
#include <map>
#include <string>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/plan.hpp>

namespace cuphoton::xdr {
namespace {

using nlohmann::json;
constexpr int schema_version = 1;
constexpr int deepest = 8;  // levels of a real plan; deeper text is refused while parsing

[[noreturn]] void refuse(const std::string& text) {
  throw error(errc::invalid_argument, {}, "this is not a plan of schema version 1: " + text);
}

// Enumerations travel by name, so that a plan stays readable and survives a change of order.
template <class E>
struct named {
  E value;
  const char* text;
};
constexpr named<codec_id> codec_names[] = {
    {codec_id::none, "none"},     {codec_id::gzip_1, "gzip_1"},           {codec_id::gzip_2, "gzip_2"},
    {codec_id::rice_1, "rice_1"}, {codec_id::hcompress_1, "hcompress_1"}, {codec_id::plio_1, "plio_1"}};
constexpr named<dither_method> dither_names[] = {{dither_method::none, "none"},
                                                 {dither_method::subtractive_1, "subtractive_1"},
                                                 {dither_method::subtractive_2, "subtractive_2"}};

template <class E, std::size_t N>
const char* text_of(const named<E> (&table)[N], E value) {
  for (const auto& row : table)
    if (row.value == value) return row.text;
  return table[0].text;
}

const json& member(const json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) refuse(std::string("'") + key + "' is missing");
  return object.at(key);
}

std::string text_at(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) refuse(std::string("'") + key + "' is not a text");
  return value.get<std::string>();
}

template <class E, std::size_t N>
E enum_at(const named<E> (&table)[N], const json& object, const char* key) {
  const std::string text = text_at(object, key);
  for (const auto& row : table)
    if (text == row.text) return row.value;
  refuse(std::string("'") + key + "' has the unknown value '" + text.substr(0, 40) + "'");
}

pixel_type type_at(const json& object, const char* key) {
  const auto type = pixel_type_from_name(text_at(object, key));
  if (!type) refuse(std::string("'") + key + "' names no pixel type");
  return *type;
}

template <class T>
T integer(const json& value, const char* key) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (std::in_range<T>(number)) return static_cast<T>(number);
  }
  refuse(std::string("'") + key + "' is not an integer in its range");
}

template <class T>
T integer_at(const json& object, const char* key) {
  return integer<T>(member(object, key), key);
}

bool flag_at(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_boolean()) refuse(std::string("'") + key + "' is not true or false");
  return value.get<bool>();
}

// JSON has no NaN and no infinity; ZSCALE may be either. Those travel as text.
json number(double value) {
  if (value != value) return "nan";
  if (value > std::numeric_limits<double>::max()) return "inf";
  if (value < std::numeric_limits<double>::lowest()) return "-inf";
  return value;
}
double number_of(const json& value, const char* key) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  refuse(std::string("'") + key + "' is not a number");
}
double number_at(const json& object, const char* key) {
  return number_of(member(object, key), key);
}

const json& list_at(const json& object, const char* key, std::size_t most) {
  const json& value = member(object, key);
  if (!value.is_array() || value.size() > most) refuse(std::string("'") + key + "' is not a list of its length");
  return value;
}

json numbers(int rank, const std::array<std::int64_t, max_rank>& values) {
  json list = json::array();
  for (int axis = 0; axis < rank; ++axis) list.push_back(values[static_cast<std::size_t>(axis)]);
  return list;
}

shape shape_at(const json& object, const char* key) {
  const json& list = list_at(object, key, max_rank);
  shape extents;
  extents.rank = static_cast<int>(list.size());
  for (int axis = 0; axis < extents.rank; ++axis)
    extents[axis] = integer<std::int64_t>(list.at(static_cast<std::size_t>(axis)), key);
  return extents;
}

json of_box(const box& area) {
  return {{"start", numbers(area.rank, area.start)}, {"extent", numbers(area.rank, area.extent)}};
}
json of_section(const strided_box& section) {
  return {{"start", numbers(section.rank, section.start)},
          {"extent", numbers(section.rank, section.extent)},
          {"step", numbers(section.rank, section.step)}};
}

box box_at(const json& object, const char* key) {
  const json& value = member(object, key);
  const shape start = shape_at(value, "start");
  const shape extent = shape_at(value, "extent");
  if (start.rank != extent.rank) refuse(std::string("'") + key + "' mixes ranks");
  return {start.rank, start.extent, extent.extent};
}
strided_box section_at(const json& object, const char* key) {
  strided_box section = box_at(object, key);
  const shape step = shape_at(member(object, key), "step");
  if (step.rank != section.rank) refuse(std::string("'") + key + "' mixes ranks");
  section.step = step.extent;
  return section;
}

json of_recipe(const pixel_recipe& recipe) {
  return {{"stored_type", name(recipe.stored_type)},
          {"output_type", name(recipe.output_type)},
          {"either_float", recipe.either_float},
          {"quantized", recipe.quantized},
          {"dither", text_of(dither_names, recipe.dither)},
          {"dither_seed", recipe.dither_seed},
          {"has_null", recipe.has_null},
          {"null_value", recipe.null_value},
          {"flip_sign", recipe.flip_sign},
          {"multiply", recipe.multiply},
          {"add", recipe.add},
          {"scale", number(recipe.scale)},
          {"zero", number(recipe.zero)}};
}

pixel_recipe recipe_of(const json& value) {
  pixel_recipe recipe;
  recipe.stored_type = type_at(value, "stored_type");
  recipe.output_type = type_at(value, "output_type");
  recipe.either_float = flag_at(value, "either_float");
  recipe.quantized = flag_at(value, "quantized");
  recipe.dither = enum_at(dither_names, value, "dither");
  recipe.dither_seed = integer_at<std::uint32_t>(value, "dither_seed");
  recipe.has_null = flag_at(value, "has_null");
  recipe.null_value = integer_at<std::int64_t>(value, "null_value");
  recipe.flip_sign = flag_at(value, "flip_sign");
  recipe.multiply = flag_at(value, "multiply");
  recipe.add = flag_at(value, "add");
  recipe.scale = number_at(value, "scale");
  recipe.zero = number_at(value, "zero");
  return recipe;
}

// A tile is [offset, length, index] or, where ZSCALE and ZZERO count, [offset, length, index, scale, zero].
json of_group(const tile_group& group) {
  json tiles = json::array();
  for (const tile_record& tile : group.tiles) {
    json row = {tile.offset_bytes, tile.length_bytes, tile.tile_index};
    if (group.recipe.quantized) {
      row.push_back(number(tile.quant_scale));
      row.push_back(number(tile.quant_zero));
    }
    tiles.push_back(std::move(row));
  }
  json value = {{"codec", text_of(codec_names, group.codec)},
                {"rice_block_pixels", group.parameters.rice_block_pixels},
                {"rice_pixel_bytes", group.parameters.rice_pixel_bytes},
                {"capacity_bytes_per_pixel", group.capacity_bytes_per_pixel},
                {"recipe", of_recipe(group.recipe)},
                {"tiles", std::move(tiles)},
                {"null_values", group.null_values}};
  if (group.codec == codec_id::plio_1) value["plio_zero"] = group.parameters.plio_zero;
  if (group.codec == codec_id::hcompress_1) {
    value["hcompress_smooth"] = group.parameters.hcompress_smooth;
    value["hcompress_clip_16"] = group.parameters.hcompress_clip_16;
  }
  return value;
}

tile_group group_of(const json& value) {
  tile_group group;
  group.codec = enum_at(codec_names, value, "codec");
  group.parameters.rice_block_pixels = integer_at<std::uint32_t>(value, "rice_block_pixels");
  group.parameters.rice_pixel_bytes = integer_at<std::uint32_t>(value, "rice_pixel_bytes");
  if (group.codec == codec_id::plio_1) group.parameters.plio_zero = integer_at<std::uint32_t>(value, "plio_zero");
  if (group.codec == codec_id::hcompress_1) {
    group.parameters.hcompress_smooth = flag_at(value, "hcompress_smooth");
    group.parameters.hcompress_clip_16 = flag_at(value, "hcompress_clip_16");
  }
  group.capacity_bytes_per_pixel = integer_at<std::uint32_t>(value, "capacity_bytes_per_pixel");
  group.recipe = recipe_of(member(value, "recipe"));
  const std::size_t columns = group.recipe.quantized ? 5 : 3;
  for (const json& row : list_at(value, "tiles", std::numeric_limits<std::uint32_t>::max())) {
    if (!row.is_array() || row.size() != columns) refuse("a tile has not its " + std::to_string(columns) + " numbers");
    tile_record tile;
    tile.offset_bytes = integer<std::uint64_t>(row.at(0), "tiles");
    tile.length_bytes = integer<std::uint32_t>(row.at(1), "tiles");
    tile.tile_index = integer<std::uint32_t>(row.at(2), "tiles");
    if (columns == 5) tile.quant_scale = number_of(row.at(3), "tiles");
    if (columns == 5) tile.quant_zero = number_of(row.at(4), "tiles");
    group.tiles.push_back(tile);
  }
  for (const json& null : list_at(value, "null_values", group.tiles.size())) {
    group.null_values.push_back(integer<std::int64_t>(null, "null_values"));
  }
  return group;
}

json parse(std::string_view text) {
  const auto shallow = [](int depth, json::parse_event_t, json&) {
    if (depth > deepest) refuse("it is nested too deeply");
    return true;
  };
  try {
    return json::parse(text, shallow);
  } catch (const json::exception& problem) {
    refuse(problem.what());
  }
}

reason reason_of(const json& value) {
  const std::string code = text_at(value, "code");
  for (int i = 0; i <= static_cast<int>(reason_code::memory_limit); ++i) {
    const auto candidate = static_cast<reason_code>(i);
    if (name(candidate) == code) return {candidate, integer_at<int>(value, "hdu"), text_at(value, "detail")};
  }
  refuse("'code' names no reason");
}

}  // namespace

std::string to_json(const image_plan& plan, int indent) {
  json groups = json::array();
  for (const tile_group& group : plan.groups) groups.push_back(of_group(group));
  json reasons = json::array();
  for (const reason& why : plan.reasons)
    reasons.push_back({{"code", name(why.code)}, {"hdu", why.hdu}, {"detail", why.detail}});
  const json value = {{"schema", schema_version},
                      {"kind", "image_plan"},
                      {"file", plan.file},
                      {"file_bytes", plan.file_bytes},
                      {"hdu", plan.hdu_index},
                      {"image_shape", numbers(plan.image_shape.rank, plan.image_shape.extent)},
                      {"section", of_section(plan.section)},
                      {"grid",
                       {{"area", of_box(plan.grid.area)},
                        {"tile_shape", numbers(plan.grid.tile_shape.rank, plan.grid.tile_shape.extent)}}},
                      {"stored_type", name(plan.stored_type)},
                      {"output_type", name(plan.output_type)},
                      {"scale", number(plan.scale)},
                      {"zero", number(plan.zero)},
                      {"null_value", plan.null_value ? json(*plan.null_value) : json(nullptr)},
                      {"codec_name", plan.codec_name},
                      {"groups", std::move(groups)},
                      {"reasons", std::move(reasons)},
                      {"notes", plan.notes}};
  // Names and cards may hold any bytes; invalid UTF-8 is replaced, never an exception.
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

image_plan plan_from_json(std::string_view text) {
  const json value = parse(text);
  if (integer_at<int>(value, "schema") != schema_version || text_at(value, "kind") != "image_plan")
    refuse("another schema");
  image_plan plan;
  plan.file = text_at(value, "file");
  plan.file_bytes = integer_at<std::uint64_t>(value, "file_bytes");
  plan.hdu_index = integer_at<int>(value, "hdu");
  plan.image_shape = shape_at(value, "image_shape");
  plan.section = section_at(value, "section");
  plan.grid.area = box_at(member(value, "grid"), "area");
  plan.grid.tile_shape = shape_at(member(value, "grid"), "tile_shape");
  plan.stored_type = type_at(value, "stored_type");
  plan.output_type = type_at(value, "output_type");
  plan.scale = number_at(value, "scale");
  plan.zero = number_at(value, "zero");
  if (!member(value, "null_value").is_null()) plan.null_value = integer_at<std::int64_t>(value, "null_value");
  plan.codec_name = text_at(value, "codec_name");
  for (const json& group : list_at(value, "groups", 3)) plan.groups.push_back(group_of(group));
  for (const json& why : list_at(value, "reasons", 100)) plan.reasons.push_back(reason_of(why));
  for (const json& note : list_at(value, "notes", 1000)) {
    if (!note.is_string()) refuse("a note is not a text");
    plan.notes.push_back(note.get<std::string>());
  }
  validate(plan);
  return plan;
}

}  // namespace cuphoton::xdr
