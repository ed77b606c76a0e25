// bounds.cpp: readers of the command line's small languages. std::from_chars only: no locale, no sign surprises.
#include "cli/bounds.hpp"

#include <charconv>
#include <limits>
#include <string>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::cli {
namespace {

[[noreturn]] void refuse(std::string message) {
  throw error(errc::invalid_argument, {}, std::move(message));
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

template <class Integer>
std::optional<Integer> to_integer(std::string_view text) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc{} || rest != end) return {};
  return value;
}

/// Parts between separators; an empty text has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::int64_t> parse_bound(std::string_view text, std::string_view section) {
  if (text.empty()) return {};
  const auto value = to_integer<std::int64_t>(text);
  if (!value) refuse("--section " + quoted(section) + ": " + quoted(text) + " is not an integer");
  return value;
}

}  // namespace

hdu_selector parse_hdu(std::string_view text) {
  if (text.empty()) refuse("--hdu is empty; give a number (0 is the primary), a name, or NAME,VERSION");
  if (const auto index = to_integer<int>(text)) {
    if (*index < 0) refuse("--hdu " + std::string(text) + ": HDUs are numbered from 0");
    return hdu_selector::number(*index);
  }
  // The last comma counts: a name may hold one, a version may not.
  const std::size_t comma = text.rfind(',');
  if (comma == std::string_view::npos) return hdu_selector::named(std::string(text));
  const auto version = to_integer<std::int64_t>(text.substr(comma + 1));
  if (!version || comma == 0) refuse("--hdu " + quoted(text) + ": expected NAME,VERSION with an integer version");
  return hdu_selector::named(std::string(text.substr(0, comma)), *version);
}

section_bounds parse_section(std::string_view text) {
  section_bounds section;
  for (const std::string_view axis : split(text, ',')) {
    const auto bounds = split(axis, ':');
    if (bounds.size() != 2 && bounds.size() != 3) {
      refuse("--section " + quoted(text) + ": each axis is start:stop or start:stop:step, found " + quoted(axis));
    }
    const auto step = bounds.size() == 3 ? parse_bound(bounds[2], text) : std::nullopt;
    if (step && *step < 1) refuse("--section " + quoted(text) + ": steps are 1 or more, found " + quoted(axis));
    section.push_back({parse_bound(bounds[0], text), parse_bound(bounds[1], text), step});
  }
  if (section.size() > static_cast<std::size_t>(max_rank)) {
    refuse("--section has " + std::to_string(section.size()) + " axes, at most " + std::to_string(max_rank));
  }
  return section;
}

strided_box resolve(const section_bounds& section, const shape& extents) {
  if (section.size() != static_cast<std::size_t>(extents.rank)) {
    refuse("--section has " + std::to_string(section.size()) + " axes, the image " + to_string(extents) + " has " +
           std::to_string(extents.rank) + "; give start:stop for each axis, slowest first");
  }
  strided_box result = whole(extents);
  for (int axis = 0; axis < extents.rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t length = extents[axis];
    // No overflow: only a negative bound is moved, and by a length >= 0.
    const auto from_edge = [length](std::int64_t bound) { return bound < 0 ? bound + length : bound; };
    const std::int64_t start = from_edge(section[at].start.value_or(0));
    const std::int64_t stop = section[at].stop ? from_edge(*section[at].stop) : length;
    if (start < 0 || stop < start || stop > length) {
      refuse("--section: axis " + std::to_string(axis) + " asks for " + std::to_string(start) + ":" +
             std::to_string(stop) + ", the image has 0:" + std::to_string(length) + "; choose bounds inside it");
    }
    result.start[at] = start;
    result.step[at] = section[at].step.value_or(1);
    const std::int64_t pixels = stop - start;
    result.extent[at] = pixels / result.step[at] + (pixels % result.step[at] != 0 ? 1 : 0);
  }
  return result;
}

std::uint64_t parse_bytes(std::string_view text) {
  std::string_view digits = text;
  int shift = 0;
  if (!digits.empty()) {
    switch (digits.back()) {
      case 'K':
      case 'k': shift = 10; break;
      case 'M':
      case 'm': shift = 20; break;
      case 'G':
      case 'g': shift = 30; break;
      default: break;
    }
    if (shift != 0) digits.remove_suffix(1);
  }
  const auto value = to_integer<std::uint64_t>(digits);
  if (!value || *value > std::numeric_limits<std::uint64_t>::max() >> shift) {
    refuse(quoted(text) + " is not a number of bytes; write for instance 1048576, 512K, 64M or 2G");
  }
  return *value << shift;
}

shape parse_shape(std::string_view text) {
  shape result;
  for (const std::string_view part : split(text, 'x')) {
    const auto extent = to_integer<std::int64_t>(part);
    if (!extent || *extent < 1 || result.rank == max_rank) {
      refuse(quoted(text) + " is not a shape; write for instance 1000x1200, slowest axis first");
    }
    result[result.rank++] = *extent;
  }
  return result;
}

std::uint64_t parse_count(std::string_view text, std::uint64_t largest, std::string_view flag) {
  const auto value = to_integer<std::uint64_t>(text);
  if (!value || *value > largest) {
    refuse(std::string(flag) + " " + quoted(text) + ": expected an integer from 0 to " + std::to_string(largest));
  }
  return *value;
}

}  // namespace cuphoton::xdr::cli
