// posix.cpp: opening, checking and reading one local file. A short read is continued, an early end is named with both
// lengths.
#include "io/posix.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <system_error>
#include <utility>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::io {
namespace {

static_assert(sizeof(off_t) == 8, "offsets need 64 bits: files over 2 GiB are ordinary");

// EINTR and EAGAIN say "again"; a call that says so this often in a row without a byte never will give one.
constexpr int max_idle_attempts = 10000;

[[noreturn]] void fail(const std::string& path, const std::string& what, int os_error) {
  throw error(errc::io_failed, where{path}, what + ": " + std::generic_category().message(os_error), {}, os_error);
}

/// What to do about a path that cannot be opened, where that is plain.
const char* cure_of(int os_error) {
  switch (os_error) {
    case ENOENT:
    case ENOTDIR: return "; check the path";
    case EACCES: return "; ask the owner of the file or its folders for read permission";
    case EMFILE:
    case ENFILE: return "; close files, or raise the limit (ulimit -n)";
    default: return "";
  }
}

[[noreturn]] void fail_open(const std::string& path, int os_error) {
  throw error(errc::io_failed, where{path},
              "cannot open: " + std::generic_category().message(os_error) + cure_of(os_error), {}, os_error);
}

[[noreturn]] void refuse(const std::string& path, const char* kind, int os_error) {
  throw error(errc::io_failed, where{path},
              std::string("expected a regular file, found ") + kind + "; give the path of a FITS file", {}, os_error);
}

/// A descriptor that is closed exactly once.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);  // read-only: a failing close loses nothing
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

class posix_source final : public byte_source {
 public:
  posix_source(const std::string& path, pread_function read);

  std::uint64_t size_bytes() const noexcept override { return size_bytes_; }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override;
  const std::string& name() const noexcept override { return path_; }
  const char* backend() const noexcept override { return "posix"; }

 private:
  [[noreturn]] void fail_early_end(std::uint64_t offset_bytes, std::uint64_t expected, std::uint64_t actual,
                                   const char* why) const;

  std::string path_;
  pread_function read_;
  descriptor file_;
  std::uint64_t size_bytes_ = 0;
};

// O_NONBLOCK lets the open of a FIFO without a writer return, so that it can be refused; regular files ignore it.
int open_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) fail(path, "cannot open a path that contains a NUL byte", EINVAL);
  int number = -1;
  do {
    number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (number < 0 && errno == EINTR);
  if (number < 0) fail_open(path, errno);
  return number;
}

posix_source::posix_source(const std::string& path, pread_function read)
    : path_(path), read_(std::move(read)), file_(open_file(path)) {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail(path, "cannot examine", errno);
  if (S_ISDIR(status.st_mode)) refuse(path, "a directory", EISDIR);
  if (S_ISFIFO(status.st_mode)) refuse(path, "a FIFO", ESPIPE);
  if (S_ISSOCK(status.st_mode)) refuse(path, "a socket", ESPIPE);
  if (!S_ISREG(status.st_mode)) refuse(path, "a device", EINVAL);
  size_bytes_ = static_cast<std::uint64_t>(status.st_size);
}

void posix_source::fail_early_end(std::uint64_t offset_bytes, std::uint64_t expected, std::uint64_t actual,
                                  const char* why) const {
  throw error(errc::file_truncated, where{path_},
              "expected " + std::to_string(expected) + " bytes from byte " + std::to_string(offset_bytes) + ", found " +
                  std::to_string(actual) + ": " + why);
}

void posix_source::read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const {
  const std::uint64_t available = offset_bytes < size_bytes_ ? size_bytes_ - offset_bytes : 0;
  if (out.size() > available) {
    fail_early_end(offset_bytes, out.size(), available, "the file is shorter; get the whole file");
  }
  std::size_t done = 0;
  int idle_attempts = 0;
  while (done < out.size()) {
    const std::size_t wanted = out.size() - done;
    // offset + done < size_bytes_, which came from an off_t.
    const ssize_t got = read_(file_.number(), out.data() + done, wanted, static_cast<off_t>(offset_bytes + done));
    if (got > 0) {
      done += static_cast<std::size_t>(got);
      idle_attempts = 0;
    } else if (got == 0) {
      fail_early_end(offset_bytes, out.size(), done, "the file shrank since it was opened");
    } else if ((errno != EINTR && errno != EAGAIN) || ++idle_attempts >= max_idle_attempts) {
      fail(path_, "cannot read at byte " + std::to_string(offset_bytes + done), errno);
    }
  }
}

}  // namespace

std::shared_ptr<const byte_source> open_posix(const std::string& path, pread_function read) {
  return std::make_shared<const posix_source>(path, std::move(read));
}

}  // namespace cuphoton::xdr::io
