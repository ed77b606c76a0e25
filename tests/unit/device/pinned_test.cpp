// pinned_test.cpp: a ring's slot changes hands only after its copy has run; whatever fails, every slot comes back.
#include "device/pinned.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "device/buffer.hpp"
#include "device/context.hpp"
#include "device/stream.hpp"
#include "support/device_checks.hpp"

namespace cuphoton::xdr::device {
namespace {

using test::code_of;

TEST(Ring, RefusesSizesThatMakeNoSense) {
  const test::fake_device fake;
  EXPECT_EQ(code_of([] { const pinned_ring none(0, 16); }), errc::invalid_argument);
  EXPECT_EQ(code_of([] { const pinned_ring none(16, 0); }), errc::invalid_argument);
  EXPECT_EQ(code_of([] { const pinned_ring much(std::size_t{1} << 40, std::size_t{1} << 40); }),
            errc::invalid_argument);
  test::expect_clean(fake);
}

TEST(Ring, ASlotWithoutACopyIsFreeAtOnce) {
  const test::fake_device fake;
  {
    pinned_ring ring(1, 16);
    std::uint8_t* first = nullptr;
    {
      const ring_slot held = ring.acquire();
      first = held.data();
      EXPECT_EQ(held.size_bytes(), 16u);
      EXPECT_EQ(ring.returned(), 0u);
    }
    EXPECT_EQ(ring.returned(), 1u);
    EXPECT_EQ(ring.acquire().data(), first);
    EXPECT_EQ(fake.calls("event_synchronize"), 0u);
  }
  test::expect_clean(fake);
}

/// Each of `threads` threads sends `rounds` blocks of its own through the ring; all bytes must arrive.
void send_blocks(std::size_t slots, unsigned threads, std::uint32_t seed) {
  constexpr std::size_t block = 512;
  constexpr std::size_t rounds = 12;
  const test::fake_device fake(seed);
  {
    pool memory(0, 0);
    const stream work;
    pinned_ring ring(slots, block);
    const std::vector<std::uint8_t> bytes = test::random_bytes(block * rounds * threads, seed);
    const buffer arena(memory, bytes.size(), work.get());
    const auto send = [&](unsigned thread) {
      for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t at = (thread * rounds + round) * block;
        ring_slot held = ring.acquire();
        std::memcpy(held.data(), bytes.data() + at, block);
        held.copy_to(arena.data() + at, 0, block, work.get());
        if (round % 5 != 4) held.release();  // else its end gives it back
      }
    };
    std::vector<std::thread> running;
    for (unsigned thread = 0; thread < threads; ++thread) running.emplace_back(send, thread);
    for (std::thread& each : running) each.join();
    work.synchronize();
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), arena.data()));
    EXPECT_EQ(ring.returned(), slots);
  }
  test::expect_clean(fake);
}

TEST(Ring, EveryByteArrives) {
  for (std::size_t slots = 1; slots <= 4; ++slots) {
    for (const unsigned threads : {1u, 2u, 3u, 5u, 8u}) {
      for (std::uint32_t seed = 0; seed < 4; ++seed) send_blocks(slots, threads, seed);
    }
  }
}

TEST(Ring, BytesComeBack) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const test::fake_device fake(seed);
    {
      pool memory(0, 0);
      const stream work;
      pinned_ring ring(1, 64);
      const buffer arena(memory, 64, work.get());
      check(api().fill(arena.data(), 0x5A, 64, work.get()), "fill");
      ring_slot held = ring.acquire();
      held.wait();  // nothing enqueued: returns
      held.copy_from(arena.data(), 64, work.get());
      held.wait();
      EXPECT_EQ(std::count(held.data(), held.data() + 64, 0x5A), 64);
    }
    test::expect_clean(fake);
  }
}

