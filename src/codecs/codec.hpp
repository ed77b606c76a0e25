// codec.hpp: what a codec is to the rest of the library: a row of a table, not a class.
// The plan reads names and layouts, the host engine calls decode_tile, restore learns the raw_layout and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/reason.hpp>
#include <cuphoton/xdr/status.hpp>
#include <cuphoton/xdr/types.hpp>

#include "base/bytes.hpp"
#include "base/raw_layout.hpp"
#include "base/tile_extents.hpp"

struct CUstream_st;

namespace cuphoton::xdr {

struct device_group;  // restore/device_group.hpp

/// A tile as the host decodes it: where its raw bytes are and what the decoder says of them.
struct decoded_tile {
  tile_result result;
  const std::uint8_t* raw = nullptr;  // in `room`, or in the compressed bytes themselves where nothing has to be done
};

/// Host decoder of one tile. `extents` may hold no pixel; `room` holds capacity_bytes_per_pixel for each of them, plus
/// raw_slack_bytes that may be scribbled on. Thread-safe; throws nothing but std::bad_alloc, never reads outside
/// `compressed`.
using decode_tile_function = decoded_tile (*)(const codec_parameters& parameters, byte_view compressed,
                                              const tile_extents& extents, std::span<std::uint8_t> room);
/// Bytes behind the raw elements that a decoder may overwrite.
inline constexpr std::size_t raw_slack_bytes = 64;
/// What raw elements may take of `room`: all but the slack.
inline std::size_t raw_room_bytes(std::span<const std::uint8_t> room) noexcept {
  return room.size() > raw_slack_bytes ? room.size() - raw_slack_bytes : 0;
}

/// Device decoder of a codec: bits to final pixels in one launch. Null in builds without CUDA.
struct device_codec {
  /// Device memory that `decode` needs for `group` beside its own; may ask the device how much runs at once.
  std::uint64_t (*scratch_bytes)(const device_group& group);
  /// Enqueues the decoding of every tile on `stream`: results, pixels and findings are there when the stream is done. A
  /// tile that fails leaves its pixels undefined and touches no other tile's. Throws error{device_failed, device_lost}.
  void (*decode)(const device_group& group, void* scratch, std::uint64_t scratch_bytes, CUstream_st* stream);
};

/// Another device decoder of a row, used only where a caller names it, and only for tiles that a GPU decodes.
struct device_alternative {
  std::string_view name;  // as receipts write it
  bool alone;             // no tile may be decoded by the row's own decoder
  /// Why it cannot be used now for tiles of `largest_raw_bytes`; nothing if it can. Explicit choices have no second.
  std::optional<reason> (*obstacle)(const read_options& options, std::uint64_t largest_raw_bytes);
  std::string (*note)();       // for the receipt
  const device_codec* device;  // nullptr without CUDA
};

struct codec_row {
  codec_id id;
  std::string_view fits_name;  // ZCMPTYPE
  raw_layout layout;
  std::string_view checks;           // what a receipt says was verified; "" for codecs without a checksum
  decode_tile_function decode_tile;  // host engine
  const device_codec* device;        // device engine; nullptr without CUDA
  /// What the options name instead of `device`; nullptr: `device`. A null function: the row has no alternative.
  const device_alternative* (*alternative)(const read_options& options) noexcept;
};

/// All codecs that this build decodes.
std::span<const codec_row> codec_table() noexcept;
/// nullptr where the codec has no row.
const codec_row* find_codec(codec_id id) noexcept;
/// By ZCMPTYPE, case-sensitive as in CFITSIO and Astropy; RICE_ONE is RICE_1 (written by CFITSIO 3.35 to 4.6.3).
const codec_row* find_codec(std::string_view fits_name) noexcept;

}  // namespace cuphoton::xdr
