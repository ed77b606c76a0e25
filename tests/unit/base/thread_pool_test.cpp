// thread_pool_test.cpp: every item once, exceptions, loops inside loops, several callers.
#include "base/thread_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cuphoton::xdr {
namespace {

TEST(thread_pool, runs_every_item_once) {
  for (const int workers : {0, 1, 3}) {
    thread_pool pool(workers);
    for (const int threads : {-1, 0, 1, 2, 4, 100}) {
      for (const int count : {0, 1, 2, 7, 1000}) {
        std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
        std::atomic<int> highest{0};
        pool.parallel_for(count, threads, [&](int item, int worker) {
          ++seen[static_cast<std::size_t>(item)];
          int before = highest;
          while (worker > before && !highest.compare_exchange_weak(before, worker)) {
          }
        });
        for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1);
        EXPECT_LT(highest, std::max(1, threads));
        EXPECT_LE(highest, workers);
      }
    }
  }
}

TEST(thread_pool, no_two_items_share_a_worker_number_at_once) {
  thread_pool pool(3);
  std::atomic<int> busy[4] = {};
  std::atomic<bool> shared{false};
  pool.parallel_for(2000, 4, [&](int, int worker) {
    if (busy[worker]++ != 0) shared = true;
    std::this_thread::yield();
    --busy[worker];
  });
  EXPECT_FALSE(shared);
}

TEST(thread_pool, helpers_do_come) {
  thread_pool pool(1);
  std::atomic<int> present{0};
  pool.parallel_for(2, 2, [&](int, int) {  // each item waits for the other: one thread alone would never end
    ++present;
    while (present < 2) std::this_thread::yield();
  });
  EXPECT_EQ(present, 2);
}

TEST(thread_pool, throws_the_error_of_the_lowest_item) {
  thread_pool pool(3);
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> started{0};
    try {
      pool.parallel_for(1000, 4, [&](int item, int) {
        ++started;
        if (item == 5) std::this_thread::sleep_for(std::chrono::microseconds(50));  // the others fail first
        if (item >= 5) throw std::runtime_error(std::to_string(item));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "5");
    }
    EXPECT_LE(started, 5 + 4);  // what follows an error is not begun: one item for each thread at most
  }
}

TEST(thread_pool, goes_on_after_an_error) {
  thread_pool pool(2);
  EXPECT_THROW(pool.parallel_for(10, 3, [](int, int) { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_THROW(pool.parallel_for(10, 1, [](int, int) { throw std::runtime_error("no"); }), std::runtime_error);
  std::atomic<int> done{0};
  pool.parallel_for(10, 3, [&](int, int) { ++done; });
  EXPECT_EQ(done, 10);
}

TEST(thread_pool, loops_inside_loops) {
  thread_pool pool(2);
  std::atomic<int> done{0};
  pool.parallel_for(8, 3, [&](int, int) {
    pool.parallel_for(8, 3, [&](int, int) { pool.parallel_for(4, 3, [&](int, int) { ++done; }); });
  });
  EXPECT_EQ(done, 8 * 8 * 4);
}

TEST(thread_pool, several_callers) {
  thread_pool& pool = thread_pool::shared();
  EXPECT_EQ(&pool, &thread_pool::shared());
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int round = 0; round < 50; ++round) pool.parallel_for(20, 8, [&](int, int) { ++done; });
      });
    }
  }
  EXPECT_EQ(done, 4 * 50 * 20);
}

TEST(thread_pool, one_thread_stays_with_the_caller) {
  thread_pool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<int> order;
  pool.parallel_for(20, 1, [&](int item, int worker) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(worker, 0);
    order.push_back(item);
  });
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(process_cores, is_at_least_one) {
  EXPECT_GE(process_cores(), 1);
}

}  // namespace
}  // namespace cuphoton::xdr
