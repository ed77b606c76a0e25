// compare.cpp: the comparison behind verify and demo.
#include "cli/compare.hpp"

#include <array>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace cuphoton::xdr::cli {
namespace {

template <class Value>
Value value_at(std::span<const std::uint8_t> bytes, std::size_t index) {
  Value value;
  std::memcpy(&value, bytes.data() + index * sizeof(Value), sizeof(Value));
  return value;
}

template <class Value>
bool same(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right, std::size_t index, nan_rule rule) {
  if (std::memcmp(left.data() + index * sizeof(Value), right.data() + index * sizeof(Value), sizeof(Value)) == 0) {
    return true;
  }
  if constexpr (std::is_floating_point_v<Value>) {
    return rule == nan_rule::any_payload && std::isnan(value_at<Value>(left, index)) &&
           std::isnan(value_at<Value>(right, index));
  }
  return false;
}

template <class Value>
std::string describe(std::span<const std::uint8_t> bytes, std::size_t index) {
  const Value value = value_at<Value>(bytes, index);
  std::array<char, 80> text{};
  if constexpr (std::is_floating_point_v<Value>) {
    using bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
    std::snprintf(text.data(), text.size(), "%.17g (0x%0*" PRIx64 ")", static_cast<double>(value),
                  static_cast<int>(2 * sizeof(Value)), static_cast<std::uint64_t>(std::bit_cast<bits>(value)));
    return text.data();
  } else {
    return std::to_string(value);
  }
}

/// "[3,5]", slowest axis first.
std::string position(const shape& extents, std::size_t index) {
  std::string text;
  auto rest = static_cast<std::int64_t>(index);
  for (int axis = extents.rank; axis-- > 0;) {
    text = std::to_string(rest % extents[axis]) + (text.empty() ? "" : ",") + text;
    rest /= extents[axis];
  }
  return "[" + text + "]";
}

template <class Value>
std::optional<std::string> compare_as(const shape& extents, std::span<const std::uint8_t> ours,
                                      std::span<const std::uint8_t> theirs, nan_rule rule,
                                      const std::string& their_name) {
  const std::size_t count = ours.size() / sizeof(Value);
  std::size_t first = count;
  std::size_t differing = 0;
  for (std::size_t index = 0; index < count; ++index) {
    if (same<Value>(ours, theirs, index, rule)) continue;
    if (differing++ == 0) first = index;
  }
  if (differing == 0) return {};
  return std::to_string(differing) + " of " + std::to_string(count) + " pixels, first pixel " +
         position(extents, first) + ": " + describe<Value>(ours, first) + ", " + their_name + " has " +
         describe<Value>(theirs, first);
}

}  // namespace

std::optional<std::string> first_difference(pixel_type type, const shape& extents, std::span<const std::uint8_t> ours,
                                            std::span<const std::uint8_t> theirs, nan_rule rule,
                                            const std::string& their_name) {
  if (ours.size() != theirs.size()) {
    return std::to_string(ours.size()) + " bytes, " + their_name + " has " + std::to_string(theirs.size());
  }
  if (ours.empty() || std::memcmp(ours.data(), theirs.data(), ours.size()) == 0) return {};
  switch (type) {
    case pixel_type::u8: return compare_as<std::uint8_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::i8: return compare_as<std::int8_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::i16: return compare_as<std::int16_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::u16: return compare_as<std::uint16_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::i32: return compare_as<std::int32_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::u32: return compare_as<std::uint32_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::i64: return compare_as<std::int64_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::u64: return compare_as<std::uint64_t>(extents, ours, theirs, rule, their_name);
    case pixel_type::f32: return compare_as<float>(extents, ours, theirs, rule, their_name);
    case pixel_type::f64: return compare_as<double>(extents, ours, theirs, rule, their_name);
  }
  return "of unknown type";
}

}  // namespace cuphoton::xdr::cli
