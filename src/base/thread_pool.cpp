// thread_pool.cpp: loops are handed to idle workers through a queue; items through an atomic counter.
#include "base/thread_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "base/fork_guard.hpp"
#include "base/spin.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::chrono::microseconds linger_time{1000};

/// Loads follow one another within a fraction of a millisecond, and waking a sleeping thread takes 50 to 100 us on a
/// virtual machine: who has nothing to do looks around for a while before it sleeps.
template <class Done>
void linger(Done done) {
  const auto until = std::chrono::steady_clock::now() + linger_time;
  for (int turn = 0; !done(); ++turn) {
    spin(turn);
    if (turn % 64 == 63 && std::chrono::steady_clock::now() > until) return;
  }
}

}  // namespace

int process_cores() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    const int cores = CPU_COUNT(&set);
    if (cores > 0) return cores;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // more than 1024 cores
}

/// One call of parallel_for. It lives until the last thread lets go of it, but the caller's work is only touched while
/// the caller waits: `running` counts the helpers that may still do so. It changes under the pool's gate, and is read
/// without it by a caller that does not sleep yet.
struct thread_pool::loop {
  int count;
  void* context;
  item_function function;
  int helpers_wanted;  // under the pool's gate, like the next one
  int next_worker = 1;
  std::atomic<int> running{0};
  std::condition_variable_any finished;

  std::atomic<std::int64_t> next_item{0};  // wider than a count: every thread counts on once past the end
  std::atomic<bool> failed{false};
  std::mutex error_mutex;
  int error_item = 0;
  std::exception_ptr error;
};

thread_pool::thread_pool(int workers) {
  workers_.reserve(static_cast<std::size_t>(std::max(workers, 0)));
  for (int worker = 0; worker < workers; ++worker) {
    workers_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
  }
}

thread_pool::~thread_pool() = default;  // each jthread is asked to stop, which also wakes it, and joined

thread_pool& thread_pool::shared() {
  static const home_process home;
  // Asked before the pool: where another thread of the parent was just making it, its guard is locked here for ever.
  if (!home.is_here()) refuse_forked("the threads of the host engine");
  // Never destroyed: at exit a load may still run on another thread, and a forked child has no threads to stop.
  static thread_pool& pool = *new thread_pool(process_cores() - 1);
  return pool;
}

void thread_pool::take_items(loop& job, int worker) {
  // Asked before an item is taken, never after: items are taken in order, so everything below a failed item runs and
  // the lowest error does not depend on timing.
  while (!job.failed.load(std::memory_order_relaxed)) {
    const std::int64_t next = job.next_item.fetch_add(1, std::memory_order_relaxed);
    if (next >= job.count) return;
    const int item = static_cast<int>(next);
    try {
      job.function(job.context, item, worker);
    } catch (...) {
      const std::scoped_lock lock(job.error_mutex);
      if (job.error == nullptr || item < job.error_item) {
        job.error = std::current_exception();
        job.error_item = item;
      }
      job.failed.store(true, std::memory_order_relaxed);
    }
  }
}

void thread_pool::run(int count, int max_threads, void* context, item_function function) {
  const auto job = std::make_shared<loop>();
  job->count = count;
  job->context = context;
  job->function = function;
  job->helpers_wanted = std::min({max_threads - 1, count - 1, static_cast<int>(workers_.size())});
  bool anyone_sleeps = false;
  {
    const std::scoped_lock lock(gate_);
    open_.push_back(job);
    open_loops_.store(static_cast<int>(open_.size()), std::memory_order_release);
    anyone_sleeps = sleeping_ > 0;
  }
  if (anyone_sleeps) wake_.notify_all();
  take_items(*job, 0);
  {
    const std::scoped_lock lock(gate_);
    std::erase(open_, job);  // whoever has not come yet is not needed any more
    open_loops_.store(static_cast<int>(open_.size()), std::memory_order_release);
  }
  linger([&] { return job->running.load(std::memory_order_acquire) == 0; });
  std::exception_ptr error;
  {
    std::unique_lock lock(gate_);
    job->finished.wait(lock, [&] { return job->running == 0; });
    error = std::exchange(job->error, nullptr);  // the last owner of the exception is the caller, not a worker
  }
  if (error != nullptr) std::rethrow_exception(error);
}

void thread_pool::serve(const std::stop_token& stop) {
  for (;;) {
    std::shared_ptr<loop> job;
    int worker = 0;
    linger([&] { return open_loops_.load(std::memory_order_acquire) > 0 || stop.stop_requested(); });
    {
      std::unique_lock lock(gate_);
      ++sleeping_;
      const bool called = wake_.wait(lock, stop, [&] { return !open_.empty(); });
      --sleeping_;
      if (!called) return;
      job = open_.front();
      worker = job->next_worker++;
      ++job->running;
      if (--job->helpers_wanted == 0) {
        open_.pop_front();
        open_loops_.store(static_cast<int>(open_.size()), std::memory_order_release);
      }
    }
    take_items(*job, worker);
    {
      const std::scoped_lock lock(gate_);
      if (--job->running == 0) job->finished.notify_all();
    }
  }
}

}  // namespace cuphoton::xdr
