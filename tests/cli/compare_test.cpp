// compare_test.cpp: bit-for-bit comparison, its one exception for NaN, and which exit code stands for several.
#include "cli/compare.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "cli/npy.hpp"
#include "cli/output.hpp"

namespace cuphoton::xdr::cli {
namespace {

shape extents_of(std::initializer_list<std::int64_t> extents) {
  shape result;
  for (const std::int64_t extent : extents) result[result.rank++] = extent;
  return result;
}

template <class Value>
std::vector<std::uint8_t> bytes_of(const std::vector<Value>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(Value));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::optional<std::string> compare_floats(const std::vector<float>& ours, const std::vector<float>& theirs,
                                          nan_rule rule) {
  return first_difference(pixel_type::f32, extents_of({1, static_cast<std::int64_t>(ours.size())}), bytes_of(ours),
                          bytes_of(theirs), rule, "CFITSIO");
}

TEST(first_difference, names_the_first_pixel) {
  const std::vector<std::int16_t> ours{1, 2, 3, 4, 5, 6};
  std::vector<std::int16_t> theirs = ours;
  const shape extents = extents_of({2, 3});
  const auto compare = [&] {
    return first_difference(pixel_type::i16, extents, bytes_of(ours), bytes_of(theirs), nan_rule::same_bits, "CFITSIO");
  };
  EXPECT_FALSE(compare());
  theirs[4] = -5;
  theirs[5] = 0;
  EXPECT_EQ(compare(), "2 of 6 pixels, first pixel [1,1]: 5, CFITSIO has -5");
  theirs.pop_back();
  EXPECT_EQ(compare(), "12 bytes, CFITSIO has 10");
}

TEST(first_difference, floats_by_bits) {
  const float nan = std::bit_cast<float>(0x7fc00000U);
  const float other_nan = std::bit_cast<float>(0xffffffffU);
  EXPECT_FALSE(compare_floats({1, nan}, {1, nan}, nan_rule::same_bits));
  EXPECT_TRUE(compare_floats({1, nan}, {1, other_nan}, nan_rule::same_bits));
  EXPECT_FALSE(compare_floats({1, nan}, {1, other_nan}, nan_rule::any_payload));
  EXPECT_TRUE(compare_floats({1, nan}, {nan, 1}, nan_rule::any_payload));
  EXPECT_TRUE(compare_floats({0.0F}, {-0.0F}, nan_rule::any_payload));
}

TEST(worse_exit, difference_beats_corrupt_beats_io_beats_unsupported) {
  EXPECT_EQ(worse_exit(0, 0), 0);
  EXPECT_EQ(worse_exit(0, 3), 3);
  EXPECT_EQ(worse_exit(3, 5), 5);
  EXPECT_EQ(worse_exit(4, 5), 4);
  EXPECT_EQ(worse_exit(1, 4), 1);
}

TEST(table, aligns_and_defuses) {
  table rows({"a", "bb"});
  rows.add({"long", "x\x1b[2J"});
  EXPECT_EQ(rows.text(), "a     bb\nlong  x?[2J\n");
}

TEST(npy_header, is_what_numpy_writes) {
  const std::string header = npy_header(pixel_type::u16, extents_of({3, 4}));
  EXPECT_EQ(header.size() % 64, 0U);
  EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_NE(header.find("{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), }"), std::string::npos);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_NE(npy_header(pixel_type::i8, extents_of({5})).find("'|i1', 'fortran_order': False, 'shape': (5,), }"),
            std::string::npos);
}

}  // namespace
}  // namespace cuphoton::xdr::cli
