// guarded_buffer.hpp: memory between two unmapped pages: one byte read or written outside it ends the process, with or
// without sanitizers. Kept and used again, since a mapping costs more than a small tile.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace cuphoton::xdr::test {

enum class placement { at_start, at_end };

class guarded_buffer {
 public:
  /// Room for at least `capacity_bytes`.
  explicit guarded_buffer(std::size_t capacity_bytes) {
    page_bytes_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_bytes_ = std::max<std::size_t>(1, (capacity_bytes + page_bytes_ - 1) / page_bytes_) * page_bytes_;
    void* const address = mmap(nullptr, usable_bytes_ + 2 * page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) std::abort();
    base_ = static_cast<std::uint8_t*>(address);
    if (mprotect(base_ + page_bytes_, usable_bytes_, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  ~guarded_buffer() { munmap(base_, usable_bytes_ + 2 * page_bytes_); }
  guarded_buffer(const guarded_buffer&) = delete;
  guarded_buffer& operator=(const guarded_buffer&) = delete;

  /// `length_bytes` bytes right behind the first guard page or right before the last one.
  std::span<std::uint8_t> part(std::size_t length_bytes, placement where) {
    if (length_bytes > usable_bytes_) std::abort();
    std::uint8_t* const first = base_ + page_bytes_;
    return {where == placement::at_start ? first : first + (usable_bytes_ - length_bytes), length_bytes};
  }
  /// The same with the bytes of `content`.
  std::span<std::uint8_t> hold(std::span<const std::uint8_t> content, placement where) {
    const std::span<std::uint8_t> target = part(content.size(), where);
    std::copy(content.begin(), content.end(), target.begin());
    return target;
  }

 private:
  std::size_t page_bytes_ = 0;
  std::size_t usable_bytes_ = 0;
  std::uint8_t* base_ = nullptr;
};

}  // namespace cuphoton::xdr::test
