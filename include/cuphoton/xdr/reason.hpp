// reason.hpp: why something better was not used, or why an image cannot be read. Never an exception by itself.
// Codes are stable and documented in docs/errors-and-receipts.md (a test compares the lists); details are for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

enum class reason_code {
  codec_unsupported,         // ZCMPTYPE names a codec that no engine here decodes
  quantization_unsupported,  // ZSCALE/ZZERO as keywords, one of the two columns, or a contradiction
  null_mask_unsupported,     // NULL_PIXEL_MASK holds data
  pixel_width_unsupported,   // 8-byte RICE_1 or HCOMPRESS_1
  rank_unsupported,          // more axes than max_rank
  random_groups,             // a primary HDU in the random groups convention
  array_parameters,          // PCOUNT or GCOUNT of an image are not 0 and 1
  not_an_image,              // a table, or an HDU without pixels
  externally_compressed,     // .Z, .xz, .zip or another compression around the whole file
  device_unavailable,        // no GPU engine in this build, or no usable GPU
  device_memory,             // the GPU has not enough free memory for the image
  host_engine_unavailable,   // no host decoder for the codec
  nvcomp_unavailable,        // a gzip decoder of nvCOMP is asked for, and no nvCOMP can be used
  hardware_unavailable,      // the decompression engine is asked for, and the GPU has none that can do it
  memory_limit,              // more bytes than max_bytes or max_unpacked_bytes
};
std::string_view name(reason_code code) noexcept;

struct reason {
  reason_code code = reason_code::codec_unsupported;
  int hdu = -1;        // zero-based; -1: not about one HDU
  std::string detail;  // one sentence, names what was found and what to do

  bool operator==(const reason&) const = default;
};

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
