// thread_pool.hpp: a fixed set of host threads that share loops over independent items.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/spin.hpp"

namespace cuphoton::xdr {

/// Cores that this process may run on, at least 1.
int process_cores() noexcept;

/// Threads may share a pool, and a loop may start loops of its own: whoever calls works on its items itself, so every
/// loop ends even where no worker is free.
class thread_pool {
 public:
  /// Starts `workers` threads (0 is allowed). They end with the pool; no loop may be running then.
  explicit thread_pool(int workers);
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  /// The process's pool: with the caller it fills all cores. Started by the first call, never destroyed. Throws
  /// error{unsupported} in a child that was forked after the first call.
  static thread_pool& shared();

  /// Runs work(item, worker) for 0 <= item < count on at most `max_threads` threads, the caller among them, and returns
  /// when all have finished. 0 <= worker < max_threads tells the threads of one loop apart. After an exception no
  /// further item is begun; that of the lowest item is thrown again. One thread is a plain loop.
  template <class Work>
  void parallel_for(int count, int max_threads, Work&& work) {
    if (count <= 1 || max_threads <= 1 || workers_.empty()) {
      for (int item = 0; item < count; ++item) work(item, 0);
      return;
    }
    run(count, max_threads, &work, [](void* context, int item, int worker) {
      (*static_cast<std::remove_reference_t<Work>*>(context))(item, worker);
    });
  }

 private:
  using item_function = void (*)(void* context, int item, int worker);
  struct loop;

  void run(int count, int max_threads, void* context, item_function function);
  void serve(const std::stop_token& stop);
  static void take_items(loop& job, int worker);

  std::atomic<int> open_loops_{0};  // length of open_, for workers that look without the lock
  spin_gate gate_;  // held for a few instructions; a mutex would send threads to sleep that all come at the same time
  int sleeping_ = 0;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<loop>> open_;  // loops that can use one more thread
  std::vector<std::jthread> workers_;       // last: they use the members above until they are joined
};

}  // namespace cuphoton::xdr
