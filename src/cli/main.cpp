// main.cpp: the program.
#include "cli/command.hpp"

int main(int argc, char** argv) {
  return cuphoton::xdr::cli::command_main(argc, argv);
}
