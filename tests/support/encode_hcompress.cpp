// encode_hcompress.cpp: HCOMPRESS_1 tiles by CFITSIO; lossy ones with what CFITSIO decodes them to.
#include "support/encode_hcompress.hpp"

#if defined(XDR_HAVE_CFITSIO)
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "support/cfitsio_oracle.hpp"
#include "support/hcompress_reference.hpp"

namespace cuphoton::xdr::test {
namespace {

enum class content { equal, ramp, noise, random_16, random_32, stars };
constexpr content all_contents[] = {content::equal,     content::ramp,      content::noise,
                                    content::random_16, content::random_32, content::stars};
constexpr const char* content_names[] = {"equal", "ramp", "noise", "random 16", "random 32", "stars"};

std::vector<long long> make_pixels(content kind, std::uint64_t pixels, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(100.0, 15.0);
  std::vector<long long> values(pixels);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    switch (kind) {
      case content::equal: values[i] = -77; break;
      case content::ramp: values[i] = static_cast<long long>(i % 4096) * 3; break;
      case content::noise: values[i] = std::llround(noise(random)); break;
      case content::random_16: values[i] = static_cast<std::int16_t>(random()); break;
      case content::random_32: values[i] = static_cast<std::int32_t>(random()); break;
      case content::stars: values[i] = i % 37 == 5 ? static_cast<long long>(random() % 30000) : 10; break;
    }
  }
  return values;
}

}  // namespace

std::vector<std::uint8_t> hcompress_by_cfitsio(std::vector<long long> pixels, int rows, int columns, int scale,
                                               bool wide) {
  std::vector<std::uint8_t> bytes(1000 + 16 * pixels.size());
  auto length_bytes = static_cast<long>(bytes.size());
  int status = 0;
  if (wide) {
    fits_hcompress64(pixels.data(), columns, rows, scale, reinterpret_cast<char*>(bytes.data()), &length_bytes,
                     &status);
  } else {
    std::vector<int> narrow(pixels.begin(), pixels.end());
    fits_hcompress(narrow.data(), columns, rows, scale, reinterpret_cast<char*>(bytes.data()), &length_bytes, &status);
  }
  if (status != 0) std::abort();
  bytes.resize(static_cast<std::size_t>(length_bytes));
  return bytes;
}

std::vector<std::int32_t> hdecompress_by_cfitsio(std::vector<std::uint8_t> tile, std::uint64_t pixels, bool smooth) {
  std::vector<long long> wide(pixels);
  int rows = 0;
  int columns = 0;
  int scale = 0;
  int status = 0;
  fits_hdecompress64(tile.data(), smooth ? 1 : 0, wide.data(), &columns, &rows, &scale, &status);
  if (status != 0) std::abort();
  std::vector<std::int32_t> values(pixels);  // CFITSIO leaves 32-bit integers in the front of the array
  std::memcpy(values.data(), wide.data(), pixels * sizeof(std::int32_t));
  return values;
}

namespace {

/// What CFITSIO cannot write without touching memory that is not its own: lines, by our own writer.
void add_lines(std::vector<encoded_tile>& tiles, std::uint64_t pixels, std::uint32_t seed) {
  if (pixels < 2) return;  // the transform of one pixel loses a bit
  for (int turn = 0; turn < 6; ++turn) {
    const bool standing = turn % 2 != 0;
    hcompress_stream stream;
    stream.rows = standing ? static_cast<int>(pixels) : 1;
    stream.columns = standing ? 1 : static_cast<int>(pixels);
    stream.scale = turn < 2 ? turn : 30 * turn;
    stream.sum = 12345 * turn - 1;
    for (int& planes : stream.planes) planes = 3 + 4 * turn;
    stream.randomize(seed + static_cast<std::uint32_t>(turn), turn < 3 ? 1 : 5);
    codec_parameters parameters;
    parameters.hcompress_smooth = turn >= 3;
    const std::vector<std::int32_t> expected = invert_hcompress(stream, parameters.hcompress_smooth);
    std::vector<std::uint8_t> raw(pixels * sizeof(std::int32_t));
    std::memcpy(raw.data(), expected.data(), raw.size());
    tiles.push_back({std::string(standing ? "standing" : "lying") + " line, scale " + std::to_string(stream.scale),
                     parameters, pixels, sizeof(std::int32_t), write_hcompress(stream, 0x9249a5f0U >> turn),
                     std::move(raw), static_cast<std::uint64_t>(stream.rows)});
  }
}

}  // namespace

void add_hcompress_tiles(std::vector<encoded_tile>& tiles, std::uint64_t pixels, std::uint32_t seed) {
  add_lines(tiles, pixels, seed);
  std::vector<std::uint64_t> heights;  // no lines: CFITSIO reads and writes outside its memory there
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(pixels)));
  for (std::uint64_t height = 2; height <= root; ++height) {
    if (pixels % height == 0 && (height <= 3 || pixels / height < 2 * height)) heights.push_back(height);
  }
  int turn = 0;
  for (const std::uint64_t rows : heights) {
    for (const content kind : all_contents) {
      const std::vector<long long> values = make_pixels(kind, pixels, seed);
      const auto add = [&](int scale, bool smooth) {
        codec_parameters parameters;
        parameters.hcompress_smooth = smooth;
        parameters.hcompress_clip_16 = kind == content::random_16;
        const bool wide = kind == content::random_32;
        std::vector<std::uint8_t> bytes =
            hcompress_by_cfitsio(values, static_cast<int>(rows), static_cast<int>(pixels / rows), scale, wide);
        std::vector<std::int32_t> expected(values.begin(), values.end());
        if (scale > 1) expected = hdecompress_by_cfitsio(bytes, pixels, smooth);
        if (parameters.hcompress_clip_16) {
          for (std::int32_t& value : expected) value = std::clamp<std::int32_t>(value, -32768, 32767);
        }
        std::vector<std::uint8_t> raw(pixels * sizeof(std::int32_t));
        std::memcpy(raw.data(), expected.data(), raw.size());
        tiles.push_back({std::to_string(rows) + " rows, scale " + std::to_string(scale) + (smooth ? " smooth " : " ") +
                             content_names[static_cast<int>(kind)],
                         parameters, pixels, sizeof(std::int32_t), std::move(bytes), std::move(raw), rows});
      };
      add(turn % 2, false);
      constexpr int scales[] = {2, 7, 60, 1001, 20000};
      add(scales[turn % 5], turn % 3 != 0);
      ++turn;
    }
  }
}

}  // namespace cuphoton::xdr::test
#endif
