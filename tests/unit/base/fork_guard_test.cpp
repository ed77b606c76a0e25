// fork_guard_test.cpp: what a forked child may do after its parent used the library: end, and get an error; never hang.
#include "base/fork_guard.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include <cuphoton/xdr/error.hpp>

#include "base/thread_pool.hpp"

namespace cuphoton::xdr {
namespace {

/// Exit status of a child that runs `work`; -1 where it was killed, also after 20 seconds.
template <class Work>
int status_of_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    work();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HomeProcess, IsWhereItWasMade) {
  home_process home;
  EXPECT_TRUE(home.is_here());
  EXPECT_EQ(status_of_child([&] {
              if (home.is_here()) ::_exit(1);
              home.settle();
              ::_exit(home.is_here() ? 0 : 2);
            }),
            0);
  EXPECT_TRUE(home.is_here());
}

TEST(ForkGuard, TheSharedPoolRefusesAChild) {
  std::atomic<int> done{0};
  thread_pool::shared().parallel_for(64, 8, [&](int, int) { ++done; });
  ASSERT_EQ(done, 64);
  EXPECT_EQ(
      status_of_child([] {
        try {
          thread_pool::shared().parallel_for(64, 8, [](int, int) {});
        } catch (const error& refused) {
          const std::string text = refused.what();
          if (refused.code() != errc::unsupported) ::_exit(2);
          ::_exit(text.find("'spawn' start method") != std::string::npos && text.find("threads") != std::string::npos
                      ? 0
                      : 3);
        }
        ::_exit(1);
      }),
      0);
  thread_pool::shared().parallel_for(64, 8, [&](int, int) { ++done; });  // the parent goes on
  EXPECT_EQ(done, 128);
}

TEST(ForkGuard, AChildEndsByExit) {
  thread_pool::shared().parallel_for(64, 8, [](int, int) {});
  EXPECT_EQ(status_of_child([] { std::exit(7); }), 7);  // with destructors: they must not wait for absent threads
}

TEST(ForkGuard, AForkBeforeTheFirstUseHarmsNobody) {
  if (std::getenv("XDR_EMULATOR") != nullptr) GTEST_SKIP() << "an emulator does not start the program again by exec";
  // A process of its own, whose pool was not made: this binary again, which forks first and uses the pool then.
  EXPECT_EQ(status_of_child([] {
              ::execl("/proc/self/exe", "again", "--gtest_filter=ForkGuard.DISABLED_UseOnlyInTheChild",
                      "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
            }),
            0);
}

TEST(ForkGuard, DISABLED_UseOnlyInTheChild) {
  EXPECT_EQ(status_of_child([] {
              std::atomic<int> done{0};
              thread_pool::shared().parallel_for(64, 8, [&](int, int) { ++done; });
              ::_exit(done == 64 ? 0 : 1);
            }),
            0);
}

}  // namespace
}  // namespace cuphoton::xdr
