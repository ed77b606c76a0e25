// header.cpp: block by block until END. The bytes kept are bounded by the file's length and the caller's cap, never by
// a number in the file.
#include "fits/header.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/checked.hpp"

namespace cuphoton::xdr::fits {
namespace {

constexpr std::uint64_t largest_read_bytes = 91 * block_bytes;  // just under 256 KiB

void append(const byte_source& source, std::uint64_t offset_bytes, std::uint64_t length_bytes, std::string& text) {
  const std::size_t old_length = text.size();
  text.resize(old_length + static_cast<std::size_t>(length_bytes));
  source.read(offset_bytes, {reinterpret_cast<std::uint8_t*>(text.data()) + old_length, text.size() - old_length});
}

// Position of the END card in text[from...), which starts at a card; whole cards only.
std::optional<std::size_t> find_end(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at + card_bytes <= text.size(); at += card_bytes) {
    if (is_end_card(text.substr(at, card_bytes))) return at;
  }
  return std::nullopt;
}

// The standard wants blanks from END to the end of the block.
void note_padding(std::string_view text, std::size_t end_at, std::uint64_t header_bytes,
                  std::vector<std::string>& notes) {
  const std::size_t until = std::min(text.size(), static_cast<std::size_t>(header_bytes));
  const std::string_view padding = text.substr(end_at + 3, until - end_at - 3);
  if (padding.find_first_not_of(' ') != std::string_view::npos) {
    notes.emplace_back("the header is padded with other bytes than blanks after END");
  }
  if (text.size() < header_bytes) notes.emplace_back("the file ends before the header block is padded");
}

}  // namespace

header read_header(const byte_source& source, std::uint64_t offset_bytes, const where& place, const limits& caps) {
  const std::uint64_t file_bytes = source.size_bytes();
  const std::uint64_t in_file = offset_bytes < file_bytes ? file_bytes - offset_bytes : 0;
  const std::uint64_t allowed = std::min(in_file, caps.max_header_bytes);
  std::string text;
  std::uint64_t read_bytes = block_bytes;
  std::optional<std::size_t> end_at;
  std::size_t searched = 0;  // cards before this are not END
  while (!end_at && text.size() < allowed) {
    const std::uint64_t wanted = std::min(read_bytes, allowed - text.size());
    append(source, offset_bytes + text.size(), wanted, text);
    end_at = find_end(text, searched);
    searched = text.size() / card_bytes * card_bytes;
    read_bytes = std::min(read_bytes * 2, largest_read_bytes);
  }
  if (!end_at && in_file > caps.max_header_bytes) {
    throw error(errc::header_invalid, place,
                "expected END within " + std::to_string(caps.max_header_bytes) +
                    " bytes of header, found none; raise limits.max_header_bytes if the header is really that long");
  }
  if (!end_at) {
    throw error(errc::header_invalid, place,
                "expected END in the header that starts at byte " + std::to_string(offset_bytes) +
                    ", found the end of the file at byte " + std::to_string(file_bytes) +
                    "; the file may be incomplete, get it again");
  }
  header result;
  result.offset_bytes = offset_bytes;
  const std::uint64_t header_bytes = divide_up<std::uint64_t>(*end_at + card_bytes, block_bytes) * block_bytes;
  result.data_offset_bytes = offset_bytes + header_bytes;
  note_padding(text, *end_at, header_bytes, result.notes);
  text.resize(*end_at);
  text.shrink_to_fit();
  result.cards = card_list(std::move(text));
  return result;
}

}  // namespace cuphoton::xdr::fits
