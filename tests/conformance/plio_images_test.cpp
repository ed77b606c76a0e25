// plio_images_test.cpp: masks that CFITSIO wrote, every type that it can, tiles of odd shapes, empty tiles, values up
// to 2^24 - 1: our pixels are those that it reads and those that were written, whole and by section.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include <cuphoton/xdr/reader.hpp>

#include "support/made_images.hpp"
#if defined(XDR_HAVE_CFITSIO)
#include "support/cfitsio_oracle.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Runs of equal values on zero; the first third of the image has none.
template <class T>
byte_vector make_mask(const shape& extents, std::int64_t offset, std::int64_t highest, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> mask(static_cast<std::size_t>(pixel_count(extents)), static_cast<T>(offset));
  for (std::size_t i = mask.size() / 3; i < mask.size(); i += random() % 60) {
    const auto value = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(highest + 1));
    const std::size_t end = std::min(mask.size(), i + 4 + random() % 20);
    for (; i < end; ++i) mask[i] = static_cast<T>(offset + value);
  }
  byte_vector bytes(mask.size() * sizeof(T));
  std::memcpy(bytes.data(), mask.data(), bytes.size());
  return bytes;
}

byte_vector make_mask(pixel_type type, const shape& extents, std::uint32_t seed) {
  switch (type) {
    case pixel_type::u8: return make_mask<std::uint8_t>(extents, 0, 255, seed);
    case pixel_type::i8: return make_mask<std::int8_t>(extents, -128, 255, seed);
    case pixel_type::i16: return make_mask<std::int16_t>(extents, 0, 32767, seed);
    case pixel_type::u16: return make_mask<std::uint16_t>(extents, 0, 65535, seed);
    default: return make_mask<std::int32_t>(extents, 0, (1 << 24) - 1, seed);
  }
}

struct layout {
  shape extents;
  shape tile;
};
const layout layouts[] = {{{1, {5000}}, {1, {5000}}},       {{1, {5001}}, {1, {137}}},
                          {{2, {40, 300}}, {2, {1, 300}}},  {{2, {41, 303}}, {2, {17, 50}}},
                          {{2, {23, 200}}, {2, {23, 200}}}, {{3, {5, 19, 60}}, {3, {2, 7, 31}}},
                          {{2, {7, 4096}}, {2, {1, 4096}}}, {{3, {6, 20, 40}}, {3, {4, 20, 33}}}};

class plio_images : public testing::TestWithParam<pixel_type> {};

TEST_P(plio_images, are_those_of_cfitsio) {
  const std::string path = testing::TempDir() + "plio_" + std::string(name(GetParam())) + ".fits";
  read_options options;
  options.engine = engine_choice::host;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    for (const layout& each : layouts) {
      SCOPED_TRACE(to_string(each.extents) + " in tiles of " + to_string(each.tile));
      const byte_vector written = make_mask(GetParam(), each.extents, seed);
      const byte_vector wanted = write_mask_by_cfitsio(path, GetParam(), each.extents, each.tile, written);
      EXPECT_EQ(wanted, written);
      const image got = read(*open_source(path), hdu_selector::number(1), options);
      EXPECT_EQ(got.type(), GetParam());
      EXPECT_EQ(got.extents(), each.extents);
      ASSERT_EQ(got.size_bytes(), wanted.size());
      EXPECT_EQ(std::memcmp(got.data(), wanted.data(), wanted.size()), 0);

      read_options some = options;  // one row of pixels, across tiles
      const auto last = static_cast<std::size_t>(each.extents.rank - 1);
      const std::int64_t row = each.extents.extent[last];
      some.section = whole(each.extents);
      for (std::size_t axis = 0; axis < last; ++axis) some.section->start[axis] = each.extents.extent[axis] - 1;
      for (std::size_t axis = 0; axis < last; ++axis) some.section->extent[axis] = 1;
      some.section->start[last] = 11;
      some.section->extent[last] = row - 13;
      const image part = read(*open_source(path), hdu_selector::number(1), some);
      const auto width = static_cast<std::size_t>(size_bytes(GetParam()));
      ASSERT_EQ(part.size_bytes(), width * static_cast<std::size_t>(row - 13));
      EXPECT_EQ(
          std::memcmp(part.data(), wanted.data() + wanted.size() - part.size_bytes() - 2 * width, part.size_bytes()),
          0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(types, plio_images,
                         testing::Values(pixel_type::u8, pixel_type::i8, pixel_type::i16, pixel_type::u16,
                                         pixel_type::i32),
                         [](const auto& parameter) { return std::string(name(parameter.param)); });

}  // namespace
}  // namespace cuphoton::xdr::test
#endif
