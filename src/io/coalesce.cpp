// coalesce.cpp: see coalesce.hpp.
#include "io/coalesce.hpp"

#include <algorithm>

namespace cuphoton::xdr {

std::vector<read_piece> coalesce(std::span<const byte_span> sorted, std::uint64_t most_bytes, std::uint64_t gap_bytes) {
  std::vector<read_piece> pieces;
  for (std::size_t index = 0; index < sorted.size(); ++index) {
    const byte_span& span = sorted[index];
    if (!pieces.empty()) {
      read_piece& piece = pieces.back();
      const std::uint64_t end = piece.bytes.offset_bytes + piece.bytes.length_bytes;
      const std::uint64_t joined = std::max(end, span.offset_bytes + span.length_bytes) - piece.bytes.offset_bytes;
      const bool overlaps = span.offset_bytes < end;
      const bool near = !overlaps && span.offset_bytes - end <= gap_bytes && joined <= most_bytes;
      if (overlaps || near) {
        piece.bytes.length_bytes = joined;
        ++piece.count;
        continue;
      }
    }
    pieces.push_back({span, index, 1});
  }
  return pieces;
}

}  // namespace cuphoton::xdr
