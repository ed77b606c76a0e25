// fork_guard.cpp: one wording for every use after a fork.
#include "base/fork_guard.hpp"

#include <string>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr {

void refuse_forked(const char* missing) {
  throw error(errc::unsupported, {},
              "this process was forked from one that had used the library, and " + std::string(missing) +
                  " did not come along; create worker processes by the 'spawn' start method (in Python "
                  "multiprocessing.get_context('spawn')), or fork before the first read");
}

}  // namespace cuphoton::xdr
