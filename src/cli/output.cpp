// output.cpp: plain POSIX writes, because std::cout reports a full disk late or never.
#include "cli/output.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cuphoton::xdr::cli {
namespace {

[[noreturn]] void io_error(const std::string& name, const std::string& what, int number) {
  throw error(errc::io_failed, {name}, what + ": " + std::strerror(number), {}, number);
}

/// A new file beside `path` under a name nobody can guess; closed and, unless it was kept, removed at the end.
class temporary_file {
 public:
  explicit temporary_file(const std::string& path) {
    // Not std::random_device: linked statically it asks for glibc 2.36, and a wheel must load on older ones.
    std::array<unsigned, 2> entropy{};
    for (int attempt = 0; attempt < 100 && descriptor_ < 0; ++attempt) {
      if (::getentropy(entropy.data(), sizeof entropy) != 0) io_error(path, "no random numbers", errno);
      std::array<char, 17> suffix{};
      std::snprintf(suffix.data(), suffix.size(), "%08x%08x", entropy[0], entropy[1]);
      name_ = path + ".tmp." + suffix.data();
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) io_error(path, "cannot create a file beside it", errno);
    }
    if (descriptor_ < 0) io_error(path, "cannot create a file beside it", EEXIST);
  }
  ~temporary_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!kept_) ::unlink(name_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  int descriptor() const { return descriptor_; }
  void move_to(const std::string& path) {
    // Data before name: after a power cut the name must not stand for an empty file.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) io_error(path, "cannot write", errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) io_error(path, "cannot write", errno);
    if (::rename(name_.c_str(), path.c_str()) != 0) io_error(path, "cannot replace", errno);
    kept_ = true;
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool kept_ = false;
};

}  // namespace

void prepare_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // open() takes the lowest free number, which is this one. The direction nobody uses keeps it failing.
    const int opened = ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    if (opened < 0) ::_exit(5);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

void write_all(int descriptor, std::span<const std::uint8_t> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) io_error(name, "cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void print(std::string_view text) {
  write_all(STDOUT_FILENO, as_bytes(text), "stdout");
}

void print_error(const error& fault) {
  std::string text = "ERROR: " + printable(fault.what()) + "\n";
  for (const reason& why : fault.reasons()) {
    text += "  reason " + std::string(name(why.code));
    if (fault.message().find(why.detail) == std::string::npos) text += ": " + printable(why.detail);
    text += "\n";
  }
  try {
    write_all(STDERR_FILENO, as_bytes(text), "stderr");
  } catch (const error&) {
    // Nowhere left to say it; the exit code still does.
  }
}

void replace_file(const std::string& path, const std::vector<std::span<const std::uint8_t>>& pieces) {
  // rename() would happily replace a device node by a file when run as root.
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    io_error(path, "exists and is no regular file", S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  }
  temporary_file file(path);
  for (const auto piece : pieces) write_all(file.descriptor(), piece, path);
  file.move_to(path);
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) letter = '?';
  }
  return result;
}

std::string or_dash(std::string text) {
  if (text.empty()) text = "-";
  return text;
}

std::string fixed(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string result;
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      result += printable(row[column]);
      if (column + 1 < row.size()) result.append(widths[column] - row[column].size() + 2, ' ');
    }
    result += '\n';
  }
  return result;
}

int worse_exit(int left, int right) {
  constexpr std::array<int, 7> from_best{0, 3, 5, 4, 2, 6, 1};
  const auto rank = [&](int code) { return std::find(from_best.begin(), from_best.end(), code); };
  return rank(left) < rank(right) ? right : left;
}

}  // namespace cuphoton::xdr::cli
