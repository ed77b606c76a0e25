// receipt.hpp: what was asked for, what ran, and why nothing better did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/reason.hpp>
#include <cuphoton/xdr/source.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Makes no claim about physical I/O: `bytes_read` counts what was asked of the source.
struct receipt {
  std::string file;
  int hdu_index = 0;
  std::string version;  // of this library
  read_options requested;
  std::string engine;                      // "host"
  std::string restore;                     // "host"
  std::string io_backend;                  // "posix", "memory"
  std::optional<outer_compression> outer;  // compression of the whole file, unpacked when the source was opened
  std::string codec_name;                  // ZCMPTYPE, or "" for a plain image
  std::string gzip_decoder;                // that ran: "host", "builtin", "nvcomp gzip", "nvcomp deflate"; "": none
  std::vector<reason> reasons;             // one for each better choice that was passed over
  std::vector<std::string> notes;          // tolerated oddities
  std::vector<std::string> checks;         // "gzip CRC32", "gzip ISIZE"
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_delivered = 0;
  std::map<std::string, std::uint64_t> tiles;  // codec name -> tiles decoded
};

/// JSON, schema version 1.
std::string to_json(const receipt& facts, int indent = 2);

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
