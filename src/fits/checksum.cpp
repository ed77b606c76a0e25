// checksum.cpp: a loop that compilers turn into vectors, pieces that threads share, and the judgement of two keywords.
#include "fits/checksum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "base/thread_pool.hpp"
#include "fits/header.hpp"

namespace cuphoton::xdr::fits {
namespace {

constexpr std::uint32_t all_ones = 0xFFFFFFFF;
constexpr std::size_t word_bytes = 4;
constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // fits a core's cache; a multiple of the word
/// Words of which the columns of bytes can be added up in 16 bits: 255 * 257 is the largest number there.
constexpr std::size_t column_words = 256;
static_assert(std::endian::native == std::endian::little, "columns below are those of a little-endian word");

/// Exact sum of at most `column_words` words. Adding up columns of bytes instead of words spares the byte swap, for
/// which baseline x86-64 has no vector instruction.
std::uint64_t sum_columns(const std::uint8_t* bytes, std::size_t words) {
  std::uint32_t even = 0;  // bytes 0 and 2 of each word
  std::uint32_t odd = 0;   // bytes 1 and 3
  for (std::size_t word = 0; word < words; ++word) {
    const auto value = load_native<std::uint32_t>(bytes + word * word_bytes);
    even += value & 0x00FF00FF;
    odd += (value >> 8) & 0x00FF00FF;
  }
  return (std::uint64_t{even & 0xFFFF} << 24) + (std::uint64_t{odd & 0xFFFF} << 16) + (std::uint64_t{even >> 16} << 8) +
         (odd >> 16);
}

/// Sum of bytes of the source, which begin at a word of their unit. `room` holds a piece.
std::uint32_t sum_piece(const byte_source& source, std::uint64_t offset_bytes, std::size_t length_bytes,
                        std::vector<std::uint8_t>& room) {
  if (const std::uint8_t* there = source.view(offset_bytes, length_bytes)) return sum_bytes(there, length_bytes);
  room.resize(std::max(room.size(), length_bytes));
  source.read(offset_bytes, {room.data(), length_bytes});
  return sum_bytes(room.data(), length_bytes);
}

/// Threads take every n-th piece: all of them read near each other, and sums may come in any order.
std::uint32_t sum_pieces(const byte_source& source, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                         unsigned threads) {
  const std::uint64_t pieces = divide_up<std::uint64_t>(length_bytes, piece_bytes);
  const auto shares = static_cast<int>(std::min<std::uint64_t>(pieces, std::clamp(threads, 1U, 1024U)));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(shares));
  thread_pool::shared().parallel_for(shares, shares, [&](int share, int) {
    std::vector<std::uint8_t> room;
    std::uint32_t sum = 0;
    for (auto piece = static_cast<std::uint64_t>(share); piece < pieces; piece += static_cast<unsigned>(shares)) {
      const std::uint64_t done = piece * piece_bytes;
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, length_bytes - done));
      sum = add_sums(sum, sum_piece(source, offset_bytes + done, wanted, room));
    }
    sums[static_cast<std::size_t>(share)] = sum;
  });
  std::uint32_t sum = 0;
  for (const std::uint32_t part : sums) sum = add_sums(sum, part);
  return sum;
}

/// Sum of a unit of whole blocks. Of the last one the file may lack the padding, which then is made of `fill`.
std::uint32_t sum_unit(const byte_source& source, std::uint64_t offset_bytes, std::uint64_t unit_bytes,
                       std::uint8_t fill, unsigned threads, std::uint64_t& bytes_read) {
  const std::uint64_t in_file = std::min(unit_bytes, source.size_bytes() - offset_bytes);
  bytes_read += in_file;
  const std::uint64_t whole_blocks = in_file / block_bytes * block_bytes;
  const std::uint32_t sum = sum_pieces(source, offset_bytes, whole_blocks, threads);
  if (whole_blocks == unit_bytes) return sum;
  std::array<std::uint8_t, block_bytes> last;
  last.fill(fill);
  source.read(offset_bytes + whole_blocks, std::span(last).first(static_cast<std::size_t>(in_file - whole_blocks)));
  return add_sums(sum, sum_bytes(last.data(), last.size()));
}

