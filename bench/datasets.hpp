// datasets.hpp: deterministic sky images for benchmarks: background, Gaussian noise of a given width, stars; and masks
// such as belong to them. Never only zeros, and a different image for each number, so that no run decodes what the
// caches already hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cuphoton::xdr::bench {

/// splitmix64: tiny, and the same everywhere.
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// Standard normal, as the sum of 12 uniform numbers: tails end at 6 sigma, no library function differs.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t bits = next();
      sum += static_cast<double>(bits & 0xFFFFFFFFU) * 0x1p-32 + static_cast<double>(bits >> 32) * 0x1p-32;
    }
    return sum;
  }
  /// 0 <= result < bound.
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

/// Row-major sky of height x width pixels: level 1000, noise `sigma`, one star for each 4096 pixels.
inline std::vector<float> make_sky(std::int64_t height, std::int64_t width, double sigma, std::uint64_t seed) {
  generator random(seed * 1'000'003 + 17);
  std::vector<float> sky(static_cast<std::size_t>(height * width));
  for (float& pixel : sky) pixel = static_cast<float>(1000.0 + sigma * random.normal());
  for (std::int64_t star = 0; star < height * width / 4096; ++star) {
    const std::int64_t cy = random.below(height);
    const std::int64_t cx = random.below(width);
    const double peak = 50.0 * std::exp2(static_cast<double>(random.below(9)));
    for (std::int64_t y = std::max<std::int64_t>(cy - 6, 0); y < std::min(cy + 7, height); ++y) {
      for (std::int64_t x = std::max<std::int64_t>(cx - 6, 0); x < std::min(cx + 7, width); ++x) {
        const auto r2 = static_cast<double>((y - cy) * (y - cy) + (x - cx) * (x - cx));
        sky[static_cast<std::size_t>(y * width + x)] += static_cast<float>(peak * std::exp(-r2 / 6.0));
      }
    }
  }
  return sky;
}

inline std::vector<std::uint16_t> to_u16(const std::vector<float>& sky) {
  std::vector<std::uint16_t> pixels(sky.size());
  for (std::size_t i = 0; i < sky.size(); ++i) {
    const float value = std::nearbyint(sky[i]);
    pixels[i] = static_cast<std::uint16_t>(value < 0 ? 0.0F : value > 65535 ? 65535.0F : value);
  }
  return pixels;
}

/// Row-major mask of height x width pixels, a bit for each fault: hot pixels, bad columns, saturated stars, their
/// bleeding, edges of the chip. About 1 pixel of 36 is not zero, in 44 runs to a row of 4096.
inline std::vector<std::int32_t> make_mask(std::int64_t height, std::int64_t width, std::uint64_t seed) {
  constexpr std::int32_t hot = 1, column = 2, saturated = 4, bleeding = 16, edge = 256;
  generator random(seed * 1'000'003 + 29);
  std::vector<std::int32_t> mask(static_cast<std::size_t>(height * width));
  const auto mark = [&](std::int64_t y, std::int64_t x, std::int32_t bit) {
    if (y >= 0 && y < height && x >= 0 && x < width) mask[static_cast<std::size_t>(y * width + x)] |= bit;
  };
  for (std::int64_t i = 0; i < height * width / 512; ++i) mark(random.below(height), random.below(width), hot);
  for (std::int64_t i = 0; i < width / 256; ++i) {
    const std::int64_t x = random.below(width);
    for (std::int64_t y = random.below(height); y < height; ++y) mark(y, x, column);
  }
  for (std::int64_t i = 0; i < height * width / 16384; ++i) {
    const std::int64_t cy = random.below(height);
    const std::int64_t cx = random.below(width);
    const std::int64_t r = 2 + random.below(8);
    for (std::int64_t y = -r; y <= r; ++y) {
      for (std::int64_t x = -r; x <= r; ++x) {
        if (x * x + y * y <= r * r) mark(cy + y, cx + x, saturated);
      }
    }
    for (std::int64_t y = -8 * r; y <= 8 * r; ++y) {
      for (std::int64_t x = -1; x <= 1; ++x) mark(cy + y, cx + x, bleeding);
    }
  }
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < 8; ++x) {
      mark(y, x, edge);
      mark(y, width - 1 - x, edge);
    }
  }
  return mask;
}

}  // namespace cuphoton::xdr::bench
