// Runs cover the common pixels of tile and section exactly once, in the right place, and are as long as they can be.
#include "engine/placement.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace cuphoton::xdr {
namespace {

std::int64_t random_in(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

std::uint64_t index_in(const box& area, const std::array<std::int64_t, max_rank>& at) {
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(area.rank); ++axis) {
    index =
        index * static_cast<std::uint64_t>(area.extent[axis]) + static_cast<std::uint64_t>(at[axis] - area.start[axis]);
  }
  return index;
}

TEST(placement, runs_equal_brute_force) {
  std::mt19937 random(6);
  for (int round = 0; round < 2000; ++round) {
    box tile{1 + round % 4, {}, {}};
    box section = tile;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(tile.rank); ++axis) {
      tile.start[axis] = random_in(random, 0, 4);
      tile.extent[axis] = random_in(random, 1, 5);
      section.start[axis] = random() % 2 ? tile.start[axis] : random_in(random, 0, 5);
      section.extent[axis] = random() % 2 ? tile.extent[axis] : random_in(random, 1, 6);
    }
    std::vector<std::int64_t> expected(static_cast<std::size_t>(pixel_count(section)), -1);
    const box common = intersect(tile, section);
    if (pixel_count(common) > 0) {
      auto at = common.start;
      do {
        expected[index_in(section, at)] = static_cast<std::int64_t>(index_in(tile, at));
      } while (advance(at, common));
    }
    std::vector<std::int64_t> found(expected.size(), -1);
    for_each_run(tile, section, [&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
      for (std::uint64_t i = 0; i < count; ++i) {
        EXPECT_EQ(found[to + i], -1) << "written twice";
        found[to + i] = static_cast<std::int64_t>(from + i);
      }
      return true;
    });
    ASSERT_EQ(found, expected);
  }
}

TEST(placement, a_whole_tile_is_one_run) {
  int runs = 0;
  for_each_run({3, {0, 4, 0}, {1, 4, 100}}, {3, {0, 0, 0}, {2, 8, 100}}, [&](auto from, auto to, auto count) {
    EXPECT_EQ(from, 0U);
    EXPECT_EQ(to, 400U);
    EXPECT_EQ(count, 400U);
    ++runs;
    return true;
  });
  EXPECT_EQ(runs, 1);
}

TEST(placement, stops_where_told) {
  int runs = 0;
  for_each_run({2, {0, 0}, {5, 4}}, {2, {0, 0}, {5, 8}}, [&](auto, auto, auto) { return ++runs < 2; });
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace cuphoton::xdr
