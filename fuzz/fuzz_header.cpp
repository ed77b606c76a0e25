// fuzz_header.cpp: any bytes as a file, and as cards. The scan must end with a consistent description or an xdr::error;
// the values of a header account for every card, once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <cuphoton/xdr/header.hpp>

#include "scan_invariants.hpp"

namespace {

void check_values(const std::vector<std::string>& cards) {
  std::size_t next = 0;
  for (const cuphoton::xdr::header_card& value : cuphoton::xdr::parse_header(cards)) {
    XDR_INVARIANT(value.first_card == next && value.card_count > 0);
    next += value.card_count;
  }
  XDR_INVARIANT(next == cards.size());
  XDR_INVARIANT(cuphoton::xdr::image_header(cards).size() <= cards.size() + 1010);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length_bytes) {
  std::vector<std::string> cards;
  for (std::size_t at = 0; at < length_bytes; at += 80) {
    cards.emplace_back(reinterpret_cast<const char*>(data) + at, std::min<std::size_t>(80, length_bytes - at));
  }
  check_values(cards);
  cuphoton::xdr::fits::scan_and_check({data, length_bytes});
  return 0;
}
