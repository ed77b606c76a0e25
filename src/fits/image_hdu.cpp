// image_hdu.cpp: mandatory keywords, names, scaling and plain images, by fits-semantics 1 and 6.
#include "fits/image_hdu.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/checked.hpp"
#include "base/visit.hpp"

namespace cuphoton::xdr::fits {
namespace {

constexpr std::int64_t max_axes = 999;  // FITS 4.0 §4.4.1.1
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr const char* default_compressed_name = "COMPRESSED_IMAGE";

hdu_kind kind_of_extension(const keywords& header) {
  const card_value type = header.cards().value_at(0);
  const std::string name(trim(type.text));
  if (type.kind != value_kind::string) header.note("XTENSION: expected a string, found " + describe(type));
  if (name == "IMAGE" || name == "IUEIMAGE") return hdu_kind::image;
  if (name == "BINTABLE" || name == "A3DTABLE" || name == "3DTABLE") return hdu_kind::binary_table;
  return name == "TABLE" ? hdu_kind::ascii_table : hdu_kind::other;
}

// Random groups have NAXIS1 = 0 and GROUPS = T, in a primary header only (FITS 4.0 §6).
bool has_random_groups(const keywords& header, const std::vector<std::int64_t>& axes) {
  return axes.size() > 1 && axes.front() == 0 && header.is_true("GROUPS");
}

std::int64_t judge_count(const keywords& header, const char* keyword, std::int64_t standard, bool mandatory) {
  if (header.cards().count(keyword) == 0) {
    if (mandatory) header.note(std::string(keyword) + " is missing; " + std::to_string(standard) + " is assumed");
    return standard;
  }
  return header.required_integer(keyword, 0, int64_max);
}

// |BITPIX| / 8 * GCOUNT * (PCOUNT + product), FITS 4.0 §4.4.1.2 (and §6.1, where the product leaves NAXIS1 out).
std::uint64_t judge_data_bytes(const keywords& header, const structure& size) {
  if (size.axes.empty()) return 0;
  const bool groups = size.kind == hdu_kind::random_groups;
  const std::vector<std::int64_t> counted(size.axes.begin() + (groups ? 1 : 0), size.axes.end());
  const std::uint64_t elements = array_bytes(header, counted, 8, "NAXISn");
  const auto width = static_cast<std::uint64_t>(std::abs(size.bitpix) / 8);
  const auto with_parameters = checked_add(elements, static_cast<std::uint64_t>(size.pcount));
  const auto in_groups =
      with_parameters ? checked_multiply(*with_parameters, static_cast<std::uint64_t>(size.gcount)) : std::nullopt;
  const auto bytes = in_groups ? checked_multiply(*in_groups, width) : std::nullopt;
  if (!bytes || *bytes > static_cast<std::uint64_t>(int64_max)) {
    header.fail(errc::header_invalid, "BITPIX, NAXISn, PCOUNT and GCOUNT give a data unit of 2^63 bytes or more");
  }
  return *bytes;
}

void note_order(const keywords& header, bool primary) {
  if (header.cards().first("BITPIX") != 1 || header.cards().first("NAXIS") != 2) {
    header.note("the mandatory keywords are not in the standard's order");
  }
  const card_value simple = header.cards().value("SIMPLE");
  if (primary && !simple.logical) {
    header.note("SIMPLE = " + describe(simple) + ": the file does not claim to follow the standard");
  }
}

bool holds(pixel_type type, std::int64_t value) {
  return visit(type, [value]<class T>(std::type_identity<T>) {
    return static_cast<std::int64_t>(static_cast<T>(value)) == value;
  });
}

}  // namespace

int judge_bitpix(const keywords& header, std::string_view keyword) {
  const std::int64_t value = header.required_integer(keyword, -64, 64);
  if (value != 8 && value != 16 && value != 32 && value != 64 && value != -32 && value != -64) {
    header.fail(errc::header_invalid,
                std::string(keyword) + ": expected 8, 16, 32, 64, -32 or -64, found " + std::to_string(value));
  }
  return static_cast<int>(value);
}

pixel_type type_of_bitpix(int bitpix) {
  switch (bitpix) {
    case 8: return pixel_type::u8;
    case 16: return pixel_type::i16;
    case 32: return pixel_type::i32;
    case 64: return pixel_type::i64;
    case -32: return pixel_type::f32;
    default: return pixel_type::f64;
  }
}

std::vector<std::int64_t> judge_axes(const keywords& header, std::string_view stem, std::int64_t count) {
  std::vector<std::int64_t> axes;
  for (std::int64_t n = 1; n <= count; ++n) axes.push_back(header.required_integer(numbered(stem, n), 0, int64_max));
  return axes;
}

std::uint64_t array_bytes(const keywords& header, const std::vector<std::int64_t>& axes, int bitpix, const char* what) {
  // A zero axis first: 777777701 x 777777701 x 777777701 x 0 is legal and empty.
  if (axes.empty() || std::find(axes.begin(), axes.end(), 0) != axes.end()) return 0;
  std::optional<std::int64_t> bytes = std::abs(bitpix) / 8;
  for (const std::int64_t extent : axes) {
    bytes = checked_multiply(*bytes, extent);
    if (!bytes) header.fail(errc::header_invalid, std::string(what) + " give an array of 2^63 bytes or more");
  }
  return static_cast<std::uint64_t>(*bytes);
}

shape reversed(const keywords& header, const std::vector<std::int64_t>& axes, std::vector<reason>& reasons) {
  shape extents;
  if (axes.size() > static_cast<std::size_t>(max_rank)) {
    reasons.push_back({reason_code::rank_unsupported, header.place().hdu,
                       "the image has " + std::to_string(axes.size()) + " axes; at most " + std::to_string(max_rank) +
                           " are supported"});
    return extents;
  }
  extents.rank = static_cast<int>(axes.size());
  std::copy(axes.rbegin(), axes.rend(), extents.extent.begin());
  return extents;
}

structure judge_structure(const keywords& header, bool primary) {
  structure size;
  size.kind = primary ? hdu_kind::image : kind_of_extension(header);
  size.bitpix = judge_bitpix(header, "BITPIX");
  size.axes = judge_axes(header, "NAXIS", header.required_integer("NAXIS", 0, max_axes));
  size.pcount = judge_count(header, "PCOUNT", 0, !primary);
  size.gcount = judge_count(header, "GCOUNT", 1, !primary);
  if (primary && has_random_groups(header, size.axes)) size.kind = hdu_kind::random_groups;
  if (size.kind == hdu_kind::image && size.axes.empty()) size.kind = hdu_kind::empty;
  if (size.kind == hdu_kind::binary_table && header.is_true("ZIMAGE")) size.kind = hdu_kind::compressed_image;
  size.data_bytes = judge_data_bytes(header, size);
  note_order(header, primary);
  return size;
}

std::string judge_name(const keywords& header) {
  std::string name;
  for (const card_value& value : header.cards().values("EXTNAME")) {
    if (value.kind != value_kind::string) continue;
    const std::string found(trim(value.text));
    if (found != default_compressed_name || name.empty()) name = found;
  }
  return name;
}

std::int64_t judge_version(const keywords& header) {
  const card_value version = header.cards().value("EXTVER");
  if (version.kind == value_kind::integer) return version.integer;
  if (version.kind != value_kind::absent) header.note("EXTVER: expected an integer, found " + describe(version));
  return 1;
}

void judge_scaling(const keywords& header, image_hdu& image, bool null_for_floats) {
  if (const auto scale = header.lenient("BSCALE")) image.scale = scale->value;
  if (const auto zero = header.lenient("BZERO")) {
    image.zero = zero->value;
    image.zero_is_integer = zero->integer_literal;
  }
  const card_value blank = header.cards().value("BLANK");
  if (blank.kind == value_kind::absent) return;
  if (is_floating(image.stored_type) && !null_for_floats) {
    header.note("BLANK is ignored: it has no meaning for floating-point pixels");
  } else if (blank.kind != value_kind::integer) {
    header.note("BLANK is ignored: expected an integer, found " + describe(blank));
  } else {
    image.blank = blank.integer;
    if (header.cards().conflicting("BLANK")) {
      header.note("BLANK appears more than once with different values; the last counts");
    }
    if (!is_floating(image.stored_type) && !holds(image.stored_type, blank.integer)) {
      header.note("BLANK = " + std::to_string(blank.integer) + " lies outside " + std::string(name(image.stored_type)) +
                  ": no pixel can be blank");
    }
  }
}

image_hdu describe_plain(const keywords& header, const structure& size) {
  image_hdu image;
  image.stored_type = type_of_bitpix(size.bitpix);
  image.extents = reversed(header, size.axes, image.reasons);
  if (size.kind == hdu_kind::random_groups) {
    image.reasons.push_back({reason_code::random_groups, header.place().hdu,
                             "the primary HDU holds random groups (GROUPS = T), which are no array; read them with a "
                             "program for visibility data"});
  } else if (size.pcount != 0 || size.gcount != 1) {
    image.reasons.push_back({reason_code::array_parameters, header.place().hdu,
                             "expected PCOUNT = 0 and GCOUNT = 1 in an image, found " + std::to_string(size.pcount) +
                                 " and " + std::to_string(size.gcount) + "; readers disagree about such files"});
  }
  judge_scaling(header, image, false);
  return image;
}

}  // namespace cuphoton::xdr::fits
