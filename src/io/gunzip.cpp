// gunzip.cpp: libdeflate unpacks a member in one go, twice as fast as zlib streams it, and wants all its room before it
// begins: a member that does not fit is begun again in twice the room. Rooms only double, so all passes together write
// less than three times what the last one does. What libdeflate refuses our own core decodes again, to say why.
#include "io/gunzip.hpp"

#include <libdeflate.h>

#include <memory>
#include <new>

#include "base/lanes.hpp"
#include "codecs/gzip/frame_core.hpp"

namespace cuphoton::xdr::io {
namespace {

constexpr std::uint64_t most_deflate_ratio = 1032;  // 258 bytes of a match in two bits (RFC 1951 §3.2.5)

struct decompressor_deleter {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

/// One for each thread, freed when it ends: a file may have a member for each few bytes.
libdeflate_decompressor* thread_decompressor() {
  thread_local const std::unique_ptr<libdeflate_decompressor, decompressor_deleter> decompressor(
      libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc{};
  return decompressor.get();
}

/// Why libdeflate refused the member, and where.
member_report explain(byte_view packed, const unpacked_bytes& out) {
  thread_local gzip_workspace work;  // 5 KiB; no constructor runs
  one_lane lanes;
  tile_result result;
  inflate_output room;
  room.bytes = out.room().data();
  room.capacity = out.room().size();
  const verdict why = decode_gzip_member<lsb_reader>(lanes, work, crc32_host_tables, packed, 1, true, room, result);
  member_report report{member_state::damaged, result.bits_used / 8};
  if (why.status == tile_status::truncated) report.state = member_state::truncated;
  if (why.status == tile_status::bad_checksum) report.state = member_state::bad_checksum;
  return report;
}

}  // namespace

std::uint64_t first_gunzip_bytes(byte_view packed) {
  const std::uint64_t length_bytes = packed.length_bytes;
  const std::uint64_t guess = 4 * length_bytes;  // no overflow: the bytes lie in memory
  if (length_bytes < gzip_header_bytes + gzip_trailer_bytes) return guess;
  // ISIZE is modulo 2^32, of the last member only, and may lie or be trailing garbage: a hint, never a judgement.
  const std::uint64_t stated = load_le<std::uint32_t>(packed.data + length_bytes - 4);
  return stated >= length_bytes / 2 && stated <= most_deflate_ratio * length_bytes ? stated : guess;
}

member_report gunzip_member(byte_view packed, unpacked_bytes& out) {
  for (int passes = 1;; ++passes) {
    std::size_t used_bytes = 0;
    std::size_t written_bytes = 0;
    switch (libdeflate_gzip_decompress_ex(thread_decompressor(), packed.data, packed.length_bytes, out.room().data(),
                                          out.room().size(), &used_bytes, &written_bytes)) {
      case LIBDEFLATE_SUCCESS: out.add(written_bytes); return {member_state::complete, used_bytes, passes};
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        if (!out.grow()) return {member_state::too_large, 0, passes};
        break;
      default: {
        member_report report = explain(packed, out);
        report.passes = passes;
        return report;
      }
    }
  }
}

}  // namespace cuphoton::xdr::io
