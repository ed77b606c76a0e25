// reader.hpp: from a source to a list of HDUs, a plan, or pixels. The front door.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <cuphoton/xdr/capabilities.hpp>
#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/image.hpp>
#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/source.hpp>
#include <cuphoton/xdr/stream.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Which HDU: nothing (the first with pixels), a zero-based number, or a name (EXTNAME without regard to case,
/// "PRIMARY" for HDU 0) with an optional EXTVER.
struct hdu_selector {
  std::optional<int> index;
  std::optional<std::string> name;
  std::optional<std::int64_t> version;

  static hdu_selector number(int index) { return {index, {}, {}}; }
  static hdu_selector named(std::string name, std::optional<std::int64_t> version = {}) {
    return {{}, std::move(name), version};
  }
};

enum class hdu_kind : std::uint8_t { empty, image, compressed_image, random_groups, binary_table, ascii_table, other };
std::string_view name(hdu_kind kind) noexcept;

/// One line of a listing. Everything below `kind` is meaningful for images only.
struct hdu_info {
  int index = 0;
  hdu_kind kind = hdu_kind::empty;
  std::string name;  // EXTNAME, trimmed; "" where there is none
  std::int64_t version = 1;
  std::uint64_t header_offset_bytes = 0;
  std::uint64_t data_offset_bytes = 0;
  std::uint64_t data_bytes = 0;  // without padding
  shape extents;
  pixel_type stored_type = pixel_type::u8;
  pixel_type scaled_type = pixel_type::u8;  // of read(values = scaled)
  double scale = 1.0;
  double zero = 0.0;
  std::optional<std::int64_t> null_value;
  std::string codec_name;  // ZCMPTYPE as written
  shape tile_shape;
  std::string quantization;        // ZQUANTIZ where it counts, else ""
  std::vector<reason> reasons;     // why no engine can read it
  std::vector<std::string> notes;  // tolerated oddities
  std::optional<error> problem;    // what is wrong with its header
  std::vector<std::string> cards;  // the whole header, 80 characters a card
};

struct file_info {
  std::string file;
  std::uint64_t file_bytes = 0;            // unpacked, where `outer` says so, as all offsets
  std::optional<outer_compression> outer;  // what was unpacked to get there
  std::vector<hdu_info> hdus;
  std::optional<error> problem;    // where the walk had to stop; the HDUs before it are good
  std::vector<std::string> notes;  // bytes after the last HDU and the like
};

/// Lists the HDUs without reading pixels. Throws where not even the first HDU can be read.
file_info inspect(const byte_source& source, const limits& caps = {});
/// Steps 1 to 3: what reading would do. Throws for a header or tile table that is broken.
image_plan plan(const byte_source& source, const hdu_selector& which = {}, const read_options& options = {});
/// Decodes an image into memory of its own. Throws error; then no pixel is handed out.
image read(const byte_source& source, const hdu_selector& which = {}, const read_options& options = {});
/// The same for a plan made before, for instance by `plan_from_json`. The source must have the plan's length.
image read(const byte_source& source, const image_plan& plan, const read_options& options = {});
/// Decodes into host memory that must hold exactly the bytes of the result. After an error its content is undefined.
receipt read_into(const byte_source& source, const image_plan& plan, std::span<std::uint8_t> out,
                  const read_options& options = {});
/// The same into memory of CUDA device options.device. Nothing is written before what `stream` holds at the time of the
/// call is done; the pixels are complete when this returns. Throws error{unsupported} where no GPU can be used.
receipt read_into_device(const byte_source& source, const image_plan& plan, void* out, std::size_t length_bytes,
                         const read_options& options = {}, stream_view stream = {});
/// Version of the library, "0.1.0".
std::string_view library_version() noexcept;

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
