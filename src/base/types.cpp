// types.cpp: names and sizes of the words in types.hpp.
#include <cuphoton/xdr/types.hpp>

#include <algorithm>

#include <cuphoton/xdr/error.hpp>

#include "base/checked.hpp"

namespace cuphoton::xdr {
namespace {

struct type_row {
  pixel_type type;
  std::string_view text;
  int bytes;
};
constexpr type_row type_table[] = {
    {pixel_type::u8, "uint8", 1},    {pixel_type::i8, "int8", 1},    {pixel_type::i16, "int16", 2},
    {pixel_type::u16, "uint16", 2},  {pixel_type::i32, "int32", 4},  {pixel_type::u32, "uint32", 4},
    {pixel_type::i64, "int64", 8},   {pixel_type::u64, "uint64", 8}, {pixel_type::f32, "float32", 4},
    {pixel_type::f64, "float64", 8},
};
constexpr const type_row& row_of(pixel_type type) {
  return type_table[static_cast<std::size_t>(type)];
}
static_assert([] {
  for (std::size_t i = 0; i < std::size(type_table); ++i)
    if (static_cast<std::size_t>(type_table[i].type) != i) return false;
  return true;
}());

std::int64_t product(int rank, const std::array<std::int64_t, max_rank>& extent) {
  if (rank == 0) return 0;
  // A zero anywhere wins over an overflow elsewhere: the array is empty.
  if (std::find(extent.begin(), extent.begin() + rank, 0) != extent.begin() + rank) return 0;
  std::int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const auto next = checked_multiply(count, extent[static_cast<std::size_t>(axis)]);
    if (!next) throw error(errc::invalid_argument, {}, "the number of pixels passes 2^63 - 1");
    count = *next;
  }
  return count;
}

}  // namespace

int size_bytes(pixel_type type) noexcept {
  return row_of(type).bytes;
}
std::string_view name(pixel_type type) noexcept {
  return row_of(type).text;
}
bool is_floating(pixel_type type) noexcept {
  return type == pixel_type::f32 || type == pixel_type::f64;
}

std::optional<pixel_type> pixel_type_from_name(std::string_view text) noexcept {
  for (const type_row& row : type_table)
    if (row.text == text) return row.type;
  return std::nullopt;
}

std::int64_t pixel_count(const shape& extents) {
  return product(extents.rank, extents.extent);
}
std::int64_t pixel_count(const box& area) {
  return product(area.rank, area.extent);
}
std::int64_t pixel_count(const strided_box& section) {
  return product(section.rank, section.extent);
}

strided_box::strided_box(const box& pixels) noexcept : rank(pixels.rank), start(pixels.start), extent(pixels.extent) {
  for (int axis = 0; axis < rank && axis < max_rank; ++axis) step[static_cast<std::size_t>(axis)] = 1;
}

box whole(const shape& extents) noexcept {
  return {extents.rank, {}, extents.extent};
}
shape shape_of(const box& area) noexcept {
  return {area.rank, area.extent};
}
shape shape_of(const strided_box& section) noexcept {
  return {section.rank, section.extent};
}

box bounds_of(const strided_box& section) noexcept {
  box bounds{section.rank, section.start, section.extent};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
    if (section.extent[axis] > 0) bounds.extent[axis] = (section.extent[axis] - 1) * section.step[axis] + 1;
  }
  return bounds;
}

std::string to_string(const shape& extents) {
  std::string text;
  for (int axis = 0; axis < extents.rank; ++axis) text += (axis ? "x" : "") + std::to_string(extents[axis]);
  return text.empty() ? "-" : text;
}

std::string to_string(const box& area) {
  return to_string(strided_box(area));
}

std::string to_string(const strided_box& section) {
  std::string text;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
    // A section that a caller made up may end behind every number there is; it is printed to be refused.
    const std::int64_t step = section.step[axis];
    auto stop = checked_multiply(section.extent[axis], step);
    if (stop && step > 1 && section.extent[axis] > 0) stop = *stop - (step - 1);
    if (stop) stop = checked_add(section.start[axis], *stop);
    text +=
        (axis ? "," : "") + std::to_string(section.start[axis]) + ":" + (stop ? std::to_string(*stop) : "(overflow)");
    if (step != 1) text += ":" + std::to_string(step);
  }
  return text.empty() ? "-" : text;
}

}  // namespace cuphoton::xdr
