// A small box of a large compressed image costs the tiles that it meets and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;

/// Counts what is asked of the bytes that it holds, which cannot be seen but by reading.
class counting_source final : public byte_source {
 public:
  explicit counting_source(byte_vector bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size_bytes() const noexcept override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    asked += out.size();
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "counting"; }
  mutable std::atomic<std::uint64_t> asked = 0;

 private:
  byte_vector bytes_;
  std::string name_ = "counted.fits";
};

struct cut_out {
  image pixels;
  std::uint64_t asked;
};

cut_out read_box(const byte_vector& file, int hdu, const box& pixels, engine_choice engine) {
  const counting_source source(file);
  read_options options;
  options.section = pixels;
  options.engine = engine;
  image result = read(source, hdu_selector::number(hdu), options);
  return {std::move(result), source.asked};
}

std::vector<engine_choice> engines() {
  if (!test::device_is_there()) return {engine_choice::host};
  return {engine_choice::host, engine_choice::gpu};
}

void expect_made(const image& pixels, const shape& extents, const box& section) {
  std::vector<std::int16_t> expected;
  for (std::int64_t y = 0; y < section.extent[0]; ++y) {
    for (std::int64_t x = 0; x < section.extent[1]; ++x) {
      expected.push_back(
          test::made_pixel(static_cast<std::uint64_t>((section.start[0] + y) * extents[1] + section.start[1] + x)));
    }
  }
  test::expect_pixels(pixels, expected);
}

TEST(cut_outs, read_the_tiles_they_meet_and_no_others) {
  const shape extents{2, {1200, 1024}};
  const box wanted{2, {390, 250}, {64, 64}};
  struct tiling {
    shape tile;
    std::uint64_t tiles;
  };
  for (const auto& [tile, tiles] :
       {tiling{{2, {1, 1024}}, 64}, tiling{{2, {100, 100}}, 4}, tiling{{2, {64, 128}}, 4}}) {
    const byte_vector file = test::compressed_file(test::gzip_image(extents, tile));
    const auto tile_bytes = static_cast<std::uint64_t>(2 * pixel_count(tile));
    for (const engine_choice engine : engines()) {
      const cut_out found = read_box(file, 1, wanted, engine);
      ASSERT_NO_FATAL_FAILURE(expect_made(found.pixels, extents, wanted));
      EXPECT_EQ(found.pixels.facts().tiles.at("GZIP_1"), tiles);
      // Headers, at most 64 KiB of rows, small gaps, and tiles that noise does not shrink.
      EXPECT_LE(found.pixels.facts().bytes_read, tiles * (tile_bytes + 1000) + tiles * (16U << 10));
      EXPECT_LE(found.asked, 4 * 2880U + (64U << 10) + found.pixels.facts().bytes_read);
      EXPECT_LT(found.asked, file.size() / 5);
    }
  }
}

TEST(cut_outs, decode_one_tile_in_every_codec) {
  for (const codec_row& row : codec_table()) {
    for (const test::codec_image& made : test::codec_images(row, 60, 40, 3)) {
      const byte_vector file = test::compressed_file(made.image);
      for (const std::int64_t tile : {0, 17, 39}) {
        for (const engine_choice engine : engines()) {
          const cut_out found = read_box(file, 1, made.place(tile), engine);
          ASSERT_TRUE(std::equal(made.tile_pixels.begin(), made.tile_pixels.end(), found.pixels.data())) << made.name;
          EXPECT_EQ(found.pixels.facts().tiles.at(std::string(row.fits_name)), 1U) << made.name;
          EXPECT_EQ(found.pixels.facts().bytes_read, std::get<byte_vector>(made.image.columns[0].cells[0]).size());
        }
      }
    }
  }
}

TEST(cut_outs, of_plain_images_read_their_rows) {
  const shape extents{2, {1200, 1024}};
  const byte_vector file = test::plain_file(extents);
  for (const engine_choice engine : engines()) {
    const cut_out found = read_box(file, 0, {2, {390, 250}, {64, 64}}, engine);
    expect_made(found.pixels, extents, {2, {390, 250}, {64, 64}});
    EXPECT_EQ(found.pixels.facts().bytes_read, 64U * 2048U);
    EXPECT_LE(found.asked, 2 * 2880U + 64U * 2048U);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
