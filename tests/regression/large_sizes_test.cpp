// Sizes, offsets and pixel numbers beyond 2^31 and 2^32, and products of axes beyond 2^63. The files are sparse: a
// source that makes their bytes up. `make slow` reads whole ones.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

constexpr std::uint64_t two_gib = std::uint64_t{1} << 31;
constexpr std::uint64_t four_gib = std::uint64_t{1} << 32;

/// Zeros but for some patches.
class sparse_source final : public byte_source {
 public:
  explicit sparse_source(std::uint64_t length_bytes) : length_bytes_(length_bytes) {}
  void put(std::uint64_t offset_bytes, byte_vector bytes) { patches_[offset_bytes] = std::move(bytes); }

  std::uint64_t size_bytes() const noexcept override { return length_bytes_; }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    if (offset_bytes > length_bytes_ || out.size() > length_bytes_ - offset_bytes) {
      throw error(errc::file_truncated, {name_}, "outside the sparse file");
    }
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    for (const auto& [at, bytes] : patches_) {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (at + i >= offset_bytes && at + i - offset_bytes < out.size()) out[at + i - offset_bytes] = bytes[i];
      }
    }
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "sparse"; }

 private:
  std::uint64_t length_bytes_;
  std::map<std::uint64_t, byte_vector> patches_;
  std::string name_ = "sparse.fits";
};

image load_section(const sparse_source& source, int hdu, const box& section) {
  read_options options;
  options.section = section;
  test::read_outcome host = test::outcome_on(source, hdu_selector::number(hdu), options, engine_choice::host);
  if (test::device_is_there()) {
    test::expect_same_outcome(host, test::outcome_on(source, hdu_selector::number(hdu), options, engine_choice::gpu),
                              "fused");
  }
  if (const auto* problem = std::get_if<error>(&host)) throw *problem;
  return std::get<image>(std::move(host));
}

TEST(large_sizes, floats_beyond_2_and_4_gib_are_at_their_place) {
  constexpr std::int64_t side = 33000;  // 4.06 GiB
  constexpr std::uint64_t data_at = 2880;
  constexpr std::uint64_t pixels = std::uint64_t{side} * side;
  sparse_source source(data_at + (4 * pixels + 2879) / 2880 * 2880);
  source.put(0, test::header_bytes(test::primary_cards(-32, {side, side})));
  float marker = 1.5F;
  for (const std::uint64_t pixel :
       {std::uint64_t{0}, (two_gib - data_at) / 4, two_gib / 4, (four_gib - data_at) / 4, four_gib / 4, pixels - 1}) {
    source.put(data_at + 4 * pixel, test::big_endian(std::vector<float>{marker}));
    const auto row = static_cast<std::int64_t>(pixel / side);
    const auto column = static_cast<std::int64_t>(pixel % side);
    const std::int64_t first = column == 0 ? 0 : column - 1;
    const std::int64_t count = column == side - 1 ? 2 : 3;
    std::vector<float> expected(static_cast<std::size_t>(count), 0.0F);
    expected[static_cast<std::size_t>(column - first)] = marker;
    test::expect_pixels(load_section(source, 0, {2, {row, first}, {1, count}}), expected);
    marker += 1.0F;
  }
}

TEST(large_sizes, pixel_numbers_beyond_2_31_and_2_32) {
  constexpr std::int64_t side = 70000;  // 4.9e9 pixels of one byte
  constexpr std::uint64_t pixels = std::uint64_t{side} * side;
  sparse_source source(2880 + (pixels + 2879) / 2880 * 2880);
  source.put(0, test::header_bytes(test::primary_cards(8, {side, side})));
  std::uint8_t marker = 1;
  for (const std::uint64_t pixel : {two_gib, four_gib, pixels - 2}) {
    source.put(2880 + pixel - 1,
               {marker, static_cast<std::uint8_t>(marker + 1), static_cast<std::uint8_t>(marker + 2)});
    const auto row = static_cast<std::int64_t>(pixel / side);
    const auto column = static_cast<std::int64_t>(pixel % side);
    test::expect_pixels(load_section(source, 0, {2, {row, column - 1}, {1, 3}}),
                        std::vector<std::uint8_t>{marker, static_cast<std::uint8_t>(marker + 1),
                                                  static_cast<std::uint8_t>(marker + 2)});
    marker = static_cast<std::uint8_t>(marker + 3);
  }
}

/// A tile table in HDU 1 whose only tile lies `offset_bytes` into the heap.
void expect_far_tile(const char* form, std::uint64_t offset_bytes) {
  test::compressed_image image;
  image.codec = "NOCOMPRESS";
  image.axes = {3};
  image.tiles = {3};
  image.columns = {{"COMPRESSED_DATA", form, {test::raw_descriptor{6, offset_bytes}}}};
  image.pcount = static_cast<std::int64_t>(offset_bytes + 6);
  const byte_vector start = test::compressed_file(image);
  const std::uint64_t heap_at = 3 * 2880 - 2880 + (form[1] == 'P' ? 8 : 16);
  sparse_source source(heap_at + offset_bytes + 6 + 2880);
  source.put(0, start);
  source.put(heap_at + offset_bytes, test::big_endian(std::vector<std::int16_t>{-7, 300, 12}));
  test::expect_pixels(load_section(source, 1, {1, {0}, {3}}), std::vector<std::int16_t>{-7, 300, 12});
}

