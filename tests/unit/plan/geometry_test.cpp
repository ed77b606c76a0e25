// Tiles, boxes and meetings against brute force over every pixel of small random grids.
#include "plan/geometry.hpp"

#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "base/checked.hpp"

namespace cuphoton::xdr {
namespace {

std::int64_t random_in(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

bool inside(const box& area, const std::array<std::int64_t, max_rank>& at) {
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(area.rank); ++axis) {
    if (at[axis] < area.start[axis] || at[axis] >= area.start[axis] + area.extent[axis]) return false;
  }
  return true;
}

tile_grid random_grid(std::mt19937& random) {
  tile_grid grid;
  grid.area.rank = grid.tile_shape.rank = static_cast<int>(random_in(random, 1, 4));
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.area.rank); ++axis) {
    grid.area.start[axis] = random_in(random, 0, 3);
    grid.area.extent[axis] = random_in(random, 1, 7);
    grid.tile_shape.extent[axis] = random_in(random, 1, grid.area.extent[axis]);
  }
  return grid;
}

TEST(geometry, every_pixel_lies_in_exactly_one_tile) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const tile_grid grid = random_grid(random);
    const auto count = static_cast<std::uint64_t>(pixel_count(tile_counts(grid)));
    auto at = grid.area.start;
    do {
      int owners = 0;
      for (std::uint64_t tile = 0; tile < count; ++tile) owners += inside(tile_box(grid, tile), at) ? 1 : 0;
      ASSERT_EQ(owners, 1);
    } while (advance(at, grid.area));
  }
}

bool holds_any(const box& tile, const strided_box& section) {
  auto at = tile.start;
  do {
    bool all = true;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(tile.rank); ++axis) {
      const std::int64_t from = at[axis] - section.start[axis];
      all = all && from >= 0 && from % section.step[axis] == 0 && from / section.step[axis] < section.extent[axis];
    }
    if (all) return true;
  } while (advance(at, tile));
  return false;
}

TEST(geometry, a_tile_is_a_matrix_along_the_fastest_axis_that_tiles_extend_on) {
  const auto extents = [](const tile_grid& grid, std::uint64_t tile) {
    const tile_extents found = extents_of(grid, tile_box(grid, tile));
    return std::pair(found.rows, found.columns);
  };
  using pair = std::pair<std::uint64_t, std::uint64_t>;
  const tile_grid rows{whole({2, {40, 33}}), {2, {16, 33}}};
  EXPECT_EQ(extents(rows, 0), pair(16, 33));
  EXPECT_EQ(extents(rows, 2), pair(8, 33));  // clipped
  const tile_grid blocks{whole({2, {17, 17}}), {2, {16, 16}}};
  EXPECT_EQ(extents(blocks, 1), pair(16, 1));  // the column axis stays the column axis
  EXPECT_EQ(extents(blocks, 2), pair(1, 16));
  const tile_grid cube{whole({3, {5, 9, 7}}), {3, {4, 8, 1}}};
  EXPECT_EQ(extents(cube, 0), pair(4, 8));
  EXPECT_EQ(extents(cube, 7), pair(4, 1));
  EXPECT_EQ(extents({whole({3, {5, 9, 7}}), {3, {2, 3, 7}}}, 0), pair(6, 7));
  EXPECT_EQ(extents({whole({2, {5, 9}}), {2, {1, 1}}}, 3), pair(1, 1));
  EXPECT_EQ(extents({whole({1, {9}}), {1, {4}}}, 2), pair(1, 1));
}

TEST(geometry, tiles_meeting_a_section_are_those_with_common_pixels) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const tile_grid grid = random_grid(random);
    strided_box section = grid.area;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(section.rank); ++axis) {
      section.start[axis] += random_in(random, 0, section.extent[axis] - 1);
      const std::int64_t room = grid.area.start[axis] + grid.area.extent[axis] - section.start[axis];
      if (round % 2 != 0) section.step[axis] = random_in(random, 1, 5);
      section.extent[axis] = random_in(random, 1, divide_up(room, section.step[axis]));
    }
    std::set<std::uint64_t> expected;
    const shape counts = tile_counts(grid);
    for (std::uint64_t tile = 0; tile < static_cast<std::uint64_t>(pixel_count(counts)); ++tile) {
      if (holds_any(tile_box(grid, tile), section)) expected.insert(tile);
      ASSERT_EQ(meets(tile_box(grid, tile), section), expected.contains(tile));
    }
    std::set<std::uint64_t> found;
    const section_tiles tiles = tiles_meeting(grid, section);
    tiles.for_each(counts, [&](std::uint64_t tile) { return found.insert(tile).second; });  // none comes twice
    ASSERT_EQ(found, expected);
    ASSERT_EQ(static_cast<std::uint64_t>(tile_count(tiles)), expected.size());
  }
}

TEST(geometry, rows_of_the_table_run_along_the_fastest_axis) {
  // 5 x 7 image, tiles 2 x 3: a grid of 3 x 3, row 4 is the middle tile, row 8 the clipped corner.
  const tile_grid grid{whole({2, {5, 7}}), {2, {2, 3}}};
  EXPECT_EQ(tile_box(grid, 4), (box{2, {2, 3}, {2, 3}}));
  EXPECT_EQ(tile_box(grid, 8), (box{2, {4, 6}, {1, 1}}));
}

TEST(geometry, an_empty_section_meets_no_tile) {
  const tile_grid grid{whole({2, {5, 7}}), {2, {2, 3}}};
  EXPECT_EQ(tile_count(tiles_meeting(grid, box{2, {1, 1}, {0, 3}})), 0);
}

}  // namespace
}  // namespace cuphoton::xdr
