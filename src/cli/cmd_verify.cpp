// cmd_verify.cpp: `cuphoton xdr verify`: every HDU of every file decoded by every engine here and compared with
// CFITSIO, and its sums with its bytes.
#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {

int run_verify(const command_line& line) {
  check_options options;
  options.base = line.options;
  options.use_peer = line.use_peer;
  options.sums = true;
  std::vector<check_row> rows;
  int exit = 0;
  for (const std::string& path : line.files) {
    for (check_row& row : check_file(path, options)) {
      exit = worse_exit(exit, row.exit);
      rows.push_back(std::move(row));
    }
  }
  if (line.json) {
    print(json_of_checks("verify", rows, exit));
    return exit;
  }
  table lines({"file", "hdu", "codec", "engines", "datasum", "checksum", "result"});
  for (const check_row& row : rows) {
    lines.add({row.file, hdu_text(row), or_dash(row.codec), or_dash(row.engines), sum_text(row, &checksum_report::data),
               sum_text(row, &checksum_report::whole), result_text(row)});
  }
  print(lines.text());
  return exit;
}

}  // namespace cuphoton::xdr::cli
