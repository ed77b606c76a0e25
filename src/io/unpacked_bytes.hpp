// unpacked_bytes.hpp: where a packer's output goes: memory that grows by doubling, up to the caller's limit and never
// beyond, so that a file of a few bytes cannot ask for more than it fills.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace cuphoton::xdr::io {

class unpacked_bytes {
 public:
  /// Throws std::bad_alloc, here and in grow().
  unpacked_bytes(std::uint64_t first_bytes, std::uint64_t limit_bytes)
      : limit_bytes_(static_cast<std::size_t>(limit_bytes)),
        room_bytes_(static_cast<std::size_t>(std::min(first_bytes, limit_bytes))),
        memory_(std::make_unique_for_overwrite<std::uint8_t[]>(room_bytes_)) {}

  std::span<const std::uint8_t> written() const { return {memory_.get(), written_bytes_}; }
  /// Free memory behind what is written; never a null address.
  std::span<std::uint8_t> room() const { return {memory_.get() + written_bytes_, room_bytes_ - written_bytes_}; }
  /// `length_bytes` <= room().size() of the room now count as written.
  void add(std::size_t length_bytes) { written_bytes_ += length_bytes; }
  /// Twice the memory, at least 64 KiB, at most the limit. False where the limit is reached already. All copies
  /// together are no longer than the last memory.
  bool grow() {
    if (room_bytes_ == limit_bytes_) return false;
    const std::size_t twice = std::max(room_bytes_, smallest_bytes / 2) > limit_bytes_ / 2
                                  ? limit_bytes_
                                  : 2 * std::max(room_bytes_, smallest_bytes / 2);
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(twice);
    std::memcpy(larger.get(), memory_.get(), written_bytes_);
    memory_ = std::move(larger);
    room_bytes_ = twice;
    return true;
  }

 private:
  static constexpr std::size_t smallest_bytes = std::size_t{64} << 10;

  std::size_t limit_bytes_;
  std::size_t room_bytes_;  // of memory_; <= limit_bytes_
  std::size_t written_bytes_ = 0;
  std::unique_ptr<std::uint8_t[]> memory_;
};

/// What a packer says about one member (gzip) or stream (bzip2) of a file.
enum class member_state : std::uint8_t {
  complete,
  truncated,     // the packed bytes end first
  damaged,       // they break the format's rules
  bad_checksum,  // unpacked, but not to the bytes that were packed
  too_large,     // the limit is reached before the end
};

struct member_report {
  member_state state = member_state::complete;
  std::uint64_t used_bytes = 0;  // packed bytes up to the end of the member, or to where unpacking stopped
  int passes = 1;                // times that the member was unpacked from its start
};

}  // namespace cuphoton::xdr::io
