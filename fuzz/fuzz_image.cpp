// fuzz_image.cpp: any bytes as a FITS file: list it, plan and read every image, scaled and stored, whole and a section
// of it. Only xdr::error may come out; a section equals the slice of the whole.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <cuphoton/xdr/reader.hpp>

namespace {

using namespace cuphoton::xdr;

constexpr std::uint64_t most_bytes = 1 << 20;  // of one image: keeps executions fast

/// Row 1 of the first axis, as a section, against the same row of `all`.
void check_section(const byte_source& source, int hdu, const image& all, read_options options) {
  const shape& extents = all.extents();
  if (extents.rank == 0 || extents[0] < 2) return;
  box row = whole(extents);
  row.start[0] = 1;
  row.extent[0] = 1;
  options.section = row;
  const image part = read(source, hdu_selector::number(hdu), options);
  const std::size_t length = part.bytes().size();
  if (std::memcmp(part.bytes().data(), all.bytes().data() + length, length) != 0) std::abort();
}

void read_both_ways(const byte_source& source, int hdu) {
  for (const pixel_values values : {pixel_values::scaled, pixel_values::stored}) {
    read_options options;
    options.values = values;
    options.threads = 1;
    options.caps.max_bytes = most_bytes;
    try {
      const image all = read(source, hdu_selector::number(hdu), options);
      check_section(source, hdu, all, options);
    } catch (const error&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  limits caps;
  caps.max_header_bytes = 1 << 20;
  caps.max_unpacked_bytes = 1 << 20;
  std::shared_ptr<const byte_source> source;
  file_info info;
  try {
    source = memory_source({data, size}, "fuzz", caps);
    info = inspect(*source, caps);
  } catch (const error&) {
    return 0;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(info.hdus.size(), 8); ++i) {
    if (info.hdus[i].kind == hdu_kind::image || info.hdus[i].kind == hdu_kind::compressed_image) {
      read_both_ways(*source, static_cast<int>(i));
    }
  }
  return 0;
}
