// demo_images.cpp: integer arithmetic and IEEE basic operations only (no libm, no std:: distribution): what
// std::normal_distribution or exp() return depends on the library.
#include "cli/demo_images.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

#include "cli/cfitsio_peer.hpp"

namespace cuphoton::xdr::cli {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the n-th number from n alone.
std::uint64_t splitmix64(std::uint64_t state) {
  std::uint64_t value = state + 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(splitmix64(seed)) {}
  std::uint64_t next() { return splitmix64(state_ += 0x9e3779b97f4a7c15U); }
  /// 0 <= value < 1, a multiple of 2^-32.
  double uniform() { return static_cast<double>(next() >> 32) / 4294967296.0; }
  /// Sum of twelve 16-bit uniforms: mean 0, variance 1 to 1e-9, exact in double.
  double normal() {
    std::int64_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      const std::uint64_t bits = next();
      for (int part = 0; part < 4; ++part) sum += static_cast<std::int64_t>((bits >> (16 * part)) & 0xffff);
    }
    return static_cast<double>(sum - 6 * 65535) / 65536.0;
  }

 private:
  std::uint64_t state_;
};

/// Adds stars to one plane: profile flux / (1 + r^2/a^2)^2, which needs no exp.
void add_stars(std::vector<double>& plane, std::int64_t height, std::int64_t width, double brightest,
               random_numbers& random) {
  const std::int64_t stars = 1 + height * width / 8000;
  for (std::int64_t star = 0; star < stars; ++star) {
    const double y = random.uniform() * static_cast<double>(height);
    const double x = random.uniform() * static_cast<double>(width);
    const double share = random.uniform();
    const double flux = brightest * share * share * share;
    constexpr std::int64_t radius = 8;
    const auto middle_y = static_cast<std::int64_t>(y);
    const auto middle_x = static_cast<std::int64_t>(x);
    for (std::int64_t row = std::max<std::int64_t>(0, middle_y - radius); row < std::min(height, middle_y + radius);
         ++row) {
      for (std::int64_t col = std::max<std::int64_t>(0, middle_x - radius); col < std::min(width, middle_x + radius);
           ++col) {
        const double dy = static_cast<double>(row) - y;
        const double dx = static_cast<double>(col) - x;
        const double fall = 1.0 + (dy * dy + dx * dx) / 4.0;
        plane[static_cast<std::size_t>(row * width + col)] += flux / (fall * fall);
      }
    }
  }
}

