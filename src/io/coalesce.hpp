// coalesce.hpp: byte spans of tiles -> fewer, larger reads. A pure function; knows nothing of tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cuphoton::xdr {

struct byte_span {
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  bool operator==(const byte_span&) const = default;
};

/// One read and the run of spans, in the order given, that lie inside it.
struct read_piece {
  byte_span bytes;
  std::size_t first = 0;
  std::size_t count = 0;
  bool operator==(const read_piece&) const = default;
};

/// `sorted` is ordered by offset. Spans that overlap a piece always join it, so no byte is read twice; spans that lie
/// at most `gap_bytes` behind it join while the piece stays within `most_bytes`. Every span lies inside exactly one
/// piece.
std::vector<read_piece> coalesce(std::span<const byte_span> sorted, std::uint64_t most_bytes, std::uint64_t gap_bytes);

}  // namespace cuphoton::xdr
