// args.hpp: the command line into plain data. The only door to CLI11 is args.cpp.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.hpp"

namespace cuphoton::xdr::cli {

/// Either a command, or a text to print on stdout with exit code 0 (help, version).
struct parsed_arguments {
  std::optional<command_line> line;
  std::string text;
};

/// Throws error{invalid_argument} for everything that is wrong with the arguments. Touches no file.
parsed_arguments parse_arguments(int argc, const char* const* argv);

}  // namespace cuphoton::xdr::cli
