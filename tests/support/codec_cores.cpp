// codec_cores.cpp: one row for each codec, and the comparison.
#include "support/codec_cores.hpp"

#include <libdeflate.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"
#include "codecs/hcompress/hcompress_core.hpp"
#include "codecs/none/none_core.hpp"
#include "codecs/plio/plio_core.hpp"
#include "codecs/rice/rice_core.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Runs body(lanes).
template <class Body>
tile_result with_lanes(std::uint32_t seed, Body body) {
  if (seed == 0) {
    one_lane lanes;
    return body(lanes);
  }
  shuffled_lanes lanes(seed);
  return body(lanes);
}

decoded_tile none_core(std::uint32_t, const codec_parameters&, byte_view compressed, const tile_extents& extents,
                       std::span<std::uint8_t>) {
  return {decode_raw_tile(compressed, extents.pixels()), compressed.data};
}

/// One lane with the reader and output of the host, shuffled lanes with those of the device.
decoded_tile gzip_core(std::uint32_t seed, const codec_parameters&, byte_view compressed, const tile_extents& extents,
                       std::span<std::uint8_t> room) {
  const std::uint64_t pixels = extents.pixels();
  gzip_workspace work;
  std::memset(&work, 0xa5, sizeof work);  // as shared memory is: full of somebody else's bytes
  if (seed == 0) {
    one_lane lanes;
    return {decode_gzip_tile(lanes, work, crc32_host_tables, compressed, pixels, room.data(), room.size()),
            room.data()};
  }
  shuffled_lanes lanes(seed);
  return {decode_gzip_tile<word_reader, held_output<shuffled_lanes>>(lanes, work, crc32_host_tables, compressed, pixels,
                                                                     room.data(), room.size()),
          room.data()};
}

decoded_tile rice_core(std::uint32_t seed, const codec_parameters& parameters, byte_view compressed,
                       const tile_extents& extents, std::span<std::uint8_t> room) {
  return {with_lanes(seed,
                     [&](auto& lanes) {
                       return decode_rice_tile(lanes, compressed, parameters.rice_pixel_bytes,
                                               parameters.rice_block_pixels, extents.pixels(), room.data(),
                                               room.size());
                     }),
          room.data()};
}

decoded_tile plio_core(std::uint32_t seed, const codec_parameters& parameters, byte_view compressed,
                       const tile_extents& extents, std::span<std::uint8_t> room) {
  plio_workspace work;
  std::memset(&work, 0xa5, sizeof work);
  return {with_lanes(seed,
                     [&](auto& lanes) {
                       return decode_plio_tile(lanes, work, compressed, parameters.plio_zero, extents.pixels(),
                                               room.data(), room.size());
                     }),
          room.data()};
}

/// One lane with the reader of the host, shuffled lanes with that of the device. The working memory is full of somebody
/// else's bytes and ends where it ends.
decoded_tile hcompress_core(std::uint32_t seed, const codec_parameters& parameters, byte_view compressed,
                            const tile_extents& extents, std::span<std::uint8_t> room) {
  std::vector<std::uint64_t> held;
  const auto memory = [&held](std::uint64_t length_bytes) {
    held.assign(static_cast<std::size_t>((length_bytes + 7) / 8), 0xa5a5a5a5a5a5a5a5U);
    return reinterpret_cast<std::uint8_t*>(held.data());
  };
  const auto store = [&](std::size_t index, std::int32_t value) {
    std::memcpy(room.data() + index * sizeof value, &value, sizeof value);
  };
  const hcompress_options options{parameters.hcompress_smooth, parameters.hcompress_clip_16};
  const auto decode = [&]<class Input>(auto& lanes) {
    return decode_hcompress_tile<Input>(lanes, hcompress_host_codes, compressed, options, extents, room.size(), memory,
                                        store);
  };
  if (seed == 0) {
    one_lane lanes;
    return {decode.operator()<hcompress_view_bits>(lanes), room.data()};
  }
  shuffled_lanes lanes(seed);
  return {decode.operator()<hcompress_word_bits>(lanes), room.data()};
}

