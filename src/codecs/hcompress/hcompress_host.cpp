// hcompress_host.cpp: the shared text with one lane, and the memory that it works in.
#include "codecs/hcompress/hcompress_host.hpp"

#include <cstring>
#include <memory>

#include "base/lanes.hpp"
#include "codecs/hcompress/hcompress_core.hpp"

namespace cuphoton::xdr {
namespace {

/// Working memory of a thread, kept from tile to tile. What a large tile needed is given back at once: threads of the
/// pool live as long as the process.
class working_memory {
 public:
  std::uint8_t* get(std::uint64_t length_bytes) {
    const std::uint64_t words = (length_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (words > capacity_words_) {
      release();
      words_.reset(new std::uint64_t[static_cast<std::size_t>(words)]);
      capacity_words_ = words;
    }
    return reinterpret_cast<std::uint8_t*>(words_.get());
  }
  void trim() {
    if (capacity_words_ * sizeof(std::uint64_t) > most_kept_bytes) release();
  }

 private:
  static constexpr std::uint64_t most_kept_bytes = std::uint64_t{16} << 20;

  void release() {
    words_.reset();
    capacity_words_ = 0;
  }

  std::unique_ptr<std::uint64_t[]> words_;
  std::uint64_t capacity_words_ = 0;
};

}  // namespace

decoded_tile decode_hcompress_host(const codec_parameters& parameters, byte_view compressed,
                                   const tile_extents& extents, std::span<std::uint8_t> room) {
  thread_local working_memory memory;
  one_lane lanes;
  const auto store = [to = room.data()](std::size_t index, std::int32_t value) {
    std::memcpy(to + index * sizeof value, &value, sizeof value);
  };
  const decoded_tile decoded{
      decode_hcompress_tile<hcompress_view_bits>(
          lanes, hcompress_host_codes, compressed, {parameters.hcompress_smooth, parameters.hcompress_clip_16}, extents,
          raw_room_bytes(room), [](std::uint64_t length_bytes) { return memory.get(length_bytes); }, store),
      room.data()};
  memory.trim();
  return decoded;
}

}  // namespace cuphoton::xdr
