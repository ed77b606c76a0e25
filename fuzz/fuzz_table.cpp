// fuzz_table.cpp: the input is the text of a compressed image's header, one card a line, behind a valid primary and
// before zeros for its data. Lines keep mutations on card boundaries, so that the table's rules are reached, not only
// END.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scan_invariants.hpp"

namespace {

constexpr std::size_t block_length = 2880;
constexpr std::size_t data_length = 4 * block_length;

void append_card(std::string& file, std::string_view text) {
  file.append(text.substr(0, 80));
  file.append(80 - std::min<std::size_t>(text.size(), 80), ' ');
}
void pad_header(std::string& file) {
  append_card(file, "END");
  file.resize((file.size() + block_length - 1) / block_length * block_length, ' ');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length_bytes) {
  std::string file;
  for (const char* text :
       {"SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0"}) {
    append_card(file, text);
  }
  pad_header(file);
  append_card(file, "XTENSION= 'BINTABLE'");
  std::string_view rest(reinterpret_cast<const char*>(data), length_bytes);
  while (!rest.empty()) {
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    append_card(file, rest.substr(0, line));
    rest.remove_prefix(std::min(line + 1, rest.size()));
  }
  pad_header(file);
  file.append(data_length, '\0');
  const std::vector<std::uint8_t> bytes(file.begin(), file.end());
  cuphoton::xdr::fits::scan_and_check(bytes);
  return 0;
}
