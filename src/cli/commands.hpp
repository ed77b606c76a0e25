// commands.hpp: what a parsed command line holds and the one function behind each verb of `cuphoton xdr`.
// Plain data between args.cpp, which knows the flags, and the cmd_*.cpp files, which do not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/xdr.hpp>

#include "cli/bounds.hpp"

namespace cuphoton::xdr::cli {

enum class command { info, plan, load, verify, doctor, make_demo, demo };

/// One particular kind of file for make-demo; nothing given means the default set.
struct demo_request {
  std::string folder;
  std::uint64_t seed = 1;
  std::optional<std::string> codec;  // ZCMPTYPE, or "raw"
  std::optional<pixel_type> type;
  std::optional<std::string> dither;  // "none", "1", "2" or "lossless"; floats only
  std::optional<shape> extents;
  std::optional<shape> tile;
  std::optional<double> sigma;
  std::optional<unsigned> count;
};

struct command_line {
  command which = command::info;
  std::vector<std::string> files;
  hdu_selector hdu;
  std::optional<section_bounds> section;  // becomes options.section once the shape is known
  read_options options;
  bool json = false;
  bool cards = false;
  bool summary = false;
  bool use_peer = true;
  std::string save;
  demo_request demo;
};

// Each returns the exit code and throws error for what stops the whole command.
int run_info(const command_line& line);
int run_plan(const command_line& line);
int run_load(const command_line& line);
int run_verify(const command_line& line);
int run_doctor(const command_line& line);
int run_make_demo(const command_line& line);
int run_demo(const command_line& line);

/// The read options with the section resolved against the shape of the image asked for.
read_options options_for(const byte_source& source, const command_line& line);

}  // namespace cuphoton::xdr::cli
