// fuzz_tile.cpp: one tile of any bytes, decoded by the host engine, the core with one lane and shuffled lanes, between
// unmapped pages; all must agree in status, position and pixels. Compiled once for each codec (XDR_FUZZ_CODEC, its
// folder).
//
//   byte 0     row among those of the folder (bits 0-1), place of the buffers (bit 2), gzip: wrap the rest as the
//   DEFLATE
//              stream of a member with a right trailer (bit 3), bytes of room a pixel 1, 2, 4, 8 (bits 4-5)
//   byte 1-2   pixels, little-endian
//   byte 3     Rice: BYTEPIX; PLIO: what is subtracted, in 256; HCOMPRESS: smoothing (bit 0), clipping to 16 bits (bit
//   1) byte 4     Rice: BLOCKSIZE; rows of the tile, where it divides the pixels byte 5     seed of the shuffled lanes
//   rest       the tile
#include <libdeflate.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "support/codec_cores.hpp"

namespace {

using namespace cuphoton::xdr;

constexpr std::size_t prefix_bytes = 6;
constexpr std::size_t longest_tile_bytes = std::size_t{1} << 16;
constexpr std::size_t most_pixels = 4096;

/// A member whose CRC32 and ISIZE are right if libdeflate can decode the payload: no fuzzer would guess them.
std::vector<std::uint8_t> wrap_payload(const std::uint8_t* payload, std::size_t length_bytes) {
  static const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  static std::vector<std::uint8_t> content(8 * most_pixels);
  std::size_t used_bytes = 0;
  std::size_t content_bytes = 0;
  if (libdeflate_deflate_decompress_ex(decompressor.get(), payload, length_bytes, content.data(), content.size(),
                                       &used_bytes, &content_bytes) != LIBDEFLATE_SUCCESS) {
    used_bytes = length_bytes;
    content_bytes = 0;
  }
  const std::uint32_t crc = libdeflate_crc32(0, content.data(), content_bytes);
  const auto length = static_cast<std::uint32_t>(content_bytes);
  std::vector<std::uint8_t> member{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
  member.insert(member.end(), payload, payload + used_bytes);
  for (const std::uint32_t word : {crc, length}) {
    for (int shift = 0; shift < 32; shift += 8) member.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  return member;
}

/// The `choice`-th row whose codec lies in the folder of this target.
const codec_row& choose_row(unsigned choice) {
  std::vector<const codec_row*> rows;
  for (const test::codec_core& core : test::codec_cores()) {
    if (core.folder == XDR_FUZZ_CODEC) rows.push_back(find_codec(core.id));
  }
  if (rows.empty()) {
    std::fprintf(stderr, "no codec in folder " XDR_FUZZ_CODEC "\n");
    std::abort();
  }
  return *rows[choice % rows.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length) {
  if (length < prefix_bytes || length > longest_tile_bytes) return 0;
  static test::tile_judge judge(longest_tile_bytes + 64, 8 * most_pixels);
  const codec_row& row = choose_row(data[0] & 3u);
  const std::uint64_t pixels = (data[1] | (static_cast<std::uint64_t>(data[2]) << 8)) % (most_pixels + 1);
  codec_parameters parameters;
  parameters.rice_pixel_bytes = data[3];
  parameters.rice_block_pixels = data[4];
  parameters.plio_zero = std::uint32_t{data[3]} << 8;
  parameters.hcompress_smooth = (data[3] & 1u) != 0;
  parameters.hcompress_clip_16 = (data[3] & 2u) != 0;
  const std::uint64_t rows = data[4] != 0 && pixels % data[4] == 0 ? data[4] : 1;
  const tile_extents extents(rows, pixels / rows);
  const test::placement where = (data[0] & 4u) != 0 ? test::placement::at_start : test::placement::at_end;
  std::span<const std::uint8_t> tile(data + prefix_bytes, length - prefix_bytes);
  std::vector<std::uint8_t> member;
  if ((data[0] & 8u) != 0 && row.decode_tile == find_codec(codec_id::gzip_1)->decode_tile) {
    member = wrap_payload(tile.data(), tile.size());
    tile = member;
  }
  const auto [decoded, difference] =
      judge.decode(row, parameters, tile, extents, 1u << ((data[0] >> 4) & 3u), where, 1u + data[5]);
  if (!difference.empty()) {
    std::fprintf(stderr, "%s\n", difference.c_str());
    std::abort();
  }
  if (decoded.result.bits_used > 8 * tile.size()) std::abort();
  if (decoded.result.status == tile_status::ok &&
      decoded.result.bytes_written != pixels * decoded.result.element_bytes) {
    std::abort();
  }
  return 0;
}
