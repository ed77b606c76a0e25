// pool_test.cpp: buffers live and die in the order of their stream, and the pool's counters say so.
#include "device/pool.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "device/buffer.hpp"
#include "device/event.hpp"
#include "device/stream.hpp"
#include "support/device_checks.hpp"

namespace cuphoton::xdr::device {
namespace {

using test::code_of;

TEST(Pool, CountsWhatIsInUse) {
  const test::fake_device fake;
  {
    pool memory(0, 1000);
    const stream work;
    {
      buffer one(memory, 100, work.get());
      const buffer two(memory, 50, work.get());
      EXPECT_EQ(memory.counters().bytes_in_use, 150u);
      const buffer moved(std::move(one));
      EXPECT_EQ(one.data(), nullptr);  // NOLINT: moved from on purpose
      EXPECT_EQ(moved.size_bytes(), 100u);
      EXPECT_EQ(memory.counters().bytes_in_use, 150u);
    }
    const buffer nothing(memory, 0, work.get());
    EXPECT_EQ(nothing.data(), nullptr);
    EXPECT_EQ(memory.counters().bytes_in_use, 0u);
    EXPECT_EQ(memory.counters().peak_bytes, 150u);
    EXPECT_EQ(memory.counters().allocations, 2u);
    memory.trim();
    memory.keep_at_least(500);
    EXPECT_EQ(memory.keep_bytes(), 1000u);
    memory.keep_at_least(5000);
    EXPECT_EQ(memory.keep_bytes(), 5000u);
    EXPECT_EQ(fake.calls("pool_keep"), 1u);
  }
  test::expect_clean(fake);
}

TEST(Pool, OutOfMemoryLeavesEverythingAsItWas) {
  test::fake_device fake;
  {
    pool memory(0, 0);
    const stream work;
    fake.set_memory_bytes(1000);
    const buffer held(memory, 900, work.get());
    EXPECT_EQ(code_of([&] { const buffer more(memory, 101, work.get()); }), errc::out_of_memory);
    EXPECT_EQ(memory.counters().bytes_in_use, 900u);
    EXPECT_EQ(memory.counters().allocations, 1u);
    EXPECT_EQ(fake.pending_error(), 0);
    EXPECT_EQ(code_of([&] { const buffer more(memory, 100, work.get()); }), std::nullopt);
  }
  test::expect_clean(fake);
}

TEST(Buffer, AssignmentFreesTheOldMemoryOnItsStream) {
  const test::fake_device fake;
  {
    pool memory(0, 0);
    const stream work;
    const stream other;
    buffer kept(memory, 10, work.get());
    kept = buffer(memory, 20, work.get());
    EXPECT_EQ(memory.counters().bytes_in_use, 20u);
    event allocated;
    allocated.record(work.get());
    other.wait(allocated);
    kept.set_stream(other.get());
    EXPECT_EQ(kept.stream(), other.get());
  }
  test::expect_clean(fake);
}

TEST(Buffer, LeakedAfterALoss) {
  const test::fake_device fake;
  {
    pool memory(0, 0);
    const stream work;
    const buffer held(memory, 10, work.get());
    declare_lost();
  }
  EXPECT_EQ(leaked_objects(), 3u);  // buffer, stream, pool
  EXPECT_EQ(fake.calls("release"), 0u);
  EXPECT_EQ(fake.live().blocks, 1u);
}

TEST(Event, OrdersAtTheMomentOfTheWait) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const test::fake_device fake(seed);
    {
      pool memory(0, 0);
      const stream first;
      const stream second;
      event point;
      EXPECT_TRUE(point.is_done());
      const buffer held(memory, 4, first.get());
      check(api().fill(held.data(), 1, 4, first.get()), "fill");
      point.record(first.get());
      second.wait(point);
      check(api().fill(held.data(), 2, 4, second.get()), "fill");
      point.record(second.get());  // does not touch the wait above
      point.synchronize();
      EXPECT_TRUE(point.is_done());
      EXPECT_EQ(held.data()[3], 2);
    }
    test::expect_clean(fake);
  }
}

}  // namespace
}  // namespace cuphoton::xdr::device
