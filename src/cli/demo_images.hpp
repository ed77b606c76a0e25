// demo_images.hpp: the pictures of make-demo: sky, noise and stars in exact arithmetic, so that the same seed gives the
// same pixels on every machine; and which kinds of file the default set holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/types.hpp>

namespace cuphoton::xdr::cli {

/// One file of the set.
struct demo_image {
  std::string file_name;
  std::string codec;  // ZCMPTYPE; empty: plain
  pixel_type type = pixel_type::u16;
  shape extents;
  std::optional<shape> tile;
  std::optional<int> dither;  // floats: method 0, 1 or 2; nothing: lossless
  bool with_nulls = false;    // floats: some undefined pixels
  bool mask = false;          // few bits set on zero, what PLIO_1 is made for
  double sigma = 15;
  std::uint64_t seed = 1;
};

std::vector<demo_image> default_demo_set(std::uint64_t seed);
/// Pixels of the image, native-endian in C order.
std::vector<std::uint8_t> draw(const demo_image& image);

}  // namespace cuphoton::xdr::cli
