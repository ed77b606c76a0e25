// unlocked.hpp: giving up the interpreter's lock for work, and taking it, in a way that survives the end of the
// process. Up to Python 3.13 a thread that asks for the lock while the interpreter ends is unwound by force, and where
// C++ frames stand on its stack that ends in abort(). So such threads stop at a gate instead and stay there.
#pragma once

#include <nanobind/nanobind.h>

namespace cuphoton::xdr::python {

/// Without the lock while it lives. Made with the lock held.
class unlocked {
 public:
  unlocked();
  ~unlocked();
  unlocked(const unlocked&) = delete;
  unlocked& operator=(const unlocked&) = delete;

 private:
  PyThreadState* state_;
  bool of_closer_;
};

/// With the lock while it lives, on any thread, also one that has it.
class locked {
 public:
  locked();
  ~locked();
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;

 private:
  PyGILState_STATE state_;
  bool counted_;
  int away_;
};

/// Has the interpreter close the gate when it begins to end.
void bind_exit(nanobind::module_& module);

}  // namespace cuphoton::xdr::python
