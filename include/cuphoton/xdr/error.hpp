// error.hpp: the one exception of the library and the closed list of its codes.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <cuphoton/xdr/reason.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

enum class errc {
  invalid_argument,
  hdu_not_found,
  shape_mismatch,
  unsupported,
  file_truncated,
  not_fits,
  header_invalid,
  tile_table_invalid,
  tile_corrupt,
  checksum_mismatch,
  io_failed,
  device_failed,
  device_lost,
  out_of_memory,
  internal,
};
std::string_view name(errc code) noexcept;
/// Exit code of the command for an error: 2 usage, 3 unsupported, 4 corrupt data, 5 I/O, 6 device, 1 otherwise.
int exit_code(errc code) noexcept;

/// What an error is about. Empty and -1 mean "does not apply".
struct where {
  std::string file{};
  int hdu = -1;         // zero-based, the primary is 0
  long long tile = -1;  // zero-based row of the tile table, or number of the row piece of a plain image
  bool operator==(const where&) const = default;
};

/// Thrown by every host function that can fail. what() names file, HDU and tile where they apply,
/// what was expected, what was found, and the next step.
class error : public std::exception {
 public:
  error(errc code, where place, std::string message, std::vector<reason> reasons = {}, int os_error = 0);

  errc code() const noexcept { return code_; }
  const where& place() const noexcept { return place_; }
  /// The message without file, HDU and tile in front.
  const std::string& message() const noexcept { return message_; }
  const std::vector<reason>& reasons() const noexcept { return reasons_; }
  /// errno of a failed system call, else 0.
  int os_error() const noexcept { return os_error_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// The same error with the file name filled in where it was not known.
  error in_file(const std::string& file) const;

 private:
  errc code_;
  where place_;
  std::string message_;
  std::vector<reason> reasons_;
  int os_error_;
  std::string text_;
};

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
