// demo_images_test.cpp: make-demo's pictures are pinned by value, so a machine that draws others fails here.
#include "cli/demo_images.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "cli/bounds.hpp"
#include "cli/cfitsio_peer.hpp"

namespace cuphoton::xdr::cli {
namespace {

demo_image small(pixel_type type) {
  demo_image image;
  image.type = type;
  image.extents = parse_shape("40x50");
  return image;
}

/// FNV-1a: enough to pin bytes.
std::uint64_t hash(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const std::uint8_t byte : bytes) value = (value ^ byte) * 0x100000001b3U;
  return value;
}

TEST(draw, same_seed_same_pixels) {
  const demo_image image = small(pixel_type::u16);
  demo_image other = image;
  other.seed = 2;
  EXPECT_EQ(draw(image), draw(image));
  EXPECT_NE(draw(image), draw(other));
}

TEST(draw, pinned) {
  EXPECT_EQ(hash(draw(small(pixel_type::u16))), 14686546507899787525U);
  EXPECT_EQ(hash(draw(small(pixel_type::f64))), 8916697930841462228U);
}

TEST(draw, noise_has_the_width_asked_for) {
  demo_image image = small(pixel_type::f64);
  image.extents = parse_shape("300x300");
  image.sigma = 0;
  const auto still = draw(image);
  image.sigma = 15;
  const auto noisy = draw(image);
  double sum = 0;
  double squares = 0;
  const std::size_t count = still.size() / sizeof(double);
  for (std::size_t index = 0; index < count; ++index) {
    double values[2];
    std::memcpy(&values[0], &still[index * 8], 8);
    std::memcpy(&values[1], &noisy[index * 8], 8);
    sum += values[1] - values[0];
    squares += (values[1] - values[0]) * (values[1] - values[0]);
  }
  EXPECT_NEAR(sum / static_cast<double>(count), 0, 0.2);
  EXPECT_NEAR(squares / static_cast<double>(count), 225, 5);
}

TEST(draw, marks_undefined_pixels) {
  demo_image image = small(pixel_type::f32);
  image.extents = parse_shape("300x300");
  image.with_nulls = true;
  const auto pixels = draw(image);
  int undefined = 0;
  for (std::size_t at = 0; at < pixels.size(); at += 4) {
    float value = 0;
    std::memcpy(&value, &pixels[at], 4);
    undefined += value == null_marker ? 1 : 0;
  }
  EXPECT_GT(undefined, 0);
}

TEST(default_demo_set, every_name_once) {
  std::set<std::string> names;
  std::set<std::string> codecs;
  for (const demo_image& image : default_demo_set(1)) {
    EXPECT_TRUE(names.insert(image.file_name).second) << image.file_name;
    codecs.insert(image.codec);
  }
  EXPECT_EQ(codecs, (std::set<std::string>{"", "GZIP_1", "GZIP_2", "RICE_1", "HCOMPRESS_1", "PLIO_1"}));
}

}  // namespace
}  // namespace cuphoton::xdr::cli
