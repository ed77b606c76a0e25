// The kernels' walk through tiles and sections against brute force over every pixel of small random grids.
#include "restore/placement.hpp"

#include <random>

#include <gtest/gtest.h>

#include "base/checked.hpp"
#include "plan/geometry.hpp"

namespace cuphoton::xdr {
namespace {

std::int64_t random_in(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

struct scene {
  tile_grid grid;
  strided_box section;
};

/// The grid may be larger than the section on every side, as plans make it; axes are often spanned whole, so that they
/// merge.
scene random_scene(std::mt19937& random) {
  scene made;
  const int rank = static_cast<int>(random_in(random, 1, 4));
  made.grid.area.rank = made.grid.tile_shape.rank = made.section.rank = rank;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis) {
    const std::int64_t extent = random_in(random, 1, 7);
    made.grid.area.start[axis] = random_in(random, 0, 3);
    made.grid.area.extent[axis] = extent;
    made.grid.tile_shape.extent[axis] = random() % 2 ? extent : random_in(random, 1, extent);
    const bool whole = random() % 2 != 0;
    const std::int64_t skip = whole ? 0 : random_in(random, 0, extent - 1);
    made.section.start[axis] = made.grid.area.start[axis] + skip;
    made.section.step[axis] = random() % 3 != 0 ? 1 : random_in(random, 1, 4);
    const std::int64_t most = divide_up(extent - skip, made.section.step[axis]);
    made.section.extent[axis] = whole ? most : random_in(random, 1, most);
  }
  return made;
}

std::int64_t index_in(const strided_box& area, const std::array<std::int64_t, max_rank>& at) {
  std::int64_t index = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(area.rank); ++axis) {
    const std::int64_t from = at[axis] - area.start[axis];
    if (from < 0 || from % area.step[axis] != 0 || from / area.step[axis] >= area.extent[axis]) return -1;
    index = index * area.extent[axis] + from / area.step[axis];
  }
  return index;
}

TEST(placement_grid, runs_equal_brute_force) {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    const scene now = random_scene(random);
    const placement_grid grid = make_placement(now.grid, now.section);
    const auto tiles = static_cast<std::uint64_t>(pixel_count(tile_counts(now.grid)));
    for (std::uint64_t tile = 0; tile < tiles; ++tile) {
      const box pixels = tile_box(now.grid, tile);
      ASSERT_EQ(pixels_of(grid, tile), static_cast<std::uint64_t>(pixel_count(pixels)));
      const tile_extents extents = extents_of(grid, tile);
      ASSERT_EQ(extents.rows, extents_of(now.grid, pixels).rows);
      ASSERT_EQ(extents.columns, extents_of(now.grid, pixels).columns);
      placed_run run;
      std::uint64_t index = 0;
      auto at = pixels.start;
      do {
        if (index == run.end) run = locate(grid, tile, index);
        ASSERT_GT(run.end, index);
        const std::uint64_t begin = index;
        const placed_run fresh = locate(grid, tile, begin);  // from the middle of a run too
        ASSERT_EQ(fresh.end, run.end);
        ASSERT_EQ(fresh.target, index_in(now.section, at));
        ++index;
      } while (advance(at, pixels));
      ASSERT_EQ(index, pixels_of(grid, tile));
      ASSERT_EQ(run.end, index);
    }
  }
}

TEST(placement_grid, targets_run_on_inside_a_run) {
  const placement_grid grid = make_placement({{2, {0, 0}, {6, 10}}, {2, {2, 10}}}, box{2, {1, 2}, {4, 5}});
  EXPECT_EQ(grid.rank, 2);
  const placed_run before = locate(grid, 0, 10);
  EXPECT_EQ(before.target, -1);
  EXPECT_EQ(before.end, 12U);
  const placed_run row = locate(grid, 0, 12);
  EXPECT_EQ(row.target, 0);
  EXPECT_EQ(row.end, 17U);
}

TEST(placement_grid, whole_images_of_row_tiles_are_one_axis) {
  const placement_grid rows = make_placement({whole({2, {4096, 4096}}), {2, {1, 4096}}}, whole({2, {4096, 4096}}));
  EXPECT_EQ(rows.rank, 1);
  EXPECT_EQ(rows.tile_extent[0], 4096);
  EXPECT_EQ(locate(rows, 5, 0).end, 4096U);
  EXPECT_EQ(locate(rows, 5, 0).target, 5 * 4096);
  const placement_grid planes = make_placement({whole({3, {7, 20, 30}}), {3, {2, 20, 30}}}, whole({3, {7, 20, 30}}));
  EXPECT_EQ(planes.rank, 1);
  EXPECT_EQ(pixels_of(planes, 3), 600U);  // clipped
}

}  // namespace
}  // namespace cuphoton::xdr
