// context_test.cpp: what a device keeps is made once; a failed attempt leaves nothing behind; a second load makes
// nothing.
#include "device/context.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include <cuphoton/xdr/device.hpp>

#include "support/device_checks.hpp"

namespace cuphoton::xdr::device {
namespace {

using test::code_of;

/// Calls that a load must never make.
std::uint64_t creations(const test::fake_device& fake) {
  return fake.calls("stream_create") + fake.calls("event_create") + fake.calls("pool_create") +
         fake.calls("pinned_allocate");
}

TEST(Context, OneForEachDevice) {
  const test::fake_device fake;
  device_context& first = context_for(0);
  device_context& second = context_for(1);
  EXPECT_NE(&first, &second);
  EXPECT_EQ(&context_for(0), &first);
  EXPECT_EQ(second.device(), 1);
  EXPECT_EQ(second.about().name, "fake device 1");
  EXPECT_EQ(fake.calls("pool_create"), 2u);
  EXPECT_EQ(first.ring().slot_bytes(), std::size_t{2} << 20);
  EXPECT_EQ(first.ring().slots() * first.ring().slot_bytes(), std::size_t{24} << 20);
  forget_contexts();
  test::expect_clean(fake);
}

TEST(Context, RefusesADeviceThatIsNotThere) {
  test::fake_device fake(1, 1);
  EXPECT_EQ(code_of([] { context_for(1); }), errc::invalid_argument);
  EXPECT_EQ(code_of([] { warm_up(-1); }), errc::invalid_argument);
  fake.set_code(false);
  try {
    context_for(0);
    FAIL();
  } catch (const error& thrown) {
    EXPECT_EQ(thrown.code(), errc::device_failed);
    EXPECT_NE(thrown.message().find("no code for device 0, fake device 0 of compute capability 9.0"),
              std::string::npos);
  }
  fake.set_code(true);
  EXPECT_EQ(code_of([] { context_for(0); }), std::nullopt);
}

TEST(Context, WarmUpMakesAllThatALoadNeeds) {
  const test::fake_device fake;
  warm_up(1, 1000);
  device_context& context = context_for(1);
  EXPECT_EQ(context.memory().counters().peak_bytes, 1000u);
  EXPECT_EQ(context.memory().counters().bytes_in_use, 0u);
  const std::uint64_t made = creations(fake);
  for (int load = 0; load < 10; ++load) {
    const work_lease one = context.acquire_slot();
    const work_lease two = context.acquire_slot();
    const buffer arena(context.memory(), 100, one->work.get());
    ring_slot held = context.ring().acquire();
  }
  EXPECT_EQ(creations(fake), made);
  warm_up(1, std::uint64_t{2} << 30);
  EXPECT_EQ(context.memory().keep_bytes(), std::uint64_t{2} << 30);  // more than a quarter of the fake's 4 GiB
  EXPECT_EQ(code_of([] { warm_up(1, std::uint64_t{5} << 30); }), errc::out_of_memory);
  EXPECT_EQ(context.memory().counters().bytes_in_use, 0u);
  forget_contexts();
  test::expect_clean(fake);
}

TEST(Context, PoolsTellWhatTheyGaveAndKeepWhatTheyMay) {
  const test::fake_device fake;
  EXPECT_EQ(device_pool(1).keep_bytes, 0u);
  trim_device_pool(1);
  limit_device_pools(5000);
  EXPECT_EQ(device_pool(1).keep_bytes, 5000u);
  EXPECT_EQ(fake.calls(), 0u);  // no device was asked for anything
  device_context& context = context_for(1);
  {
    const work_lease slot = context.acquire_slot();
    const buffer arena(context.memory(), 100, slot->work.get());
    EXPECT_EQ(device_pool(1).bytes_in_use, 100u);
    EXPECT_EQ(device_pool(1).releases, 0u);
  }
  const pool_facts after = device_pool(1);
  EXPECT_EQ(after.bytes_in_use, 0u);
  EXPECT_EQ(after.peak_bytes, 100u);
  EXPECT_EQ(after.allocations, 1u);
  EXPECT_EQ(after.releases, 1u);
  EXPECT_EQ(after.keep_bytes, 5000u);
  EXPECT_EQ(device_pool(0).allocations, 0u);
  trim_device_pool(1);
  EXPECT_EQ(fake.calls("pool_trim"), 1u);
  warm_up(1, 9000);
  EXPECT_EQ(device_pool(1).keep_bytes, 9000u);
  forget_contexts();
  limit_device_pools(0);
  EXPECT_EQ(context_for(0).memory().keep_bytes(), 1u);
  forget_contexts();
  test::expect_clean(fake);
}

TEST(Context, MoreLoadsAtATimeMakeSlotsOnce) {
  const test::fake_device fake;
  {
    device_context context(0, {.ring_slots = 1, .slot_bytes = 16, .work_slots = 1});
    for (int round = 0; round < 3; ++round) {
      std::vector<work_lease> held;
      for (int load = 0; load < 6; ++load) held.push_back(context.acquire_slot());
      EXPECT_EQ(context.slots_made(), 6u);
    }
  }
  test::expect_clean(fake);
}

TEST(Context, ThreadsShareIt) {
  const test::fake_device fake;
  std::vector<std::thread> running;
  for (int thread = 0; thread < 4; ++thread) {
    running.emplace_back([] {
      for (int load = 0; load < 20; ++load) {
        const work_lease slot = context_for(1).acquire_slot();
        const buffer arena(context_for(1).memory(), 100, slot->work.get());
      }
    });
  }
  for (std::thread& each : running) each.join();
  EXPECT_LE(context_for(1).slots_made(), 4u);
  forget_contexts();
  test::expect_clean(fake);
}

TEST(Context, EachCallFailsOnce) {
  bool fired = true;
  std::uint64_t nth = 1;
  for (; fired; ++nth) {
    test::fake_device fake;
    fake.plant({.first = nth, .error = 2});
    const auto code = code_of([] { warm_up(1, 1000); });
    fired = fake.calls() >= nth;
    fake.clear_faults();
    if (code) {
      EXPECT_EQ(code, errc::out_of_memory) << nth;
    }
    EXPECT_EQ(code_of([] { warm_up(1, 1000); }), std::nullopt) << nth;  // the failed attempt is forgotten
    forget_contexts();
    EXPECT_LE(failed_frees(), 1u);
    if (failed_frees() == 0) {
      test::expect_clean(fake);
    }
  }
  EXPECT_GT(nth, 50u);
}

TEST(Context, RefusesAfterALoss) {
  const test::fake_device fake;
  device_context& context = context_for(0);
  const std::uint64_t calls = fake.calls();
  declare_lost();
  EXPECT_EQ(code_of([&] { context.acquire_slot(); }), errc::device_lost);
  EXPECT_EQ(code_of([] { context_for(0); }), errc::device_lost);
  EXPECT_EQ(code_of([] { warm_up(1, 10); }), errc::device_lost);
  forget_contexts();
  EXPECT_EQ(fake.calls(), calls);
  EXPECT_GT(leaked_objects(), 10u);
}

TEST(Context, RefusesInAForkedChild) {
  const test::fake_device fake;
  context_for(0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(code_of([] { context_for(0); }) == errc::unsupported ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(CurrentDevice, ComesBack) {
  const test::fake_device fake;
  const auto now = [] {
    int device = -1;
    check(api().get_device(&device), "ask");
    return device;
  };
  {
    const current_device one(1);
    EXPECT_EQ(now(), 1);
    {
      const current_device same(1);
      const current_device zero(0);
      EXPECT_EQ(now(), 0);
    }
    EXPECT_EQ(now(), 1);
  }
  EXPECT_EQ(now(), 0);
  EXPECT_EQ(code_of([] { const current_device none(7); }), errc::device_failed);
  EXPECT_EQ(now(), 0);
}

TEST(WorkSlot, OrdersACallersStream) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const test::fake_device fake(seed);
    {
      device_context context(0, {.ring_slots = 1, .slot_bytes = 16, .work_slots = 1});
      const stream caller;
      const buffer memory(context.memory(), 4, caller.get());
      const work_lease slot = context.acquire_slot();
      slot->follow(caller.get());
      check(api().fill(memory.data(), 1, 4, slot->work.get()), "fill");
      slot->lead(caller.get());
      check(api().fill(memory.data(), 2, 4, caller.get()), "fill");
      caller.synchronize();
      EXPECT_EQ(memory.data()[0], 2);
    }
    test::expect_clean(fake);
  }
}

}  // namespace
}  // namespace cuphoton::xdr::device
