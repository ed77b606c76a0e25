// status.hpp: what a decoder says about one tile. Shared by host and device code: no exceptions here.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

enum class tile_status : std::uint8_t {
  ok,
  truncated,     // the compressed bytes end before the tile does
  bad_data,      // the bytes break the format's rules
  bad_checksum,  // decoded, but CRC32 or ISIZE say that it is not what was written
  output_short,  // fewer pixels than the tile has
  output_long,   // more pixels than the tile has
  out_of_range,  // a decoded integer does not fit the image's stored type
  no_data,       // no column of the table holds bytes for the tile
  not_run,       // preset before a launch: the decoder never reported
};
std::string_view name(tile_status status) noexcept;

/// Which judgement failed: `line` of the XDR_CHECK in the file with number `file`; 0 and 0 mean none.
struct check_id {
  std::uint16_t file = 0;
  std::uint16_t line = 0;
  bool operator==(const check_id&) const = default;
};

/// Report on one tile. Position and lengths are those at which decoding stopped.
struct tile_result {
  std::uint64_t bits_used = 0;      // compressed bits consumed
  std::uint64_t bytes_written = 0;  // raw bytes produced
  check_id check;                   // the failed judgement, for bug reports
  tile_status status = tile_status::not_run;
  std::uint8_t element_bytes = 0;  // width of one raw element: 1, 2, 4 or 8
  bool surplus_input = false;      // bytes were left over after the end of the stream: tolerated, noted
  bool operator==(const tile_result&) const = default;
};
static_assert(sizeof(tile_result) == 24);
static_assert(std::is_trivially_copyable_v<tile_result>);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
