// checksums.cpp: the public way to the sums of an HDU, their words, and their part in reading an image.
#include "reader/checksums.hpp"

#include <utility>

#include "fits/checksum.hpp"

namespace cuphoton::xdr {
namespace {

bool is_bad(const checksum_finding& finding) {
  return finding.state == checksum_state::bad;
}

std::string data_text(const checksum_finding& data) {
  std::string text = "DATASUM " + std::string(name(data.state));
  if (!is_bad(data)) return text;
  const std::string expected = data.expected ? std::to_string(*data.expected) : "'" + data.written + "', no number";
  return text + " (the words of the data unit add up to " + std::to_string(data.actual) + ", expected " + expected +
         ")";
}

std::string whole_text(const checksum_finding& whole) {
  std::string text = "CHECKSUM " + std::string(name(whole.state));
  if (!is_bad(whole)) return text;
  return text + " (the words of the HDU add up to " + std::to_string(whole.actual) + ", expected " +
         std::to_string(whole.expected.value_or(0)) + ")";
}

}  // namespace

std::string_view name(checksum_state state) noexcept {
  switch (state) {
    case checksum_state::good: return "good";
    case checksum_state::bad: return "bad";
    case checksum_state::absent: break;
  }
  return "absent";
}

std::string to_string(const checksum_report& report) {
  return data_text(report.data) + ", " + whole_text(report.whole);
}

checksum_report verify_checksums(const byte_source& source, const hdu_info& hdu, unsigned threads) {
  std::string cards;
  for (const std::string& card : hdu.cards) cards += card;
  fits::hdu unit;
  unit.index = hdu.index;
  unit.kind = hdu.kind;
  unit.header_offset_bytes = hdu.header_offset_bytes;
  unit.data_offset_bytes = hdu.data_offset_bytes;
  unit.data_bytes = hdu.data_bytes;
  unit.cards = fits::card_list(std::move(cards));
  return fits::verify_checksums(source, unit, threads);
}

checksum_report expect_good_checksums(const byte_source& source, const fits::hdu& unit, unsigned threads) {
  const checksum_report sums = fits::verify_checksums(source, unit, threads);
  if (!is_bad(sums.data) && !is_bad(sums.whole)) return sums;
  throw error(errc::checksum_mismatch, {source.name(), unit.index},
              to_string(sums) +
                  "; the HDU was damaged, or changed by a program that did not renew its sums: get the file again, or "
                  "load it without the option checksum");
}

void tell_checksums(const checksum_report& sums, receipt& facts) {
  facts.bytes_read += sums.bytes_read;
  for (const auto& [keyword, finding] : {std::pair{"DATASUM", &sums.data}, std::pair{"CHECKSUM", &sums.whole}}) {
    if (finding->state == checksum_state::good) facts.checks.emplace_back(keyword);
    if (finding->state == checksum_state::absent) {
      facts.notes.push_back(std::string(keyword) + " is absent: it could not be verified");
    }
  }
}

}  // namespace cuphoton::xdr
