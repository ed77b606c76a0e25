// hcompress_files_test.cpp: HCOMPRESS_1 images as CFITSIO writes them, through the whole library, against what CFITSIO
// reads: types, lossy scales, smoothing, quantised floats with nulls, tiles with short edges.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <cuphoton/xdr/xdr.hpp>

#include "support/cfitsio_files.hpp"

namespace cuphoton::xdr::test {
namespace {

#if defined(XDR_HAVE_CFITSIO)

std::vector<float> make_sky(const hcompress_file& about) {
  std::mt19937_64 random(17);
  std::normal_distribution<float> noise(about.bitpix == 8 ? 100.0F : 1000.0F, 15.0F);
  std::vector<float> sky(static_cast<std::size_t>(about.columns * about.rows));
  for (float& pixel : sky) {
    pixel = noise(random);
    if (random() % 50 == 0) pixel += about.bitpix == 8 ? 100.0F : static_cast<float>(random() % 30000);
    if (about.bitpix != -32) pixel = std::round(pixel);
    if (about.bitpix == -32 && random() % 90 == 0) pixel = std::numeric_limits<float>::quiet_NaN();
  }
  return sky;
}

std::vector<std::uint8_t> read_here(const std::vector<std::uint8_t>& file) {
  read_options options;
  options.engine = engine_choice::host;
  const image found = read(*memory_source(file), hdu_selector::number(1), options);
  return {found.data(), found.data() + found.size_bytes()};
}

void quiet_nans(std::vector<std::uint8_t>& pixels) {
  for (std::size_t at = 0; at < pixels.size(); at += 4) {
    float pixel = 0;
    std::memcpy(&pixel, pixels.data() + at, 4);
    if (!std::isnan(pixel)) continue;
    pixel = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(pixels.data() + at, &pixel, 4);
  }
}

TEST(hcompress_files, equal_cfitsio) {
  int compared = 0;
  for (const int bitpix : {8, 16, 20, 32, -32}) {
    for (const float scale : {0.0F, 2.5F, -40.0F}) {
      for (const bool smooth : {false, true}) {
        for (const long tile_rows : {0L, 12L, 41L}) {
          for (const int dither : {0, 1, 2}) {
            if (bitpix != -32 && dither != 0) continue;
            const hcompress_file about{bitpix, 54, 41, tile_rows == 12 ? 23 : 54, tile_rows, scale, smooth, dither};
            SCOPED_TRACE("BITPIX " + std::to_string(bitpix) + " scale " + std::to_string(scale) + " smooth " +
                         std::to_string(smooth) + " rows " + std::to_string(tile_rows) + " dither " +
                         std::to_string(dither));
            const std::vector<std::uint8_t> file = write_by_cfitsio(about, make_sky(about));
            std::vector<std::uint8_t> theirs = read_by_cfitsio(about, file);
            std::vector<std::uint8_t> ours = read_here(file);
            if (bitpix == -32) {
              quiet_nans(theirs);
              quiet_nans(ours);
            }
            ASSERT_EQ(ours, theirs);
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, 4 * 18 + 54);
}

/// Lossy 16-bit pixels near the ends of their range: clipped, not wrapped around, by CFITSIO too.
TEST(hcompress_files, sixteen_bits_are_clipped) {
  const hcompress_file about{16, 40, 33, 40, 33, -3000.0F, false, 0};
  std::vector<float> sky(40 * 33);
  std::mt19937 random(5);
  for (float& pixel : sky) pixel = random() % 2 != 0 ? 32767.0F : -32768.0F;
  const std::vector<std::uint8_t> file = write_by_cfitsio(about, sky);
  EXPECT_EQ(read_here(file), read_by_cfitsio(about, file));
}

#endif

}  // namespace
}  // namespace cuphoton::xdr::test
