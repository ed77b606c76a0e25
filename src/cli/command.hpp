// command.hpp: the whole command as a function: the program `cuphoton` and the Python package run the same text.
#pragma once

namespace cuphoton::xdr::cli {

/// Runs one command line and returns its exit code; data to stdout, errors to stderr, nothing is thrown. `argv` may be
/// changed. Waits for all it started.
int command_main(int argc, char** argv);

}  // namespace cuphoton::xdr::cli
