// plio_host.cpp: one word after the other, as a processor likes it; a tile that this refuses is decoded again by the
// shared core, which says where and why it stopped. Both accept the same tiles (tests/conformance, fuzz/fuzz_tile.cpp).
#include "codecs/plio/plio_host.hpp"

#include <algorithm>

#include "base/lanes.hpp"
#include "codecs/plio/plio_core.hpp"

namespace cuphoton::xdr {
namespace {

/// Pixels of one tile: native integers at any address.
class pixel_writer {
 public:
  pixel_writer(std::uint8_t* bytes, std::uint64_t pixels, std::uint32_t zero)
      : bytes_(bytes), left_(pixels), zero_(zero) {}

  bool full() const { return left_ == 0; }
  void skip(std::uint64_t count) {  // over pixels that hold zero already
    bytes_ += sizeof(std::uint32_t) * std::min(count, left_);
    left_ -= std::min(count, left_);
  }
  void fill(std::uint64_t count, std::int32_t high) {
    const std::uint32_t value = static_cast<std::uint32_t>(high) - zero_;
    count = std::min(count, left_);
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(bytes_ + i * sizeof value, &value, sizeof value);
    skip(count);
  }

 private:
  std::uint8_t* bytes_;
  std::uint64_t left_;
  std::uint32_t zero_;
};

/// False where a word is wrong. `next` ends behind the last word that was needed.
bool write_words(byte_view tile, const plio_extent& data, pixel_writer& out, std::uint64_t& next) {
  std::int32_t high = 1;
  for (next = data.begin; next < data.end && !out.full();) {
    const plio_word word(load_plio_word(tile, next++));
    const auto count = static_cast<std::uint64_t>(word.d);
    switch (word.opcode) {
      case plio_opcode::zeros: out.skip(count); continue;
      case plio_opcode::high: out.fill(count, high); continue;
      case plio_opcode::zeros_high:
        if (count == 0) continue;
        out.skip(count - 1);
        out.fill(1, high);
        continue;
      case plio_opcode::set:
        if (next == data.end) return false;
        high = (load_plio_word(tile, next++) << 12) + word.d;
        break;
      case plio_opcode::raise:
      case plio_opcode::raise_high: high += word.d; break;
      case plio_opcode::lower:
      case plio_opcode::lower_high: high -= word.d; break;
      default: return false;
    }
    if (high < 0 || high > plio_highest) return false;
    if (word.pixels() == 1) out.fill(1, high);
  }
  return true;
}

bool decode_fast(byte_view tile, std::uint32_t zero, std::uint64_t pixels, std::uint8_t* room, std::uint64_t room_bytes,
                 tile_result& result) {
  plio_extent data;
  if (pixels == 0 || pixels > room_bytes / sizeof zero || !parse_plio_header(tile, data).ok()) return false;
  // Most pixels of a mask are zero, and one fill of them all is faster than one for each run.
  pixel_writer(room, pixels, zero).fill(pixels, 0);
  pixel_writer out(room, pixels, zero);
  std::uint64_t used_words = 0;
  if (!write_words(tile, data, out, used_words)) return false;
  result.status = tile_status::ok;
  result.bits_used = 16 * used_words;
  result.bytes_written = sizeof zero * pixels;
  result.element_bytes = sizeof zero;
  result.surplus_input = 2 * used_words < tile.length_bytes;
  return true;
}

}  // namespace

decoded_tile decode_plio_host(const codec_parameters& parameters, byte_view compressed, const tile_extents& extents,
                              std::span<std::uint8_t> room) {
  const std::uint64_t pixels = extents.pixels();
  const std::uint64_t room_bytes = raw_room_bytes(room);
  decoded_tile tile{{}, room.data()};
  if (decode_fast(compressed, parameters.plio_zero, pixels, room.data(), room_bytes, tile.result)) return tile;
  thread_local plio_workspace work;  // 3 KiB; no constructor runs
  one_lane lanes;
  tile.result = decode_plio_tile(lanes, work, compressed, parameters.plio_zero, pixels, room.data(), room_bytes);
  return tile;
}

}  // namespace cuphoton::xdr
