// bits_test.cpp: the bit readers against bits written by hand, next to an unmapped page.
#include "base/bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/bit_writer.hpp"
#include "support/guarded_buffer.hpp"

namespace cuphoton::xdr {
namespace {

using test::guarded_buffer;
using test::placement;

byte_view view_of(std::span<const std::uint8_t> bytes) {
  return {bytes.data(), bytes.size()};
}

struct field {
  std::uint32_t value;
  int bit_count;
};

std::vector<field> random_fields(std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::vector<field> fields;
  for (int i = 0; i < count; ++i) {
    const int bit_count = 1 + static_cast<int>(random() % 32);
    fields.push_back({static_cast<std::uint32_t>(random()) >> (32 - bit_count), bit_count});
  }
  return fields;
}

TEST(msb_reader, reads_what_was_written) {
  guarded_buffer memory(4096);
  for (int count = 0; count < 60; ++count) {
    test::msb_bit_writer writer;
    const std::vector<field> fields = random_fields(static_cast<std::uint32_t>(count), count);
    for (const field& f : fields) writer.put(f.value, f.bit_count);
    msb_reader reader(view_of(memory.hold(writer.bytes(), placement::at_end)));
    std::uint64_t used = 0;
    for (const field& f : fields) {
      EXPECT_EQ(reader.read(f.bit_count), f.value);
      used += static_cast<std::uint64_t>(f.bit_count);
      EXPECT_EQ(reader.bits_used(), used);
    }
    EXPECT_FALSE(reader.overran());
  }
}

TEST(msb_reader, counts_what_is_missing) {
  const std::uint8_t bytes[] = {0xff, 0x80};
  msb_reader reader({bytes, 2});
  EXPECT_EQ(reader.read(16), 0xff80u);
  EXPECT_FALSE(reader.overran());
  EXPECT_EQ(reader.read(1), 0u);
  EXPECT_TRUE(reader.overran());
  EXPECT_EQ(reader.bits_used(), 17u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(reader.read(32), 0u);
  EXPECT_TRUE(reader.overran());
  msb_reader empty({nullptr, 0});
  EXPECT_EQ(empty.bits_used(), 0u);
  EXPECT_FALSE(empty.overran());
  EXPECT_EQ(empty.read(1), 0u);
  EXPECT_TRUE(empty.overran());
}

TEST(msb_reader, unary_runs_of_any_length) {
  guarded_buffer memory(4096);
  for (int before = 0; before < 9; ++before) {
    for (int zeros = 0; zeros < 200; ++zeros) {
      test::msb_bit_writer writer;
      writer.put(0x155, before).zeros(zeros).put(1, 1).put(0x2a5, 10);
      msb_reader reader(view_of(memory.hold(writer.bytes(), placement::at_end)));
      if (before > 0) reader.read(before);
      EXPECT_EQ(reader.read_unary(), static_cast<std::uint64_t>(zeros));
      EXPECT_EQ(reader.read(10), 0x2a5u);
      EXPECT_FALSE(reader.overran());
    }
  }
}

TEST(msb_reader, a_unary_run_ends_with_the_input) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::vector<std::uint8_t> zeros(length, 0);
    msb_reader reader(view_of(zeros));
    reader.read_unary();
    EXPECT_TRUE(reader.overran());
    EXPECT_LE(reader.bits_used(), 8 * length + 2 * window_bits);
  }
}

TEST(lsb_reader, reads_what_was_written) {
  guarded_buffer memory(4096);
  for (int count = 0; count < 60; ++count) {
    test::lsb_bit_writer writer;
    const std::vector<field> fields = random_fields(static_cast<std::uint32_t>(100 + count), count);
    for (const field& f : fields) writer.put(f.value, f.bit_count);
    lsb_reader reader(view_of(memory.hold(writer.bytes(), placement::at_end)));
    std::uint64_t used = 0;
    for (const field& f : fields) {
      reader.refill();
      EXPECT_EQ(reader.peek(f.bit_count), f.value);
      EXPECT_EQ(reader.take(f.bit_count), f.value);
      used += static_cast<std::uint64_t>(f.bit_count);
      EXPECT_EQ(reader.bits_used(), used);
    }
    EXPECT_FALSE(reader.overran());
    reader.refill();
    EXPECT_EQ(reader.take(8), 0u);
    EXPECT_TRUE(reader.overran());
  }
}

TEST(lsb_reader, bytes_in_between) {
  guarded_buffer memory(4096);
  for (std::size_t tail = 0; tail < 20; ++tail) {
    test::lsb_bit_writer writer;
    writer.put(5, 3).align();
    for (int i = 0; i < 11; ++i) writer.byte(static_cast<std::uint8_t>(100 + i));
    for (std::size_t i = 0; i < tail; ++i) writer.byte(7);
    lsb_reader reader(view_of(memory.hold(writer.bytes(), placement::at_end)));
    reader.refill();
    EXPECT_EQ(reader.take(3), 5u);
    reader.skip_to_byte();
    ASSERT_EQ(reader.rest().length_bytes, 11 + tail);
    EXPECT_EQ(reader.rest().data[0], 100);
    reader.skip_bytes(11);
    EXPECT_EQ(reader.bits_used(), 96u);
    reader.refill();
    for (std::size_t i = 0; i < std::min<std::size_t>(tail, 7); ++i) EXPECT_EQ(reader.take(8), 7u);
    EXPECT_FALSE(reader.overran());
    EXPECT_EQ(reader.rest().length_bytes, tail - std::min<std::size_t>(tail, 7));
  }
}

TEST(leading_zeros, of_every_bit) {
  EXPECT_EQ(leading_zeros(0), 64);
  for (int bit = 0; bit < 64; ++bit) EXPECT_EQ(leading_zeros(std::uint64_t{1} << bit), 63 - bit);
}

}  // namespace
}  // namespace cuphoton::xdr
