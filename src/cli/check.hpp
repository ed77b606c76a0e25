// check.hpp: the judgement behind verify and demo: decode an HDU with every engine here, compare the engines with each
// other and with CFITSIO. One row per HDU; whatever goes wrong becomes a row, never an exception.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/xdr.hpp>

namespace cuphoton::xdr::cli {

enum class verdict {
  same,         // decoded, and the peer has the same pixels
  no_peer,      // decoded, nobody to compare with; `detail` says why
  different,    // engines or peer disagree
  no_image,     // a table or an HDU without pixels: listed, not judged
  unsupported,  // refused by name
  corrupt,
  failed,  // I/O, device, memory
};
std::string_view name(verdict result) noexcept;

struct check_row {
  std::string file;
  int hdu_index = -1;  // -1: about the whole file
  std::string codec;
  std::string engines;  // "host", "gpu,host"
  shape extents;
  std::optional<pixel_type> type;  // of values=scaled
  verdict result = verdict::no_image;
  std::string detail;
  std::optional<checksum_report> sums;  // where they were asked for and the HDU lies in the file
  int exit = 0;                         // 1 for a bad sum too
  double best_ms = 0;                   // fastest of the timed loads; 0: not timed
  std::uint64_t delivered_bytes = 0;
};

struct check_options {
  read_options base;  // threads, caps, engine (automatic: all there are) and how the GPU engine works
  bool use_peer = true;
  bool sums = false;    // verify DATASUM and CHECKSUM
  int timed_loads = 0;  // of values=scaled with engine=auto
};

std::vector<check_row> check_file(const std::string& path, const check_options& options);
/// "ok", "ok, peer: no (why)", "different: ...", "unsupported: ...", each followed by the sums where one is bad.
std::string result_text(const check_row& row);
/// "good", "bad", "absent", or "-" where no sums were taken.
std::string sum_text(const check_row& row, checksum_finding checksum_report::*keyword);
/// "1", or "-" for a row about the whole file.
std::string hdu_text(const check_row& row);
std::vector<std::string> available_engines();

}  // namespace cuphoton::xdr::cli
