// unlocked.cpp: the gate. Python's exit hooks run on the thread that ends the interpreter ("the closer"). Ours closes
// the gate and lets calls that are running come back, so that none is inside CUDA or the pool when the process takes
// them down. From then on other threads stop here, before work and before the lock. An exit hook that was registered
// earlier runs later and may wait for one of them: who was stopped goes on after a while, unless the interpreter really
// ends. The closer may still read; the Python functions that its reads need may run, since it cannot end meanwhile.
#include "unlocked.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace cuphoton::xdr::python {
namespace {

/// Twice this is how long the end of the process waits for a read, or for a file object whose read() does not return.
constexpr std::chrono::milliseconds patience{2500};
/// Between our exit hook and the end of the interpreter lie milliseconds, unless another hook works or waits.
constexpr std::chrono::seconds grace{1};

/// Scopes of `unlocked` on this thread that no `locked` has interrupted.
thread_local int away = 0;

/// Without the lock; the stable interface has no such question before 3.13.
bool interpreter_ends() {
  using question = int (*)();
  static const auto ask = [] {
    void* const found = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
    return reinterpret_cast<question>(found != nullptr ? found : dlsym(RTLD_DEFAULT, "_Py_IsFinalizing"));
  }();
  return ask == nullptr || ask() != 0;
}

struct gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  std::thread::id closer;
  int closer_away = 0;  // the closer is without the lock
  int working = 0;      // other threads in a call of the library
  int passing = 0;      // other threads between here and the lock, or in a Python function that a call needs

  bool is_closer() const { return closed && std::this_thread::get_id() == closer; }

  void stop(std::unique_lock<std::mutex>& lock) {
    changed.wait_for(lock, grace, [] { return false; });
    while (interpreter_ends()) changed.wait_for(lock, grace);  // for ever: an end is not taken back
  }
  /// Before work without the lock; true for the closer.
  bool leave() {
    std::unique_lock lock(mutex);
    if (is_closer()) {
      ++closer_away;
      return true;
    }
    if (closed) stop(lock);
    ++working;
    return false;
  }
  /// After it. Then the lock must be taken and `arrived` be called.
  void come_back() {
    std::unique_lock lock(mutex);
    --working;
    changed.notify_all();
    if (closed) stop(lock);
    ++passing;
  }
  void come_back_as_closer() {
    std::unique_lock lock(mutex);
    --closer_away;
    changed.wait_for(lock, patience, [this] { return passing == 0; });
  }
  /// Before a Python function is called; true where `arrived` must be called afterwards.
  bool enter() {
    std::unique_lock lock(mutex);
    if (is_closer()) return false;
    if (closed && closer_away == 0) stop(lock);
    ++passing;
    return true;
  }
  void arrived() {
    const std::scoped_lock lock(mutex);
    --passing;
    changed.notify_all();
  }
};

gate& the_gate() {
  static gate& kept = *new gate;  // threads may stand at it until the very end
  return kept;
}

void close_gate() {
  gate& kept = the_gate();
  {
    const std::scoped_lock lock(kept.mutex);
    kept.closed = true;
    kept.closer = std::this_thread::get_id();
  }
  const unlocked let_others_in;
  std::unique_lock lock(kept.mutex);
  kept.changed.wait_for(lock, patience, [&kept] { return kept.working == 0; });
}

}  // namespace

unlocked::unlocked() : state_(PyEval_SaveThread()), of_closer_(the_gate().leave()) {
  ++away;
}

unlocked::~unlocked() {
  --away;
  if (of_closer_) {
    the_gate().come_back_as_closer();
    PyEval_RestoreThread(state_);
    return;
  }
  the_gate().come_back();
  PyEval_RestoreThread(state_);
  the_gate().arrived();
}

// Who has the lock already must not wait at the gate: a thread of Python's that is in no `unlocked`.
locked::locked() : counted_(false), away_(away) {
  if (PyGILState_GetThisThreadState() == nullptr || away > 0) counted_ = the_gate().enter();
  state_ = PyGILState_Ensure();
  away = 0;
}

locked::~locked() {
  away = away_;
  PyGILState_Release(state_);
  if (counted_) the_gate().arrived();
}

void bind_exit(nanobind::module_& module) {
  // A child has the forking thread only, and must not find the gate held by one of the others.
  pthread_atfork([] { the_gate().mutex.lock(); }, [] { the_gate().mutex.unlock(); },
                 [] {
                   the_gate().working = 0;
                   the_gate().passing = 0;
                   the_gate().mutex.unlock();
                 });
  module.def("_close_gate", &close_gate);
  nanobind::module_::import_("atexit").attr("register")(module.attr("_close_gate"));
}

}  // namespace cuphoton::xdr::python
