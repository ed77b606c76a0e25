// gzip_host.cpp: libdeflate decodes; a tile that it refuses is decoded again by our own core, since libdeflate does not
// say where and why it stopped. Both accept the same streams (tests/conformance, fuzz/fuzz_tile.cpp).
#include "codecs/gzip/gzip_host.hpp"

#include <libdeflate.h>

#include <memory>

#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"

namespace cuphoton::xdr {
namespace {

struct decompressor_deleter {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

/// One for each thread, freed when it ends; null where there was no memory, then the core does the work.
libdeflate_decompressor* thread_decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, decompressor_deleter> decompressor(
      libdeflate_alloc_decompressor());
  return decompressor.get();
}

/// False where libdeflate refuses the tile or its length is not whole pixels.
bool decode_fast(byte_view tile, std::uint64_t pixels, std::uint8_t* room, std::uint64_t capacity,
                 tile_result& result) {
  libdeflate_decompressor* const decompressor = thread_decompressor();
  if (decompressor == nullptr || tile.length_bytes == 0) return false;
  std::uint8_t nothing = 0;  // libdeflate wants an address even for no bytes
  std::size_t used_bytes = 0;
  std::size_t written_bytes = 0;
  if (libdeflate_gzip_decompress_ex(decompressor, tile.data, tile.length_bytes, room != nullptr ? room : &nothing,
                                    static_cast<std::size_t>(capacity), &used_bytes,
                                    &written_bytes) != LIBDEFLATE_SUCCESS) {
    return false;
  }
  const std::uint32_t width = element_width(pixels, written_bytes);
  if (width == 0) return false;
  result.bits_used = 8 * static_cast<std::uint64_t>(used_bytes);
  result.bytes_written = written_bytes;
  result.status = tile_status::ok;
  result.element_bytes = static_cast<std::uint8_t>(width);
  result.surplus_input = used_bytes < tile.length_bytes;
  return true;
}

}  // namespace

decoded_tile decode_gzip_host(const codec_parameters&, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t> room) {
  const std::uint64_t pixels = extents.pixels();
  const std::uint64_t room_bytes = raw_room_bytes(room);
  const std::uint64_t capacity = pixels * widest_element(pixels, room_bytes);
  decoded_tile tile{{}, room.data()};
  if (decode_fast(compressed, pixels, room.data(), capacity, tile.result)) return tile;
  thread_local gzip_workspace work;  // 5 KiB; no constructor runs
  one_lane lanes;
  tile.result = decode_gzip_tile(lanes, work, crc32_host_tables, compressed, pixels, room.data(), room_bytes);
  return tile;
}

}  // namespace cuphoton::xdr
