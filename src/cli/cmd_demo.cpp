// cmd_demo.cpp: `cuphoton xdr demo`: loads every image of files, says how fast, and whether CFITSIO has the same
// pixels. The time is the fastest of three loads, so the file comes from the page cache: it is decoding, not the disk.
#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {
namespace {

std::string comparison(const check_row& row) {
  if (row.result == verdict::same) return "same";
  if (row.result == verdict::no_peer) return "not compared: " + row.detail;
  return result_text(row);
}

std::vector<std::string> cells_of(const check_row& row) {
  std::string type;
  std::string time;
  std::string speed;
  if (row.type) type = name(*row.type);
  if (row.best_ms > 0) {
    time = fixed(row.best_ms, 2);
    speed = fixed(static_cast<double>(row.delivered_bytes) / row.best_ms / 1e6, 3);
  }
  return {row.file,      hdu_text(row), or_dash(row.codec), or_dash(row.engines), to_string(row.extents),
          or_dash(type), or_dash(time), or_dash(speed),     comparison(row)};
}

}  // namespace

int run_demo(const command_line& line) {
  check_options options;
  options.base = line.options;
  options.use_peer = line.use_peer;
  options.timed_loads = 3;
  table lines({"file", "hdu", "codec", "engine", "shape", "type", "ms", "GB/s", "CFITSIO"});
  std::vector<check_row> shown;
  int exit = 0;
  for (const std::string& path : line.files) {
    for (check_row& row : check_file(path, options)) {
      if (row.result == verdict::no_image) continue;
      // What this build refuses by name is shown, and no failure of the demo.
      if (row.result != verdict::unsupported) exit = worse_exit(exit, row.exit);
      lines.add(cells_of(row));
      shown.push_back(std::move(row));
    }
  }
  print(line.json ? json_of_checks("demo", shown, exit) : lines.text());
  return exit;
}

}  // namespace cuphoton::xdr::cli
