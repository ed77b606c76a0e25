// api_test.cpp: what an error number becomes, how a loss is remembered, and the table of a build without CUDA.
#include "device/api.hpp"

#include <gtest/gtest.h>

#include <string>

#include <cuphoton/xdr/device.hpp>

#include "device/cuda_errors.hpp"
#include "device/launch.hpp"
#include "device/stream.hpp"
#include "support/device_checks.hpp"

namespace cuphoton::xdr::device {
namespace {

using test::code_of;

TEST(Check, EachErrorHasItsCode) {
  const test::fake_device fake;
  EXPECT_EQ(code_of([] { check(0, "do nothing"); }), std::nullopt);
  EXPECT_EQ(code_of([] { check(cuda_memory_allocation, "allocate"); }), errc::out_of_memory);
  for (const int error : {1, 9, 98, 100, 101, 209, 400, 600, 701, 720, 801}) {
    EXPECT_EQ(code_of([&] { check(error, "try"); }), errc::device_failed) << error;
    EXPECT_FALSE(is_lost()) << error;
  }
  for (const int error : {4, 46, 201, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 999}) {
    forget_loss();
    EXPECT_EQ(code_of([&] { check(error, "try"); }), errc::device_lost) << error;
    EXPECT_TRUE(is_lost()) << error;
  }
}

TEST(Check, MessageSaysWhatAndWhy) {
  const test::fake_device fake;
  try {
    check(98, "launch a kernel");
    FAIL();
  } catch (const error& thrown) {
    EXPECT_EQ(thrown.message(), "cannot launch a kernel: an error of the fake device (CUDA error 98)");
  }
}

TEST(Check, AReportedErrorIsNotFoundAgain) {
  test::fake_device fake;
  fake.plant({.call = "stream_create", .error = 98});
  EXPECT_EQ(code_of([] { const stream made; }), errc::device_failed);
  EXPECT_EQ(fake.pending_error(), 0);
  EXPECT_EQ(code_of([] { const stream made; }), std::nullopt);
}

TEST(Loss, NothingIsCalledAfterwards) {
  test::fake_device fake;
  {
    const stream before;
    fake.plant({.call = "stream_synchronize", .error = 700, .sticky = true});
    EXPECT_EQ(code_of([&] { before.synchronize(); }), errc::device_lost);
    const std::uint64_t calls = fake.calls();
    EXPECT_EQ(code_of([&] { before.synchronize(); }), errc::device_lost);
    EXPECT_EQ(code_of([] { const stream made; }), errc::device_lost);
    drain(before.get());
    EXPECT_EQ(fake.calls(), calls);
  }
  EXPECT_EQ(leaked_objects(), 1u);
  EXPECT_EQ(failed_frees(), 0u);
  EXPECT_EQ(fake.live().streams, 1u);
  EXPECT_EQ(fake.calls_after_loss(), 0u);
}

TEST(Loss, ALaterCallFindsAnEarlierOne) {
  test::fake_device fake;
  const stream work;
  fake.plant({.call = "stream_synchronize", .for_ever = true, .error = 1});
  drain(work.get());  // cannot learn whether the work is done
  EXPECT_TRUE(is_lost());
  EXPECT_EQ(fake.calls("stream_synchronize"), 2u);
}

TEST(Free, ARefusalIsCountedAndDoesNotThrow) {
  test::fake_device fake;
  {
    const stream made;
    fake.plant({.call = "stream_destroy", .error = 400});
  }
  EXPECT_EQ(failed_frees(), 1u);
  EXPECT_EQ(fake.pending_error(), 0);
}

TEST(Free, ALossDuringAFreeIsALeak) {
  test::fake_device fake;
  {
    const stream one;
    const stream two;
    fake.plant({.call = "stream_destroy", .error = 719, .sticky = true});
  }
  EXPECT_TRUE(is_lost());
  EXPECT_EQ(failed_frees(), 0u);
  EXPECT_EQ(leaked_objects(), 2u);
  EXPECT_EQ(fake.calls_after_loss(), 0u);
}

void add(int*, int, double) {}

TEST(Launch, ArgumentsAreConvertedAndCopied) {
  test::fake_device fake;
  const stream work;
  int sum = 0;
  EXPECT_EQ(code_of([&] { launch(add, {}, work.get(), &sum, 1, 2.0); }), errc::device_failed);  // not registered
  fake.set_kernel(add, [](const launch_shape& shape, int* out, int a, double b) {
    *out += a + static_cast<int>(b) + static_cast<int>(shape.grid_x);
  });
  short small = 3;
  launch(add, {.grid_x = 100}, work.get(), &sum, small, 20);
  small = 9;
  EXPECT_EQ(sum, 0);
  work.synchronize();
  EXPECT_EQ(sum, 123);
  test::expect_correct(fake);
}

TEST(Launch, RefusedAfterALoss) {
  const test::fake_device fake;
  const stream work;
  declare_lost();
  EXPECT_EQ(code_of([&] { launch(add, {}, work.get(), nullptr, 1, 2.0); }), errc::device_lost);
  EXPECT_EQ(fake.calls("launch"), 0u);
}

TEST(NoCuda, EveryCallAnswersNoDevice) {
  if (is_built()) GTEST_SKIP() << "this build has CUDA code";
  const api_table& none = built_api();
  EXPECT_EQ(&api(), &none);
  int number = 7;
  EXPECT_EQ(none.device_count(&number), cuda_no_device);
  EXPECT_EQ(number, 0);
  number = 7;
  EXPECT_EQ(none.driver_version(&number), cuda_no_device);
  EXPECT_EQ(number, 0);
  bool yes = true;
  EXPECT_EQ(none.has_code(&yes, 0), cuda_no_device);
  EXPECT_FALSE(yes);
  void* memory = &number;
  EXPECT_EQ(none.pinned_allocate(&memory, 1), cuda_no_device);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(none.last_error(), 0);
  EXPECT_STREQ(none.error_text(cuda_no_device), "this build has no CUDA code");
  EXPECT_FALSE(is_lost());
}

TEST(NoCuda, WarmUpSaysSo) {
  if (is_built()) GTEST_SKIP() << "this build has CUDA code";
  try {
    warm_up();
    FAIL();
  } catch (const error& thrown) {
    EXPECT_EQ(thrown.code(), errc::device_failed);
    EXPECT_NE(thrown.message().find("this build has no CUDA code"), std::string::npos);
  }
}

TEST(Table, NoEntryIsMissing) {
  const test::fake_device fake;
  for (const api_table* table : {&built_api(), &api()}) {
    const auto* entries = reinterpret_cast<void* const*>(table);
    for (std::size_t entry = 0; entry < sizeof(api_table) / sizeof(void*); ++entry) {
      EXPECT_NE(entries[entry], nullptr) << entry;
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::device
