// device_checks.hpp: what every test of device code asks at its end, and random bytes to move.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "support/fake_device.hpp"

namespace cuphoton::xdr::test {

inline std::vector<std::uint8_t> random_bytes(std::size_t length, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(length);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// The code of the error that `work` throws; nothing where it returns.
inline std::optional<errc> code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& thrown) {
    return thrown.code();
  }
  return std::nullopt;
}

/// Nothing that a correct program never does was done, and no error was left behind on this thread.
/// `one_thread`: with more, a call may be under way while another thread learns of the loss.
inline void expect_correct(const fake_device& fake, bool one_thread = true) {
  EXPECT_EQ(fake.violations(), 0u) << fake.first_violation();
  if (one_thread) {
    EXPECT_EQ(fake.calls_after_loss(), 0u) << fake.first_violation();
  }
  if (!device::is_lost()) {
    EXPECT_EQ(fake.pending_error(), 0);
  }
}

/// And every object was freed.
inline void expect_clean(const fake_device& fake) {
  expect_correct(fake);
  EXPECT_EQ(fake.live(), live_objects{});
  EXPECT_EQ(device::failed_frees(), 0u);
  EXPECT_EQ(device::leaked_objects(), 0u);
}

}  // namespace cuphoton::xdr::test
