// What gzip can tell is looked at: a stream that is cut anywhere, a checksum or a length that does not fit, is an error
// of its tile, in GZIP_1, in GZIP_2 and in the fallback column.
#include <gtest/gtest.h>

#include "support/encoders.hpp"
#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;

enum class container { gzip_1, gzip_2, fallback };
constexpr container containers[] = {container::gzip_1, container::gzip_2, container::fallback};

const std::vector<float> floats = {1.0F, -2.5F, 3.25e10F, 0.0F, 7.0F, 8.0F, 1.0e-3F, 5.5F};

byte_vector good_tile(container where) {
  byte_vector raw = test::big_endian(floats);
  if (where == container::gzip_2) {
    byte_vector planes;
    for (std::size_t plane = 0; plane < 4; ++plane) {
      for (std::size_t i = 0; i < floats.size(); ++i) planes.push_back(raw[4 * i + plane]);
    }
    raw = planes;
  }
  return test::gzip_by_libdeflate(raw, 6);
}

/// Three rows of the same floats; the tile in the middle is `tile`.
byte_vector file_of(container where, const byte_vector& tile) {
  test::compressed_image image;
  image.codec = where == container::gzip_2 ? "GZIP_2" : where == container::gzip_1 ? "GZIP_1" : "RICE_1";
  image.bitpix = -32;
  image.axes = {8, 3};
  image.tiles = {8, 1};
  const test::table_column data{"COMPRESSED_DATA", "1PB", {good_tile(where), tile, good_tile(where)}};
  if (where == container::fallback) {
    image.columns = {{"COMPRESSED_DATA", "1PB", std::vector<test::table_cell>(3)},
                     {"ZSCALE", "1D", {1.0, 1.0, 1.0}},
                     {"ZZERO", "1D", {0.0, 0.0, 0.0}},
                     {"GZIP_COMPRESSED_DATA", "1PB", data.cells}};
  } else {
    image.columns = {data};
  }
  return test::compressed_file(image);
}

void expect_bad(container where, const byte_vector& tile, const char* word) {
  const byte_vector file = file_of(where, tile);
  test::expect_error(test::error_of(file, 1), errc::tile_corrupt, {"made.fits", 1, 1},
                     {where == container::gzip_2 ? "GZIP_2" : "GZIP_1", word});
  read_options options;
  for (const std::int64_t good : {0, 2}) {
    options.section = box{2, {good, 0}, {1, 8}};
    test::expect_pixels(test::load_both(file, 1, options), floats);
  }
}

TEST(gzip_integrity, whole_tiles_are_read_and_checked) {
  std::vector<float> expected;
  for (int row = 0; row < 3; ++row) expected.insert(expected.end(), floats.begin(), floats.end());
  for (const container where : containers) {
    const image pixels = test::load_both(file_of(where, good_tile(where)), 1);
    test::expect_pixels(pixels, expected);
    EXPECT_EQ(pixels.facts().checks, std::vector<std::string>{"CRC32 and ISIZE"});
  }
}

TEST(gzip_integrity, a_cut_at_any_byte_is_an_error) {
  for (const container where : containers) {
    const byte_vector good = good_tile(where);
    for (std::size_t length = 1; length < good.size(); ++length) {  // 0: no tile at all, see `an_empty_tile`
      expect_bad(where, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}, "after");
      if (::testing::Test::HasFailure()) FAIL() << length << " of " << good.size() << " bytes";
    }
  }
}

TEST(gzip_integrity, an_empty_tile_is_not_zeros) {
  for (const container where : containers) {
    test::expect_error(test::error_of(file_of(where, {}), 1), errc::tile_table_invalid, {"made.fits", 1, 1},
                       {"no column"});
  }
}

TEST(gzip_integrity, every_bit_of_crc_and_length_counts) {
  for (const container where : containers) {
    const byte_vector good = good_tile(where);
    for (std::size_t bit = 0; bit < 64; ++bit) {
      byte_vector tile = good;
      tile[tile.size() - 8 + bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
      expect_bad(where, tile, "bad_checksum");
      if (::testing::Test::HasFailure()) FAIL() << "bit " << bit;
    }
  }
}

TEST(gzip_integrity, a_payload_of_another_length_is_an_error) {
  const byte_vector raw = test::big_endian(floats);
  for (const container where : {container::gzip_1, container::gzip_2}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{4}, raw.size() - 4, raw.size() - 1, raw.size() + 1,
                                     raw.size() + 4, 3 * raw.size()}) {
      byte_vector payload = raw;
      payload.resize(length);
      expect_bad(where, test::gzip_by_libdeflate(payload, 6), "output_");
      if (::testing::Test::HasFailure()) FAIL() << length << " bytes";
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
