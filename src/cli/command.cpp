// command.cpp: the command `cuphoton`, group `xdr`: picks the verb and turns every outcome into an exit code
// (0 ok, 1 a comparison failed, 2 usage, 3 unsupported, 4 corrupt data, 5 I/O, 6 device).
#include "cli/command.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args.hpp"
#include "cli/cfitsio_peer.hpp"
#include "cli/output.hpp"

namespace cuphoton::xdr::cli {
namespace {

int run(const command_line& line) {
  switch (line.which) {
    case command::info: return run_info(line);
    case command::plan: return run_plan(line);
    case command::load: return run_load(line);
    case command::verify: return run_verify(line);
    case command::doctor: return run_doctor(line);
    case command::make_demo: return run_make_demo(line);
    case command::demo: return run_demo(line);
  }
  return 1;
}

}  // namespace

int command_main(int argc, char** argv, const std::vector<std::string>& starter) {
  prepare_standard_descriptors();
  start_peer_with(starter);
  try {
    // Not a word for people: what verify runs in a child process, see cfitsio_peer.hpp.
    if (argc > 2 && std::string_view(argv[1]) == "xdr" && std::string_view(argv[2]) == "peer-read") {
      return peer_read_main(argc - 3, argv + 3);
    }
    const parsed_arguments arguments = parse_arguments(argc, argv);
    if (arguments.line) return run(*arguments.line);
    print(arguments.text);
    return 0;
  } catch (const error& fault) {
    print_error(fault);
    return exit_code(fault.code());
  } catch (const std::bad_alloc&) {
    print_error(error(errc::out_of_memory, {}, "out of memory; a lower --max-bytes refuses large images by name"));
    return 1;
  } catch (const std::exception& fault) {
    print_error(error(errc::internal, {}, fault.what()));
    return 1;
  }
}

}  // namespace cuphoton::xdr::cli