TEST(large_sizes, heap_offsets_are_unsigned_and_64_bits_wide) {
  expect_far_tile("1PB", two_gib + 12345);
  expect_far_tile("1PB", four_gib - 8);
  expect_far_tile("1QB", two_gib + 12345);
  expect_far_tile("1QB", 5 * four_gib + 1);
}

TEST(large_sizes, tile_numbers_beyond_2_31) {
  constexpr std::int64_t tiles = (std::int64_t{1} << 31) + 8;  // of one pixel each
  test::compressed_image image;
  image.codec = "NOCOMPRESS";
  image.bitpix = 8;
  image.axes = {tiles};
  image.tiles = {1};
  image.row_count = tiles;
  image.row_bytes = 8;
  image.pcount = 16;
  image.columns = {{"COMPRESSED_DATA", "1PB", {}}};
  constexpr std::uint64_t table_at = 2 * 2880;
  constexpr std::uint64_t heap_at = table_at + 8 * static_cast<std::uint64_t>(tiles);
  sparse_source source(heap_at + 2880);
  source.put(0, test::compressed_file(image));
  source.put(heap_at, {0, 41, 42, 43});
  for (std::uint8_t last = 1; last <= 3; ++last) {  // the last three tiles
    const std::uint64_t row = static_cast<std::uint64_t>(tiles) - 4 + last;
    source.put(table_at + 8 * row, {0, 0, 0, 1, 0, 0, 0, last});
  }
  test::expect_pixels(load_section(source, 1, {1, {tiles - 3}, {3}}), std::vector<std::uint8_t>{41, 42, 43});
}

TEST(large_sizes, a_product_that_overflows_is_an_error) {
  constexpr std::int64_t big = std::int64_t{1} << 32;
  const std::vector<std::vector<std::int64_t>> shapes = {
      {big, big},                // 2^64: 0 in 64 bits
      {big, big / 2},            // 2^63
      {big, big / 2, 2, 1},      // 2^64
      {3037000500, 3037000500},  // just over 2^63
      {777777701, 777777701, 777777701},
      {big + 1, big + 1},  // 2^33 + 1 in 64 bits
  };
  for (const auto& axes : shapes) {
    const byte_vector plain = test::header_bytes(test::primary_cards(8, axes));
    test::expect_error(test::error_of(plain, 0), errc::header_invalid, {"made.fits", 0}, {"NAXISn", "2^63"});
    test::compressed_image image = test::sample_image();
    image.axes = axes;
    image.tiles.clear();
    test::expect_error(test::error_of(test::compressed_file(image), 1), errc::header_invalid, {"made.fits", 1},
                       {"ZNAXISn", "2^63"});
  }
  // The pixels fit, their bytes do not.
  for (const int bitpix : {16, 32, 64, -32, -64}) {
    const byte_vector plain = test::header_bytes(test::primary_cards(bitpix, {big, big / 4}));
    test::expect_error(test::error_of(plain, 0), errc::header_invalid, {"made.fits", 0}, {"2^63"});
  }
}

TEST(large_sizes, a_zero_axis_beside_huge_ones_is_an_empty_array) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {777777701, 0}, {0, 777777701}, {777777701, 777777701, 777777701, 0}};
  for (const auto& axes : shapes) {
    byte_vector file = test::hdu_bytes(test::primary_cards(16, axes), {});
    test::compressed_image tiled = test::sample_image();
    tiled.codec = "GZIP_1";
    tiled.axes = axes;
    tiled.tiles.clear();
    tiled.columns[0].cells.clear();
    tiled.row_bytes = 8;
    test::append(file, test::hdu_bytes(test::image_cards(16, {2}), {0, 1, 0, 2}));
    for (int hdu = 0; hdu < 2; ++hdu) {
      const byte_vector bytes = hdu == 0 ? file : test::compressed_file(tiled);
      const image pixels = test::load_both(bytes, hdu);
      EXPECT_EQ(pixels.size_bytes(), 0U);
      ASSERT_EQ(pixels.extents().rank, static_cast<int>(axes.size()));
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        EXPECT_EQ(pixels.extents().extent[axis], axes[axes.size() - 1 - axis]);
      }
    }
    test::expect_pixels(test::load_both(file, 1), std::vector<std::int16_t>{1, 2});  // found behind no data
  }
}

TEST(large_sizes, more_than_the_limit_is_refused_before_memory_is_taken) {
  constexpr std::int64_t side = std::int64_t{1} << 20;  // 4 TiB of floats
  sparse_source source(2880 + 4 * std::uint64_t{side} * side + 2880);
  source.put(0, test::header_bytes(test::primary_cards(-32, {side, side})));
  try {
    load_section(source, 0, whole({2, {side, side}}));
    ADD_FAILURE();
  } catch (const error& problem) {
    test::expect_error(problem, errc::unsupported, {"sparse.fits", 0}, {"limit", "max_bytes", "section"});
    ASSERT_FALSE(problem.reasons().empty());
    EXPECT_EQ(problem.reasons()[0].code, reason_code::memory_limit);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