/// Offsets may come from a caller's hdu_info: they must be such that nothing above overflows or reads outside.
void expect_extent(const byte_source& source, const hdu& unit) {
  const where place{source.name(), unit.index};
  // A header ends in the file, but for its padding: so it begins there too.
  if (unit.header_offset_bytes >= unit.data_offset_bytes ||
      (unit.data_offset_bytes - unit.header_offset_bytes) % block_bytes != 0 ||
      unit.data_offset_bytes - std::min(unit.data_offset_bytes, source.size_bytes()) >= block_bytes) {
    throw error(errc::invalid_argument, place, "the offsets are not those of an HDU of this file; list it again");
  }
  const std::uint64_t actual =
      unit.data_offset_bytes < source.size_bytes() ? source.size_bytes() - unit.data_offset_bytes : 0;
  if (unit.data_bytes > actual) {
    throw error(errc::file_truncated, place,
                "expected " + std::to_string(unit.data_bytes) + " bytes of data to sum, found " +
                    std::to_string(actual) + " before the end of the file; the file is incomplete, get it again");
  }
}

/// The value as text, "" where there is none. DATASUM without quotes is a fault of its writer that says what is meant.
std::string written_value(const hdu& unit, std::string_view keyword) {
  return std::string(trim(unit.cards.value(keyword).text));
}

std::optional<std::uint32_t> parse_sum(std::string_view digits) {
  std::uint32_t value = 0;
  const auto [rest, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || rest != digits.data() + digits.size()) return std::nullopt;
  return value;
}

checksum_state state_of(bool good) {
  return good ? checksum_state::good : checksum_state::bad;
}

}  // namespace

std::uint32_t sum_bytes(const std::uint8_t* bytes, std::size_t length_bytes) {
  std::uint32_t sum = 0;
  const std::size_t words = length_bytes / word_bytes;
  for (std::size_t word = 0; word < words; word += column_words) {
    const std::size_t count = std::min(column_words, words - word);
    sum = fold_carries(sum + sum_columns(bytes + word * word_bytes, count));
  }
  if (length_bytes % word_bytes == 0) return sum;
  std::array<std::uint8_t, word_bytes> last{};
  std::copy(bytes + words * word_bytes, bytes + length_bytes, last.begin());
  return add_sums(sum, load_be<std::uint32_t>(last.data()));
}

hdu_sums sum_hdu(const byte_source& source, const hdu& unit, unsigned threads) {
  expect_extent(source, unit);
  if (threads == 0) threads = static_cast<unsigned>(process_cores());
  hdu_sums sums;
  sums.header = sum_unit(source, unit.header_offset_bytes, unit.data_offset_bytes - unit.header_offset_bytes, ' ',
                         threads, sums.bytes_read);
  if (unit.data_bytes == 0) return sums;  // where a header ends without its padding, its data unit begins nowhere
  const std::uint64_t blocks = divide_up(unit.data_bytes, block_bytes);
  sums.data = sum_unit(source, unit.data_offset_bytes, blocks * block_bytes,
                       unit.kind == hdu_kind::ascii_table ? ' ' : '\0', threads, sums.bytes_read);
  return sums;
}

checksum_report verify_checksums(const byte_source& source, const hdu& unit, unsigned threads) {
  checksum_report report;
  report.hdu_index = unit.index;
  report.data.written = written_value(unit, "DATASUM");
  report.whole.written = written_value(unit, "CHECKSUM");
  if (report.data.written.empty() && report.whole.written.empty()) return report;
  const hdu_sums sums = sum_hdu(source, unit, threads);
  report.bytes_read = sums.bytes_read;
  report.data.actual = sums.data;
  report.whole.actual = add_sums(sums.header, sums.data);
  if (!report.data.written.empty()) {
    report.data.expected = parse_sum(report.data.written);
    report.data.state = state_of(report.data.expected == sums.data);
  }
  if (!report.whole.written.empty()) {
    report.whole.expected = all_ones;
    report.whole.state = state_of(report.whole.actual == all_ones || report.whole.actual == 0);
  }
  return report;
}

}  // namespace cuphoton::xdr::fits
