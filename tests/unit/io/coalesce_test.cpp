// Pieces hold every span, never overlap, and never grow over the limit for want of a reason.
#include "io/coalesce.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace cuphoton::xdr {
namespace {

TEST(coalesce, joins_neighbours_up_to_the_limit) {
  const std::vector<byte_span> spans = {{0, 10}, {10, 10}, {25, 5}, {100, 10}};
  const auto pieces = coalesce(spans, 30, 5);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], (read_piece{{0, 30}, 0, 3}));
  EXPECT_EQ(pieces[1], (read_piece{{100, 10}, 3, 1}));
  EXPECT_EQ(coalesce(spans, 29, 5).size(), 3U);
  EXPECT_EQ(coalesce(spans, 1000, 4).size(), 3U);
}

TEST(coalesce, overlapping_spans_are_read_once) {
  const std::vector<byte_span> spans = {{0, 100}, {1, 100}, {2, 5}, {90, 100}};
  const auto pieces = coalesce(spans, 10, 0);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0], (read_piece{{0, 190}, 0, 4}));
}

TEST(coalesce, random_spans_lie_in_exactly_one_piece) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<byte_span> spans(random() % 30);
    for (byte_span& span : spans) span = {random() % 500, random() % 60};
    std::sort(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.offset_bytes < b.offset_bytes; });
    const auto pieces = coalesce(spans, 100, 20);
    std::size_t next = 0;
    std::uint64_t end = 0;
    for (const read_piece& piece : pieces) {
      ASSERT_EQ(piece.first, next);
      next += piece.count;
      ASSERT_GE(piece.bytes.offset_bytes, end);
      end = piece.bytes.offset_bytes + piece.bytes.length_bytes;
      for (std::size_t i = piece.first; i < next; ++i) {
        ASSERT_GE(spans[i].offset_bytes, piece.bytes.offset_bytes);
        ASSERT_LE(spans[i].offset_bytes + spans[i].length_bytes, end);
      }
    }
    ASSERT_EQ(next, spans.size());
  }
}

TEST(coalesce, nothing_makes_nothing) {
  EXPECT_TRUE(coalesce({}, 100, 20).empty());
}

}  // namespace
}  // namespace cuphoton::xdr
