// One expectation per stage, values worked out by hand.
#include "restore/stages.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace cuphoton::xdr::stages {
namespace {

TEST(stages, load_big_endian_and_planes) {
  const std::uint8_t raw[] = {0x01, 0x02, 0xFF, 0xFE};
  EXPECT_EQ(load_big_endian<std::int16_t>(raw, 0), 0x0102);
  EXPECT_EQ(load_big_endian<std::int16_t>(raw, 1), -2);
  // Two 16-bit pixels in planes: high bytes 01 02, low bytes FF FE.
  EXPECT_EQ(load_planes<std::int16_t>(raw, 0, 2), 0x01FF);
  EXPECT_EQ(load_planes<std::int16_t>(raw, 1, 2), 0x02FE);
  EXPECT_EQ(load_planes<std::uint8_t>(raw, 2, 4), 0xFF);
}

TEST(stages, narrow_tells_what_does_not_fit) {
  std::int16_t stored = 0;
  EXPECT_TRUE(narrow(std::int32_t{-32768}, stored));
  EXPECT_EQ(stored, -32768);
  EXPECT_FALSE(narrow(std::int32_t{32768}, stored));
  std::uint8_t byte = 0;
  EXPECT_FALSE(narrow(std::int16_t{-1}, byte));
  EXPECT_TRUE(narrow(std::int16_t{255}, byte));
  std::int64_t wide = 0;
  EXPECT_TRUE(narrow(std::int32_t{-5}, wide));
  EXPECT_EQ(wide, -5);
}

TEST(stages, dequantize_rounds_after_each_operation) {
  // With q = 3, s = 0.1, z = 0.3 the product 0.30000000000000004 plus 0.3 rounds to 0.6000000000000001;
  // fused it would be 0.6.
  EXPECT_EQ(dequantize(3, 0.1, 0.3), 0.1 * 3 + 0.3);
  const volatile double product = 3 * 0.1;  // volatile: rounded to double before the sum
  EXPECT_EQ(dequantize(3, 0.1, 0.3), product + 0.3);
  EXPECT_NE(dequantize(3, 0.1, 0.3), std::fma(3.0, 0.1, 0.3));
}

TEST(stages, dithered_order_of_operations) {
  // Near -2^31 the order shows: ((q - r) + 0.5) * s + z.
  const float r = 0.131537795F;
  const volatile double a = -2147483000.0 - static_cast<double>(r);
  const volatile double b = a + 0.5;
  const volatile double c = b * 0.7;
  EXPECT_EQ(dequantize_dithered(-2147483000, r, 0.7, 1503238100.0), c + 1503238100.0);
}

TEST(stages, flip_sign_moves_the_top_bit) {
  EXPECT_EQ(flip_sign<std::uint16_t>(std::int16_t{-32768}), 0);
  EXPECT_EQ(flip_sign<std::uint16_t>(std::int16_t{32767}), 65535);
  EXPECT_EQ(flip_sign<std::int8_t>(std::uint8_t{0}), -128);
  EXPECT_EQ(flip_sign<std::uint64_t>(std::int64_t{-1}), 0x7FFFFFFFFFFFFFFFULL);
}

}  // namespace
}  // namespace cuphoton::xdr::stages
