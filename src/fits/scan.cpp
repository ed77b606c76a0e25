// scan.cpp: the walk from HDU to HDU, and which fault stops it, spoils one HDU, or is only noted. Step 2 of the life of
// an image; the only file of this folder that knows the file as a whole.
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "fits/hdu.hpp"
#include "fits/header.hpp"
#include "fits/image_hdu.hpp"

namespace cuphoton::xdr::fits {
namespace {

/// First bytes of a compression around the whole file that was not taken off when it was opened: gzip and bzip2 are met
/// where one lies inside another, or in a source that is not ours.
struct packed_kind {
  std::string_view magic;
  const char* kind;
  const char* cure;
};
constexpr std::array<packed_kind, 11> packed_kinds{{
    {"\x1f\x8b", "gzip (.gz)", "gunzip"},
    {"BZh", "bzip2 (.bz2)", "bunzip2"},
    {"\x1f\x9d", "compress (.Z)", "uncompress"},
    {"\x1f\x1e", "pack (.z)", "gunzip"},
    {"\x1f\xa0", "compress -H (.Z)", "gunzip"},
    {"PK\x03\x04", "ZIP (.zip)", "unzip"},
    {"\xfd"
     "7zXZ",
     "xz (.xz)", "unxz"},
    {"\x28\xb5\x2f\xfd", "Zstandard (.zst)", "unzstd"},
    {"\x04\x22\x4d\x18", "LZ4 (.lz4)", "unlz4"},
    {"LZIP", "lzip (.lz)", "lzip -d"},
    {"7z\xbc\xaf", "7-Zip (.7z)", "7z x"},
}};

std::string read_text(const byte_source& source, std::uint64_t offset_bytes, std::uint64_t most_bytes) {
  const std::uint64_t in_file = offset_bytes < source.size_bytes() ? source.size_bytes() - offset_bytes : 0;
  std::string text(static_cast<std::size_t>(std::min(in_file, most_bytes)), '\0');
  source.read(offset_bytes, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  return text;
}

// Judges the first bytes: nothing, another container, or a primary header (FITS 4.0 §4.4.1.1: "SIMPLE  =").
void expect_fits(const byte_source& source) {
  const where file{source.name()};
  if (source.size_bytes() == 0) throw error(errc::not_fits, file, "the file is empty; get it again");
  const std::string start = read_text(source, 0, 9);
  for (const packed_kind& outer : packed_kinds) {
    if (!start.starts_with(outer.magic)) continue;
    const std::string text = std::string("the file is externally compressed by ") + outer.kind +
                             "; unpack it first: " + outer.cure + " FILE";
    throw error(errc::unsupported, file, text, {{reason_code::externally_compressed, -1, text}});
  }
  if (start != "SIMPLE  =") {
    throw error(errc::not_fits, file,
                "expected 'SIMPLE  =' at the start of a FITS file, found '" + printable(start) +
                    "'; check the path, or get the file again");
  }
  if (source.size_bytes() < block_bytes) {
    throw error(errc::not_fits, file,
                "expected a header of at least " + std::to_string(block_bytes) + " bytes, found a file of " +
                    std::to_string(source.size_bytes()) + "; the file may be incomplete, get it again");
  }
}

/// One HDU and what the walk has to know.
struct walked_hdu {
  hdu described;
  bool complete = true;  // its data unit lies in the file
};

void judge_data_unit(const byte_source& source, const where& place, walked_hdu& walked) {
  hdu& result = walked.described;
  const std::uint64_t file_bytes = source.size_bytes();
  const std::uint64_t actual = result.data_offset_bytes < file_bytes ? file_bytes - result.data_offset_bytes : 0;
  if (result.data_bytes > actual) {
    walked.complete = false;
    result.problem = error(errc::file_truncated, place,
                           "expected " + std::to_string(result.data_bytes) + " bytes of data from byte " +
                               std::to_string(result.data_offset_bytes) + ", found " + std::to_string(actual) +
                               " before the end of the file; the file is incomplete, get it again");
    return;
  }
  if (result.data_bytes % block_bytes != 0 &&
      divide_up(result.data_bytes, block_bytes) * block_bytes > actual) {  // below 2^63 + 2880
    result.notes.emplace_back("the file ends before the data unit is padded to 2880 bytes");
  }
}

walked_hdu describe_hdu(const byte_source& source, std::uint64_t offset_bytes, int index, const limits& caps) {
  const where place{source.name(), index};
  header text = read_header(source, offset_bytes, place, caps);
  walked_hdu walked;
  hdu& result = walked.described;
  result.index = index;
  result.header_offset_bytes = offset_bytes;
  result.data_offset_bytes = text.data_offset_bytes;
  result.cards = std::move(text.cards);
  result.notes = std::move(text.notes);
  const keywords header(result.cards, place, result.notes);
  const structure size = judge_structure(header, index == 0);
  result.kind = size.kind;
  result.data_bytes = size.data_bytes;
  result.name = judge_name(header);
  result.version = judge_version(header);
  try {
    if (size.kind == hdu_kind::image || size.kind == hdu_kind::random_groups) {
      result.image = describe_plain(header, size);
    } else if (size.kind == hdu_kind::compressed_image) {
      result.image = describe_compressed(header, size, result.data_offset_bytes);
    }
  } catch (const error& damage) {
    if (index == 0) throw;
    result.problem = damage;
  }
  if (result.problem) {
    const std::uint64_t after_header = std::min(result.data_offset_bytes, source.size_bytes());
    walked.complete = result.data_bytes <= source.size_bytes() - after_header;
  } else {
    judge_data_unit(source, place, walked);
  }
  return walked;
}

// What follows the last HDU is "special records" (FITS 4.0 §3.5) unless it claims to be an extension.
bool extension_follows(const byte_source& source, std::uint64_t offset_bytes, file_structure& file) {
  const std::uint64_t file_bytes = source.size_bytes();
  if (offset_bytes >= file_bytes) return false;
  if (read_text(source, offset_bytes, 8) == "XTENSION") return true;
  file.notes.push_back("special records: the last " + std::to_string(file_bytes - offset_bytes) +
                       " bytes of the file belong to no HDU and are ignored");
  return false;
}

}  // namespace

file_structure scan(const byte_source& source, const limits& caps, std::optional<int> last_index) {
  expect_fits(source);
  file_structure file;
  std::uint64_t offset_bytes = 0;
  for (int index = 0; index == 0 || extension_follows(source, offset_bytes, file); ++index) {
    walked_hdu walked;
    try {
      walked = describe_hdu(source, offset_bytes, index, caps);
    } catch (const error& damage) {
      if (index == 0) throw;
      file.problem = damage;
      break;
    }
    // A complete data unit ends inside the file, so this stays far below 2^64.
    offset_bytes = walked.described.data_offset_bytes +
                   (walked.complete ? divide_up(walked.described.data_bytes, block_bytes) * block_bytes : 0);
    file.hdus.push_back(std::move(walked.described));
    if (!walked.complete || index == last_index.value_or(std::numeric_limits<int>::max())) break;
  }
  return file;
}

}  // namespace cuphoton::xdr::fits
