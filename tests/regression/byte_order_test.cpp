// Pixels lie big-endian in a file and native in memory: swapped for every type and by every codec, never reinterpreted.
#include <cmath>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

template <class T>
void expect_ramp(std::uint64_t count) {
  std::vector<T> ramp(count);
  double sum = 0;
  for (std::size_t k = 0; k < ramp.size(); ++k) {
    ramp[k] = static_cast<T>(static_cast<double>(k) / 1e9);
    sum += static_cast<double>(ramp[k]);
  }
  const image pixels = load_both(plain_image<T>({25, static_cast<std::int64_t>(count / 25)}, ramp), 0);
  expect_pixels(pixels, ramp);
  double found = 0;
  for (const T value : values_of<T>(pixels)) {
    ASSERT_FALSE(std::isnan(value));
    found += static_cast<double>(value);
  }
  EXPECT_EQ(found, sum);  // bytes in file order would give NaNs and numbers like 1e307
}

TEST(byte_order, floats_are_swapped_not_reinterpreted) {
  expect_ramp<float>(5000);
  expect_ramp<double>(5000);
}

/// 0 to 255 in 16 bits: reinterpreted they would be multiples of 256.
TEST(byte_order, a_small_ramp_stays_small) {
  std::vector<std::int16_t> ramp(256);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<std::int16_t>(i);
  expect_pixels(load_both(plain_image<std::int16_t>({16, 16}, ramp), 0), ramp);
}

TEST(byte_order, every_stored_type_of_plain_images) {
  const codec_row& plain = *find_codec(codec_id::none);
  for_each_stored_type(plain, [&plain]<class T>(std::type_identity<T>) {
    SCOPED_TRACE(name(type_of<T>()));
    const std::vector<T> pixels = chosen_pixels<T>(plain, 700);
    expect_pixels(load_both(plain_image<T>({70, 10}, pixels), 0), pixels);
  });
}

TEST(byte_order, every_stored_type_by_every_codec) {
  for (const codec_row* codec : chosen_codecs()) {
    for_each_stored_type(*codec, [codec]<class T>(std::type_identity<T>) {
      SCOPED_TRACE(std::string(codec->fits_name) + " " + std::string(name(type_of<T>())));
      const std::vector<T> pixels = chosen_pixels<T>(*codec, 700);
      expect_pixels(load_both(compressed_file(tiled_image<T>(*codec, {70, 10}, {35, 5}, pixels)), 1), pixels);
    });
  }
}

/// Tiles beside COMPRESSED_DATA are big-endian too.
TEST(byte_order, fallback_columns) {
  const std::vector<double> pixels{1.0 / 3, -2.5e-300, 7e9, 0.1};
  compressed_image made;
  made.codec = "GZIP_2";
  made.bitpix = -64;
  made.axes = {2, 2};
  made.tiles = {2, 1};
  const std::vector<double> first(pixels.begin(), pixels.begin() + 2);
  const std::vector<double> second(pixels.begin() + 2, pixels.end());
  made.columns = {{"COMPRESSED_DATA", "1PB", {{}, {}}},
                  {"GZIP_COMPRESSED_DATA", "1PB", {encode_tile(codec_id::gzip_1, first), {}}},
                  {"UNCOMPRESSED_DATA", "1PD", {{}, big_endian(second)}}};
  expect_pixels(load_both(compressed_file(made), 1), pixels);
}

}  // namespace
}  // namespace cuphoton::xdr::test
