// report.hpp: the JSON of every command: one object with "schema": 1 and "command". The only door of the command to
// nlohmann-json is report.cpp.
#pragma once

#include <string>
#include <vector>

#include <cuphoton/xdr/xdr.hpp>

#include "cli/check.hpp"

namespace cuphoton::xdr::cli {

/// A file of `info`: its listing, or why there is none.
struct listed_file {
  std::string file;
  std::optional<file_info> listing;
  std::optional<error> fault;
};

/// A file written by make-demo, and what is in it.
struct written_file {
  std::string path;
  std::string codec;
  std::string kind;  // "uint16", "float32 dither 1"
  shape extents;
  std::uint64_t length_bytes = 0;
};

std::string json_of_info(const std::vector<listed_file>& files, bool with_cards);
std::string json_of_load(const image& pixels, double elapsed_ms, const std::string& saved);
std::string json_of_checks(const std::string& command, const std::vector<check_row>& rows, int exit);
std::string json_of_doctor(const capabilities& able, const std::optional<std::string>& peer_absent,
                           const std::string& peer_version);
std::string json_of_written(const std::vector<written_file>& files);

}  // namespace cuphoton::xdr::cli