TEST(Ring, EndsOnlyAfterItsCopies) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const test::fake_device fake(seed);
    {
      pool memory(0, 0);
      const stream work;
      const buffer arena(memory, 64, work.get());
      {
        pinned_ring ring(2, 32);
        for (std::size_t half = 0; half < 2; ++half) {
          ring_slot held = ring.acquire();
          std::fill_n(held.data(), 32, std::uint8_t{7});
          held.copy_to(arena.data() + 32 * half, 0, 32, work.get());
          held.release();
        }
      }
      EXPECT_EQ(std::count(arena.data(), arena.data() + 64, 7), 64);
    }
    test::expect_clean(fake);  // a copy from a freed ring would be a violation
  }
}

/// Makes a ring of two slots and sends five blocks through it.
void use_ring(std::uint8_t* arena, const stream& work) {
  pinned_ring ring(2, 32);
  for (std::size_t block = 0; block < 5; ++block) {
    ring_slot held = ring.acquire();
    std::fill_n(held.data(), 32, static_cast<std::uint8_t>(block));
    held.copy_to(arena + 32 * block, 0, 32, work.get());
    held.release();
  }
  ring_slot back = ring.acquire();
  back.copy_from(arena, 32, work.get());
  back.wait();
}

TEST(Ring, EachCallFailsOnce) {
  std::uint64_t positions = 0;
  for (const bool effect : {false, true}) {
    for (const int failure : {2, 98}) {
      bool fired = true;
      for (std::uint64_t nth = 1; fired; ++nth, ++positions) {
        test::fake_device fake(static_cast<std::uint32_t>(nth));
        {
          pool memory(0, 0);
          const stream work;
          const buffer arena(memory, 160, work.get());
          // A creation that succeeded although it was refused cannot be told from one that failed.
          const std::uint64_t before = fake.calls();
          fake.plant({.first = nth + (effect ? 4 : 0), .error = failure, .effect = effect});
          const auto code = code_of([&] { use_ring(arena.data(), work); });
          fired = fake.calls() - before >= nth + (effect ? 4 : 0);
          fake.clear_faults();
          if (code) {
            EXPECT_EQ(*code, failure == 2 ? errc::out_of_memory : errc::device_failed) << nth;
          }
          EXPECT_FALSE(is_lost()) << nth;
        }
        test::expect_correct(fake);
        EXPECT_LE(failed_frees(), 1u);
        EXPECT_EQ(leaked_objects(), 0u) << nth;
        if (failed_frees() == 0) {
          EXPECT_EQ(fake.live(), test::live_objects{}) << nth;
        }
      }
    }
  }
  EXPECT_GT(positions, 60u);
}

TEST(Ring, EachCallLosesTheDevice) {
  bool fired = true;
  for (std::uint64_t nth = 1; fired; ++nth) {
    test::fake_device fake(static_cast<std::uint32_t>(nth));
    {
      pool memory(0, 0);
      const stream work;
      const buffer arena(memory, 160, work.get());
      const std::uint64_t before = fake.calls();
      fake.plant({.first = nth, .error = 700, .sticky = true});
      const auto code = code_of([&] { use_ring(arena.data(), work); });
      fired = fake.calls() - before >= nth;
      if (code) {
        EXPECT_EQ(*code, errc::device_lost) << nth;
      }
      EXPECT_EQ(is_lost(), fired) << nth;
    }
    test::expect_correct(fake);
    EXPECT_EQ(failed_frees(), 0u);
  }
}

TEST(Ring, ALossWakesThreadsThatWait) {
  test::fake_device fake;
  {
    pool memory(0, 0);
    const stream work;
    const buffer arena(memory, 32, work.get());
    pinned_ring ring(1, 32);
    std::thread waiting;
    std::optional<errc> seen;
    {
      ring_slot held = ring.acquire();
      waiting = std::thread([&] { seen = code_of([&] { const ring_slot never = ring.acquire(); }); });
      fake.plant({.call = "copy", .error = 719, .sticky = true});
      EXPECT_EQ(code_of([&] { held.copy_to(arena.data(), 0, 32, work.get()); }), errc::device_lost);
    }
    waiting.join();
    EXPECT_EQ(seen, errc::device_lost);
  }
  EXPECT_EQ(fake.calls_after_loss(), 0u);
}

}  // namespace
}  // namespace cuphoton::xdr::device