constexpr codec_core cores[] = {
    {codec_id::none, "none", &none_core},
    {codec_id::gzip_1, "gzip", &gzip_core},
    {codec_id::gzip_2, "gzip", &gzip_core},
    {codec_id::rice_1, "rice", &rice_core},
    {codec_id::hcompress_1, "hcompress", &hcompress_core},
    {codec_id::plio_1, "plio", &plio_core},
};

/// libdeflate alone: the host engine lets the core overrule its "no", which must never happen.
bool libdeflate_accepts(byte_view tile, std::uint64_t pixels, std::span<std::uint8_t> room) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  const std::uint64_t capacity = pixels * widest_element(pixels, room.size());
  std::size_t written_bytes = 0;
  return libdeflate_gzip_decompress_ex(decompressor.get(), tile.data, tile.length_bytes, room.data(), capacity, nullptr,
                                       &written_bytes) == LIBDEFLATE_SUCCESS &&
         element_width(pixels, written_bytes) != 0;
}

std::string describe(const tile_result& result) {
  return std::string(" status ") + std::to_string(static_cast<int>(result.status)) + " bits " +
         std::to_string(result.bits_used) + " bytes " + std::to_string(result.bytes_written) + " width " +
         std::to_string(result.element_bytes) + " surplus " + std::to_string(result.surplus_input) + " check " +
         std::to_string(result.check.file) + ":" + std::to_string(result.check.line);
}

/// Empty where both decoded the same.
std::string difference_between(const char* name, const decoded_tile& reference, const decoded_tile& other) {
  if (reference.result != other.result) {
    return std::string(name) + ":" + describe(reference.result) + " against" + describe(other.result);
  }
  const std::size_t bytes = reference.result.bytes_written;
  if (bytes != 0 && std::memcmp(reference.raw, other.raw, bytes) != 0) return std::string(name) + ": other pixels";
  return {};
}

}  // namespace

std::span<const codec_core> codec_cores() {
  return cores;
}

const codec_core* find_core(codec_id id) {
  for (const codec_core& core : cores) {
    if (core.id == id) return &core;
  }
  return nullptr;
}

tile_judge::tile_judge(std::size_t longest_tile_bytes, std::size_t largest_room_bytes)
    : input_(longest_tile_bytes), host_room_(largest_room_bytes + raw_slack_bytes), core_room_(largest_room_bytes) {}

tile_judge::outcome tile_judge::decode(const codec_row& row, const codec_parameters& parameters,
                                       std::span<const std::uint8_t> tile, const tile_extents& extents,
                                       std::uint32_t bytes_per_pixel, placement where, std::uint32_t seed) {
  const std::span<const std::uint8_t> held = input_.hold(tile, where);
  const byte_view compressed{held.data(), held.size()};
  const std::uint64_t pixels = extents.pixels();
  const std::size_t room_bytes = static_cast<std::size_t>(pixels) * bytes_per_pixel;
  const std::span<std::uint8_t> host_room = host_room_.part(room_bytes + raw_slack_bytes, where);
  const std::span<std::uint8_t> core_room = core_room_.part(room_bytes, where);

  outcome result{row.decode_tile(parameters, compressed, extents, host_room), {}};
  const codec_core* const core = find_core(row.id);
  if (core == nullptr) {
    result.difference = "no core in tests/support/codec_cores.cpp";
    return result;
  }
  std::memset(core_room.data(), 0xee, core_room.size());
  result.difference = difference_between("host against one lane", result.tile,
                                         core->decode(0, parameters, compressed, extents, core_room));
  if (result.difference.empty()) {
    std::memset(core_room.data(), 0xdd, core_room.size());
    result.difference = difference_between("host against shuffled lanes", result.tile,
                                           core->decode(seed, parameters, compressed, extents, core_room));
  }
  if (result.difference.empty() && core->folder == "gzip" && !tile.empty() && room_bytes != 0 &&
      libdeflate_accepts(compressed, pixels, core_room) != (result.tile.result.status == tile_status::ok)) {
    result.difference = "libdeflate and the core disagree:" + describe(result.tile.result);
  }
  return result;
}

}  // namespace cuphoton::xdr::test
