// bounds.hpp: the words of the command line that stand for numbers: HDUs, sections, sizes in bytes and pixels.
// Text in, plain data out; every fault is error{invalid_argument}, so exit code 2. Knows no flag and no file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <cuphoton/xdr/reader.hpp>
#include <cuphoton/xdr/types.hpp>

namespace cuphoton::xdr::cli {

/// One axis of a section as written; an empty bound is the edge of the image, a negative one counts from its end.
struct axis_bounds {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> stop;
  std::optional<std::int64_t> step;
};
using section_bounds = std::vector<axis_bounds>;

/// "1", "SCI" or "SCI,2".
hdu_selector parse_hdu(std::string_view text);
/// "0:10,5:20:3": one start:stop or start:stop:step for each axis, slowest first.
section_bounds parse_section(std::string_view text);
/// Unlike NumPy this clips nothing: a bound outside the image is a fault of the caller.
strided_box resolve(const section_bounds& section, const shape& extents);
/// "1048576", "1024K", "1M", "2G": powers of 1024.
std::uint64_t parse_bytes(std::string_view text);
/// "1000x1200" or "8x100x100", slowest axis first.
shape parse_shape(std::string_view text);
std::uint64_t parse_count(std::string_view text, std::uint64_t largest, std::string_view flag);

}  // namespace cuphoton::xdr::cli
