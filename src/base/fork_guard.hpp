// fork_guard.hpp: what a fork does not copy. Threads and CUDA contexts stay with the parent, and a lock that one of its
// threads held stays locked in the child for ever; who keeps such things asks here before touching them.
#pragma once

#include <unistd.h>

#include <atomic>

namespace cuphoton::xdr {

/// The process in which something lives. Costs one getpid() a question.
class home_process {
 public:
  /// Lives in the calling process.
  home_process() noexcept : process_(::getpid()) {}
  /// False in a child that was forked after this was made.
  bool is_here() const noexcept { return process_.load(std::memory_order_relaxed) == ::getpid(); }
  /// Moves to the calling process: what belongs to it was made anew.
  void settle() noexcept { process_.store(::getpid(), std::memory_order_relaxed); }

 private:
  std::atomic<pid_t> process_;
};

/// Throws error{unsupported} that says what is missing here ("the threads of the host engine") and what to do.
[[noreturn]] void refuse_forked(const char* missing);

}  // namespace cuphoton::xdr