/// Sky level and brightest star that leave room in the type.
struct levels {
  double sky;
  double brightest;
};
levels levels_of(pixel_type type) {
  switch (type) {
    case pixel_type::u8: return {60, 180};
    case pixel_type::i8: return {0, 100};
    case pixel_type::i16: return {300, 20'000};
    case pixel_type::u16: return {1000, 50'000};
    default: return {1000, 500'000};
  }
}

template <class Value>
void store(std::uint8_t* target, double value) {
  Value result;
  if constexpr (std::is_floating_point_v<Value>) {
    result = static_cast<Value>(value);
  } else {
    // Every value stays below 2^53, so the clamp also fits the 64-bit types.
    const double low = std::max(-9007199254740992.0, static_cast<double>(std::numeric_limits<Value>::min()));
    const double high = std::min(9007199254740992.0, static_cast<double>(std::numeric_limits<Value>::max()));
    result = static_cast<Value>(std::floor(std::clamp(value, low, high)));
  }
  std::memcpy(target, &result, sizeof(Value));
}

void store_as(pixel_type type, std::uint8_t* target, double value) {
  switch (type) {
    case pixel_type::u8: return store<std::uint8_t>(target, value);
    case pixel_type::i8: return store<std::int8_t>(target, value);
    case pixel_type::i16: return store<std::int16_t>(target, value);
    case pixel_type::u16: return store<std::uint16_t>(target, value);
    case pixel_type::i32: return store<std::int32_t>(target, value);
    case pixel_type::u32: return store<std::uint32_t>(target, value);
    case pixel_type::i64: return store<std::int64_t>(target, value);
    case pixel_type::u64: return store<std::uint64_t>(target, value);
    case pixel_type::f32: return store<float>(target, value);
    case pixel_type::f64: return store<double>(target, value);
  }
}

demo_image make(const std::string& codec, pixel_type type, std::uint64_t seed) {
  demo_image image;
  image.codec = codec;
  image.type = type;
  image.extents.rank = 2;
  image.extents[0] = 1000;
  image.extents[1] = 1200;
  image.seed = seed;
  if (type == pixel_type::u8 || type == pixel_type::i8) image.sigma = 5;
  std::string word = codec.empty() ? "raw" : codec;
  for (char& letter : word) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  image.file_name = word + "_" + std::string(name(type));
  return image;
}

shape two_axes(std::int64_t height, std::int64_t width) {
  shape extents;
  extents.rank = 2;
  extents[0] = height;
  extents[1] = width;
  return extents;
}

}  // namespace

std::vector<demo_image> default_demo_set(std::uint64_t seed) {
  std::vector<demo_image> set;
  constexpr pixel_type types[] = {pixel_type::u8, pixel_type::i16, pixel_type::u16, pixel_type::i32, pixel_type::f32};
  for (const char* codec : {"", "GZIP_1", "GZIP_2", "RICE_1"}) {
    for (const pixel_type type : types) {
      // CFITSIO has no lossless floats in RICE_1; the quantised ones follow.
      if (std::string_view(codec) != "RICE_1" || type != pixel_type::f32) set.push_back(make(codec, type, seed));
    }
  }
  for (const char* codec : {"GZIP_1", "GZIP_2"}) set.push_back(make(codec, pixel_type::f64, seed));
  for (const char* codec : {"RICE_1", "GZIP_2"}) {
    for (int method = 0; method <= 2; ++method) {
      demo_image image = make(codec, pixel_type::f32, seed);
      image.dither = method;
      image.with_nulls = method != 0;
      image.tile = two_axes(100, 256);  // does not divide 1200: edge tiles are narrower
      image.file_name += "_dither" + std::to_string(method);
      set.push_back(std::move(image));
    }
  }
  demo_image cube = make("RICE_1", pixel_type::i16, seed);
  cube.extents.rank = 3;
  cube.extents[0] = 5;
  cube.extents[1] = 200;
  cube.extents[2] = 300;
  cube.file_name += "_cube";
  set.push_back(std::move(cube));
  demo_image hcompress = make("HCOMPRESS_1", pixel_type::i16, seed);
  hcompress.tile = two_axes(100, 200);
  set.push_back(std::move(hcompress));
  demo_image mask = make("PLIO_1", pixel_type::i32, seed);
  mask.mask = true;
  set.push_back(std::move(mask));
  for (demo_image& image : set) image.file_name += image.codec.empty() ? ".fits" : ".fits.fz";
  return set;
}

std::vector<std::uint8_t> draw(const demo_image& image) {
  const int rank = image.extents.rank;
  const std::int64_t width = image.extents[rank - 1];
  const std::int64_t height = rank > 1 ? image.extents[rank - 2] : 1;
  const std::int64_t planes = pixel_count(image.extents) / (width * height);
  const auto width_bytes = static_cast<std::size_t>(size_bytes(image.type));
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(pixel_count(image.extents)) * width_bytes);
  random_numbers random(image.seed);
  const auto [sky, brightest] = levels_of(image.type);
  std::vector<double> plane;
  std::uint8_t* target = pixels.data();
  for (std::int64_t index = 0; index < planes; ++index) {
    plane.assign(static_cast<std::size_t>(width * height), 0.0);
    add_stars(plane, height, width, brightest, random);
    for (double light : plane) {
      double value = sky + light + image.sigma * random.normal();
      if (image.mask) value = light > brightest / 100 ? 5 : 0;
      const bool undefined = image.with_nulls && random.next() % 997 == 0;
      store_as(image.type, target, undefined ? static_cast<double>(null_marker) : value);
      target += width_bytes;
    }
  }
  return pixels;
}

}  // namespace cuphoton::xdr::cli
