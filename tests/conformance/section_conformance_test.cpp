// Sections of plain and compressed images of 1 to 5 axes equal the slice of the whole image, and read no more than the
// rows or tiles that meet them.
#include <cstring>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include <cuphoton/xdr/reader.hpp>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "support/made_images.hpp"

namespace cuphoton::xdr {
namespace {

std::int64_t random_in(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

strided_box random_section(std::mt19937& random, const shape& extents) {
  strided_box section = whole(extents);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
    section.start[axis] = random_in(random, 0, extents.extent[axis]);
    section.extent[axis] = random_in(random, 0, extents.extent[axis] - section.start[axis]);
    if (random() % 3 == 0) {
      section.start[axis] = 0;
      section.extent[axis] = extents.extent[axis];
    }
    if (random() % 2 == 0) {
      section.step[axis] = random_in(random, 1, 6);
      section.extent[axis] = divide_up(section.extent[axis], section.step[axis]);
    }
  }
  return section;
}

void expect_section(const byte_source& source, int hdu, const shape& extents, const strided_box& section,
                    unsigned threads) {
  read_options options;
  options.section = section;
  options.threads = threads;
  const image pixels = read(source, hdu_selector::number(hdu), options);
  ASSERT_EQ(pixels.extents(), shape_of(section));
  test::byte_vector expected = test::made_bytes(extents, section);
  for (std::size_t i = 0; i + 1 < expected.size(); i += 2) std::swap(expected[i], expected[i + 1]);
  ASSERT_EQ(pixels.bytes().size(), expected.size());
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), pixels.bytes().begin()))
      << to_string(extents) << " section " << to_string(section);
}

strided_box stepped(const box& pixels, const std::array<std::int64_t, max_rank>& steps) {
  strided_box section = pixels;
  section.step = steps;
  return section;
}

TEST(section, equals_the_slice_of_the_whole) {
  std::mt19937 random(3);
  for (int round = 0; round < 150; ++round) {
    shape extents;
    shape tile;
    extents.rank = tile.rank = 1 + round % 5;
    for (int axis = 0; axis < extents.rank; ++axis) {
      extents[axis] = random_in(random, 1, 12);
      tile[axis] = random_in(random, 1, extents[axis]);
    }
    const auto plain = test::source_of(test::plain_file(extents));
    const auto tiled = test::source_of(test::compressed_file(test::gzip_image(extents, tile)));
    for (int i = 0; i < 6; ++i) {
      const strided_box section = i == 0 ? strided_box(whole(extents)) : random_section(random, extents);
      ASSERT_NO_FATAL_FAILURE(expect_section(*plain, 0, extents, section, 1));
      ASSERT_NO_FATAL_FAILURE(expect_section(*tiled, 1, extents, section, 2));
    }
  }
}

TEST(section, images_over_many_pieces) {
  const shape extents{3, {5, 700, 500}};  // 3.5 MB: several pieces of 1 MiB, clipped at both ends
  const auto plain = test::source_of(test::plain_file(extents));
  expect_section(*plain, 0, extents, whole(extents), 2);
  expect_section(*plain, 0, extents, box{3, {1, 13, 7}, {3, 650, 490}}, 2);
  expect_section(*plain, 0, extents, stepped({3, {0, 13, 7}, {3, 325, 98}}, {2, 2, 5}), 2);
  expect_section(*plain, 0, extents, box{3, {0, 699, 0}, {5, 1, 500}}, 2);
}

TEST(section, long_rows_are_cut_too) {
  const shape extents{2, {3, 1'300'000}};  // a row of 2.6 MB
  const auto plain = test::source_of(test::plain_file(extents));
  expect_section(*plain, 0, extents, whole(extents), 2);
  expect_section(*plain, 0, extents, box{2, {1, 524'280}, {2, 20}}, 1);
  expect_section(*plain, 0, extents, stepped({2, {0, 3}, {2, 3}}, {2, 600'000}), 1);  // a piece without a pixel between
}

/// Counts what is asked of a source.
class counting_source final : public byte_source {
 public:
  explicit counting_source(std::shared_ptr<const byte_source> inner) : inner_(std::move(inner)) {}
  std::uint64_t size_bytes() const noexcept override { return inner_->size_bytes(); }
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    bytes += out.size();
    inner_->read(offset, out);
  }
  const std::string& name() const noexcept override { return inner_->name(); }
  const char* backend() const noexcept override { return "counting"; }
  mutable std::uint64_t bytes = 0;

 private:
  std::shared_ptr<const byte_source> inner_;
};

TEST(section, reads_only_what_meets_it) {
  const shape extents{3, {20, 300, 400}};  // 4.8 MB, rows of 800 bytes
  const counting_source plain(test::source_of(test::plain_file(extents)));
  read_options options;
  options.section = box{3, {3, 100, 200}, {2, 5, 10}};
  options.threads = 1;
  const image_plan rows = plan(plain, hdu_selector::number(0), options);
  plain.bytes = 0;
  const image pixels = read(plain, rows, options);
  EXPECT_EQ(pixels.facts().bytes_read, plain.bytes);
  EXPECT_EQ(plain.bytes, 2U * 5U * 800U);  // ten rows, no byte between the planes

  const counting_source tiled(test::source_of(test::compressed_file(test::gzip_image(extents, {3, {1, 50, 400}}))));
  const image_plan tiles = plan(tiled, hdu_selector::number(1), options);
  ASSERT_EQ(tiles.groups.size(), 1U);
  EXPECT_EQ(tiles.groups[0].tiles.size(), 2U);
}

TEST(section, steps_skip_rows_and_tiles) {
  const shape extents{3, {20, 30, 10'000}};  // rows of 20 kB: more than a gap that is read over
  const counting_source plain(test::source_of(test::plain_file(extents)));
  read_options options;
  options.section = stepped({3, {3, 1, 100}, {3, 5, 7}}, {7, 6, 1000});
  options.threads = 1;
  const image_plan rows = plan(plain, hdu_selector::number(0), options);
  plain.bytes = 0;
  read(plain, rows, options);
  EXPECT_EQ(plain.bytes, 3U * 5U * 20'000U);

  const counting_source tiled(test::source_of(test::compressed_file(test::gzip_image(extents, {3, {1, 1, 1000}}))));
  const image_plan tiles = plan(tiled, hdu_selector::number(1), options);
  ASSERT_EQ(tiles.groups.size(), 1U);
  EXPECT_EQ(tiles.groups[0].tiles.size(), 3U * 5U * 7U);  // each pixel has a tile to itself
  tiled.bytes = 0;
  const image pixels = read(tiled, tiles, options);
  EXPECT_EQ(pixels.facts().tiles.at("GZIP_1"), 3U * 5U * 7U);
  EXPECT_LE(pixels.facts().bytes_read, tiled.bytes);
}

}  // namespace
}  // namespace cuphoton::xdr
