// bunzip2.cpp: the only door to libbz2. It streams, so the room grows while it works and nothing is unpacked twice.
#include "io/bunzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>

namespace cuphoton::xdr::io {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // libbz2 counts in unsigned int

/// A decompressor that is freed exactly once.
class decompressor {
 public:
  decompressor() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc{};
  }
  ~decompressor() { BZ2_bzDecompressEnd(&stream_); }
  decompressor(const decompressor&) = delete;
  decompressor& operator=(const decompressor&) = delete;

  /// One call: moves `packed` and `room` past what was used and filled. libbz2 does not write to its input.
  int step(std::span<const std::uint8_t>& packed, std::span<std::uint8_t>& room) {
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(packed.data()));
    stream_.avail_in = static_cast<unsigned>(std::min(packed.size(), most_at_once));
    stream_.next_out = reinterpret_cast<char*>(room.data());
    stream_.avail_out = static_cast<unsigned>(std::min(room.size(), most_at_once));
    const unsigned given = stream_.avail_in;
    const unsigned free = stream_.avail_out;
    const int status = BZ2_bzDecompress(&stream_);
    packed = packed.subspan(given - stream_.avail_in);
    room = room.subspan(free - stream_.avail_out);
    return status;
  }

 private:
  bz_stream stream_{};
};

}  // namespace

member_report bunzip2_member(byte_view packed, unpacked_bytes& out) {
  decompressor stream;
  std::span<const std::uint8_t> rest(packed.data, packed.length_bytes);
  // Ends: a call that is not the last uses up what it was given on one of the two sides, and both are bounded.
  for (;;) {
    std::uint8_t beyond = 0;  // a stream that fills the limit exactly must still come to its end
    const bool full = out.room().empty() && !out.grow();
    std::span<std::uint8_t> room = full ? std::span(&beyond, 1) : out.room();
    const std::size_t free = room.size();
    const int status = stream.step(rest, room);
    const std::size_t filled = free - room.size();
    if (!full) out.add(filled);
    const std::uint64_t used_bytes = packed.length_bytes - rest.size();
    if (full && filled > 0) return {member_state::too_large, used_bytes};
    if (status == BZ_STREAM_END) return {member_state::complete, used_bytes};
    if (status == BZ_MEM_ERROR) throw std::bad_alloc{};
    if (status != BZ_OK) return {member_state::damaged, used_bytes};
    if (rest.empty() && !room.empty()) return {member_state::truncated, used_bytes};
  }
}

}  // namespace cuphoton::xdr::io
