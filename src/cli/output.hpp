// output.hpp: everything that leaves the command: checked stdout, aligned tables, files replaced as a whole,
// exit codes of several results. Nothing here knows what is being printed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::cli {

/// Makes sure that 0, 1 and 2 are open, so that no file opened later becomes stdout; a closed one stays unusable.
/// Also ignores SIGPIPE: a broken pipe must become an exit code.
void prepare_standard_descriptors();

/// Writes all of `text` to `descriptor`. Throws error{io_failed} with errno (full disk, broken pipe, closed).
void write_all(int descriptor, std::span<const std::uint8_t> bytes, const std::string& name);
/// The same for stdout.
void print(std::string_view text);
/// `ERROR: ...` on stderr, each reason on a line of its own, by its code alone where the message has said the rest.
void print_error(const error& fault);

/// Replaces `path` by the pieces one after the other: either all of them are there or the old file is untouched.
/// A path that exists and is no regular file is refused.
void replace_file(const std::string& path, const std::vector<std::span<const std::uint8_t>>& pieces);
std::span<const std::uint8_t> as_bytes(std::string_view text);

/// Text from a file made harmless for a terminal: control bytes become '?'.
std::string printable(std::string_view text);
/// The text, or "-" for an empty one. Cells use this and no `? :`: g++ 12.2 makes wrong code for a conditional of
/// strings inside a braced list.
std::string or_dash(std::string text);
std::string fixed(double value, int decimals);

/// Columns as wide as their widest cell; the last one is not padded.
class table {
 public:
  explicit table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// The exit code that stands for both: 1 (a difference) over 6, 2, 4, 5, 3 and 0.
int worse_exit(int left, int right);

}  // namespace cuphoton::xdr::cli
