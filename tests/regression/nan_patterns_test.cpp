// Bits of NaN: a lossless path keeps the writer's, a null that is restored has the one quiet NaN, whatever the codec.
#include <gtest/gtest.h>

#include "support/codec_images.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

// Quiet, negative, all ones, signalling, payloads; infinities, subnormals, -0.0.
const std::vector<std::uint64_t> doubles = {0x7FF8000000000000, 0xFFF8000000000000, 0xFFFFFFFFFFFFFFFF,
                                            0x7FF0000000000001, 0xFFF4000000000123, 0x7FFDEADBEEF00001,
                                            0x7FF0000000000000, 0xFFF0000000000000, 0x0000000000000001,
                                            0x8000000000000000, 0x3FF0000000000000, 0x000FFFFFFFFFFFFF};
const std::vector<std::uint32_t> floats = {0x7FC00000, 0xFFC00000, 0xFFFFFFFF, 0x7F800001, 0xFFA00123, 0x7FDEADBE,
                                           0x7F800000, 0xFF800000, 0x00000001, 0x80000000, 0x3F800000, 0x007FFFFF};

template <class Bits>
void expect_bits(const image& pixels, const std::vector<Bits>& expected, const std::string& what) {
  ASSERT_EQ(name(pixels.type()), sizeof(Bits) == 4 ? "float32" : "float64") << what;
  ASSERT_EQ(pixels.size_bytes(), expected.size() * sizeof(Bits)) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Bits found;
    std::memcpy(&found, pixels.data() + i * sizeof(Bits), sizeof(Bits));
    ASSERT_EQ(found, expected[i]) << what << ", pixel " << i << std::hex << ": " << found << " for " << expected[i];
  }
}

template <class Bits>
void expect_kept(const std::vector<Bits>& bits) {
  constexpr int bitpix = -8 * static_cast<int>(sizeof(Bits));
  const auto count = static_cast<std::int64_t>(bits.size());
  const byte_vector raw = test::big_endian(bits);
  byte_vector planes;
  for (std::size_t plane = 0; plane < sizeof(Bits); ++plane) {
    for (std::size_t i = 0; i < bits.size(); ++i) planes.push_back(raw[i * sizeof(Bits) + plane]);
  }
  expect_bits(test::load_both(test::hdu_bytes(test::primary_cards(bitpix, {count}), raw), 0), bits, "plain");
  test::compressed_image image;
  image.bitpix = bitpix;
  image.axes = {count};
  image.tiles = {count};
  const std::pair<const char*, byte_vector> codecs[] = {{"GZIP_1", test::gzip_by_libdeflate(raw, 6)},
                                                        {"GZIP_2", test::gzip_by_libdeflate(planes, 6)},
                                                        {"NOCOMPRESS", raw}};
  for (const auto& [codec, tile] : codecs) {
    image.codec = codec;
    image.columns = {{"COMPRESSED_DATA", "1PB", {tile}}};
    for (const char* method : {"NONE", "NO_DITHER", "SUBTRACTIVE_DITHER_2"}) {  // means nothing without ZSCALE
      image.extra = {card("ZQUANTIZ", method), card("ZBLANK", 1), card("ZDITHER0", 5)};
      expect_bits(test::load_both(test::compressed_file(image), 1), bits, std::string(codec) + " " + method);
    }
  }
  // Tiles that the quantiser gave up on, in both columns for them.
  for (const bool gzip : {true, false}) {
    image.codec = "RICE_1";
    image.columns = {{"COMPRESSED_DATA", "1PB", {{}}},
                     {"ZSCALE", "1D", {0.0}},
                     {"ZZERO", "1D", {0.0}},
                     {gzip ? "GZIP_COMPRESSED_DATA" : "UNCOMPRESSED_DATA",
                      gzip                ? "1PB"
                      : sizeof(Bits) == 4 ? "1PE"
                                          : "1PD",
                      {gzip ? codecs[0].second : raw}}};
    image.extra = {card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1"), card("ZBLANK", 1), card("ZDITHER0", 5)};
    expect_bits(test::load_both(test::compressed_file(image), 1), bits, gzip ? "gzip fallback" : "plain fallback");
  }
}

TEST(nan_patterns, lossless_pixels_keep_every_bit) {
  expect_kept(floats);
  expect_kept(doubles);
}

TEST(nan_patterns, restored_nulls_have_the_one_quiet_nan) {
  const std::vector<std::int32_t> integers = {40, 41, 9, 43, 44, 9, 46, 47, 48, 49, 50, 9};
  for (const codec_row& row : codec_table()) {
    const test::compressed_image tiled = test::integer_image(row, 6, 2, 6, 2, integers);
    if (tiled.columns[0].cells.empty()) continue;
    for (const char* method : {"NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
      const std::vector<std::string> extra = {card("ZQUANTIZ", method), card("ZBLANK", 9)};
      const image single = test::load_both(test::compressed_file(test::quantised(tiled, -32, 0.5, 1.0, extra)), 1);
      const image twice = test::load_both(test::compressed_file(test::quantised(tiled, -64, 0.5, 1.0, extra)), 1);
      for (const std::size_t i : {2U, 5U, 11U}) {
        std::uint32_t bits_32 = 0;
        std::uint64_t bits_64 = 0;
        std::memcpy(&bits_32, single.data() + i * sizeof bits_32, sizeof bits_32);
        std::memcpy(&bits_64, twice.data() + i * sizeof bits_64, sizeof bits_64);
        EXPECT_EQ(bits_32, 0x7FC00000U) << row.fits_name << " " << method;
        EXPECT_EQ(bits_64, 0x7FF8000000000000U) << row.fits_name << " " << method;
      }
    }
  }
  const image blank = test::load_both(
      test::plain_image({2}, std::vector<std::int16_t>{7, 8}, {card("BLANK", 7), card("BSCALE", -1.0)}), 0);
  expect_bits(blank, std::vector<std::uint32_t>{0x7FC00000U, 0xC1000000U}, "BLANK");
}

}  // namespace
}  // namespace cuphoton::xdr
