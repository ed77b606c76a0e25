// command.hpp: the whole command as a function: the program `cuphoton` and the Python package run the same text.
#pragma once

#include <string>
#include <vector>

namespace cuphoton::xdr::cli {

/// Runs one command line and returns its exit code; data to stdout, errors to stderr, nothing is thrown. `argv` may be
/// changed. Waits for all it started. `starter`: the words that start this command in a process of its own, before the
/// verb's (verify asks CFITSIO there); none where the program of this process is the command.
int command_main(int argc, char** argv, const std::vector<std::string>& starter = {});

/// What `cuphoton xdr doctor` prints.
std::string doctor_text();

}  // namespace cuphoton::xdr::cli
