// module.cpp: the module cuphoton.xdr._ext. Private: users import cuphoton.xdr.
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "cli/command.hpp"

namespace cuphoton::xdr::python {
namespace {

/// The command, in this process; `words[0]` is its name, `starter` starts it in another one.
int run_command(std::vector<std::string> words, const std::vector<std::string>& starter) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const unlocked without_lock;
  return cli::command_main(static_cast<int>(words.size()), arguments.data(), starter);
}

}  // namespace

nb::tuple to_tuple(const shape& extents) {
  nb::list axes;
  for (int axis = 0; axis < extents.rank; ++axis) axes.append(extents[axis]);
  return nb::tuple(axes);
}

NB_MODULE(_ext, module) {
  module.attr("__version__") = std::string(library_version());
  nb::set_leak_warnings(false);  // a library prints nothing; what daemon threads hold at exit is no leak
  bind_exit(module);
  bind_errors(module);
  bind_capabilities(module);
  bind_source(module);
  bind_array(module);
  bind_inspect(module);
  bind_header(module);
  bind_read(module);
  bind_device(module);
  module.def("command_main", &run_command, nb::arg("words"), nb::arg("starter"));
  module.def(
      "doctor_text",
      []() {
        const unlocked without_lock;
        return cli::doctor_text();
      },
      "What `cuphoton xdr doctor` prints.");
}

}  // namespace cuphoton::xdr::python
