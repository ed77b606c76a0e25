// spin.hpp: a lock for sections of a few microseconds that many threads pass at the same time.
#pragma once

#include <atomic>
#include <thread>

namespace cuphoton::xdr {

/// Tells the processor that this is a loop that waits.
inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// One turn of a loop that waits. Gives way to others after a while, so that it also works with more threads than
/// cores.
inline void spin(int turn) noexcept {
  if (turn < 2000) {
    relax();
  } else {
    std::this_thread::yield();
  }
}

/// Taken by spin_guard, or by std::unique_lock where a thread has something better to do than to wait.
class spin_gate {
 public:
  void lock() noexcept {
    for (int turn = 0; !try_lock(); ++turn) spin(turn);
  }
  bool try_lock() noexcept { return !taken_.test_and_set(std::memory_order_acquire); }
  void unlock() noexcept { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_ = ATOMIC_FLAG_INIT;
};

class spin_guard {
 public:
  explicit spin_guard(spin_gate& gate) noexcept : gate_(gate) { gate_.lock(); }
  ~spin_guard() { gate_.unlock(); }
  spin_guard(const spin_guard&) = delete;
  spin_guard& operator=(const spin_guard&) = delete;

 private:
  spin_gate& gate_;
};

}  // namespace cuphoton::xdr
