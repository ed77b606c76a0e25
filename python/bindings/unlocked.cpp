// unlocked.cpp: the gate. Python's exit hooks run on the thread that ends the interpreter ("the closer") before anyone
// is unwound; from then on only the closer may pass, and who is on the way to the lock, or in a Python function that
// the library called, is let finish first. The closer may still read (from later exit hooks): while it is without the
// lock the interpreter cannot end, so the gate is open for that long.
#include "unlocked.hpp"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace cuphoton::xdr::python {
namespace {

/// The end of the process does not wait longer for a file object whose read() does not return.
constexpr std::chrono::seconds patience{5};

/// Scopes of `unlocked` on this thread that no `locked` has interrupted.
thread_local int away = 0;

struct gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  std::thread::id closer;
  int closer_away = 0;  // the closer is without the lock
  int passing = 0;      // other threads between here and the lock, or in a Python function

  bool is_closer() const { return closed && std::this_thread::get_id() == closer; }

  /// Counts the thread, unless it is the closer. Never returns on one that the end of the interpreter has overtaken.
  bool enter() {
    std::unique_lock lock(mutex);
    if (is_closer()) return false;
    changed.wait(lock, [this] { return !closed || closer_away > 0; });
    ++passing;
    return true;
  }
  void arrived() {
    const std::scoped_lock lock(mutex);
    --passing;
    changed.notify_all();
  }
  bool leave_as_closer() {
    const std::scoped_lock lock(mutex);
    if (!is_closer()) return false;
    ++closer_away;
    changed.notify_all();
    return true;
  }
  void return_as_closer() {
    std::unique_lock lock(mutex);
    --closer_away;
    changed.wait_for(lock, patience, [this] { return passing == 0; });
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
  const unlocked let_in;
}

}  // namespace

unlocked::unlocked() : state_(PyEval_SaveThread()), of_closer_(the_gate().leave_as_closer()) {
  ++away;
}

unlocked::~unlocked() {
  --away;
  if (of_closer_) {
    the_gate().return_as_closer();
    PyEval_RestoreThread(state_);
    return;
  }
  const bool counted = the_gate().enter();
  PyEval_RestoreThread(state_);
  if (counted) the_gate().arrived();
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
                   the_gate().passing = 0;
                   the_gate().mutex.unlock();
                 });
  module.def("_close_gate", &close_gate);
  nanobind::module_::import_("atexit").attr("register")(module.attr("_close_gate"));
}

}  // namespace cuphoton::xdr::python
