// word_reader_test.cpp: the device's bit reader against the host's, call by call, at every alignment and next to an
// unmapped page: bits, positions and the verdict about the end must be the same.
#include "codecs/gzip/word_reader_core.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/guarded_buffer.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Random calls until both readers ran well past the end; `seed` decides which.
void expect_same(byte_view view, std::uint32_t seed) {
  lsb_reader host(view);
  word_reader device(view);
  std::mt19937 random(seed);
  for (int behind_end = 0; behind_end < 8; behind_end += host.overran() ? 1 : 0) {
    host.refill();
    device.refill();
    ASSERT_EQ(host.peek(31), device.peek(31));
    ASSERT_EQ(static_cast<std::uint32_t>(host.window()), static_cast<std::uint32_t>(device.window()));
    const auto choice = random() % 8;
    if (choice == 0) {
      host.skip_to_byte();
      device.skip_to_byte();
      if (!host.overran()) {
        const byte_view rest = host.rest();
        ASSERT_EQ(rest.data, device.rest().data);
        ASSERT_EQ(rest.length_bytes, device.rest().length_bytes);
        const std::size_t length = std::min<std::size_t>(random() % 24, rest.length_bytes);
        host.skip_bytes(length);
        device.skip_bytes(length);
      }
    } else if (choice == 1) {
      host.skip(32);
      device.skip(32);
    } else {
      const int count = static_cast<int>(random() % (choice < 5 ? 8 : 32));
      ASSERT_EQ(host.take(count), device.take(count));
    }
    ASSERT_EQ(host.bits_used(), device.bits_used());
    ASSERT_EQ(host.overran(), device.overran());
  }
}

TEST(word_reader, equals_the_reader_of_the_host) {
  guarded_buffer memory(4096);
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 70; ++length) {
    std::vector<std::uint8_t> bytes(length + 8);  // what lies behind the view must not be seen
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    for (std::size_t skew = 0; skew < 8; ++skew) {
      for (const placement where : {placement::at_start, placement::at_end}) {
        const std::span<std::uint8_t> held = memory.hold(bytes, where);
        for (std::uint32_t seed = 0; seed < 20; ++seed) expect_same({held.data() + skew, length}, seed);
      }
    }
  }
}

TEST(word_reader, leaves_other_pages_alone) {
  guarded_buffer memory(4096);
  for (std::size_t length = 0; length < 40; ++length) {
    const std::vector<std::uint8_t> bytes(length, 0x5a);
    for (const placement where : {placement::at_start, placement::at_end}) {
      const std::span<std::uint8_t> held = memory.hold(bytes, where);
      for (std::uint32_t seed = 0; seed < 20; ++seed) expect_same({held.data(), length}, seed);
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
