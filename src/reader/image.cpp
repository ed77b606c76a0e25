// image.cpp: memory of pixels.
#include <cuphoton/xdr/image.hpp>

#include <sys/mman.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr {
namespace {

// Large arrays ask for 2 MiB pages: 512 times fewer page faults, which cost more than the decoding of a plain image.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t cache_line_bytes = 64;

std::uint8_t* allocate(std::size_t length_bytes) {
  const bool large = length_bytes >= 4 * huge_page_bytes;
  const std::size_t alignment = large ? huge_page_bytes : cache_line_bytes;
  const std::size_t rounded = (length_bytes / alignment + 1) * alignment;  // never 0, a multiple of the alignment
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    throw error(errc::out_of_memory, {},
                "no memory for an array of " + std::to_string(length_bytes) + " bytes: read a section");
  }
  if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: failure changes nothing
  return static_cast<std::uint8_t*>(memory);
}

std::size_t array_bytes(pixel_type type, const shape& extents) {
  const auto pixels = static_cast<std::uint64_t>(pixel_count(extents));
  const auto width = static_cast<std::uint64_t>(size_bytes(type));
  if (pixels > std::numeric_limits<std::size_t>::max() / 2 / width) {
    throw error(errc::out_of_memory, {}, "the array passes the address space: read a section");
  }
  return static_cast<std::size_t>(pixels * width);
}

}  // namespace

image::image(pixel_type type, const shape& extents)
    : type_(type),
      extents_(extents),
      size_bytes_(array_bytes(type, extents)),
      data_(allocate(size_bytes_), std::free) {}

image::image(pixel_type type, const shape& extents, std::shared_ptr<std::uint8_t> memory, int device)
    : type_(type),
      extents_(extents),
      size_bytes_(array_bytes(type, extents)),
      space_(memory_space::device),
      device_(device),
      data_(std::move(memory)) {}

}  // namespace cuphoton::xdr
