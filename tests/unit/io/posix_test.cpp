// posix_test.cpp: what may be opened, and what happens when pread is short, interrupted, broken or early at its end.
#include "io/posix.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::io {
namespace {

namespace fs = std::filesystem;

/// A folder of its own with a file of 10,000 bytes.
class posix_test : public ::testing::Test {
 protected:
  posix_test() {
    std::string pattern = (fs::temp_directory_path() / "xdr-posix-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/bytes";
    for (int i = 0; i < 10000; ++i) bytes_.push_back(static_cast<std::uint8_t>(i * 31 + i / 256));
    std::ofstream(path_, std::ios::binary).write(reinterpret_cast<const char*>(bytes_.data()), 10000);
  }
  ~posix_test() override { fs::remove_all(folder_); }

  std::vector<std::uint8_t> read(const byte_source& source, std::uint64_t offset, std::size_t length) const {
    std::vector<std::uint8_t> out(length);
    source.read(offset, out);
    return out;
  }
  std::vector<std::uint8_t> expected(std::size_t offset, std::size_t length) const {
    const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    return {from, from + static_cast<std::ptrdiff_t>(length)};
  }

  std::string folder_;
  std::string path_;
  std::vector<std::uint8_t> bytes_;
};

std::optional<error> error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& thrown) {
    return thrown;
  }
  return std::nullopt;
}
std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

TEST_F(posix_test, ReadsRanges) {
  const auto source = open_source(path_);
  EXPECT_EQ(source->size_bytes(), 10000u);
  EXPECT_EQ(source->name(), path_);
  EXPECT_STREQ(source->backend(), "posix");
  EXPECT_EQ(source->view(0, 1), nullptr);
  EXPECT_EQ(read(*source, 0, 10000), bytes_);
  EXPECT_EQ(read(*source, 9999, 1), expected(9999, 1));
  EXPECT_EQ(read(*source, 1234, 5000), expected(1234, 5000));
  EXPECT_TRUE(read(*source, 10000, 0).empty());
  EXPECT_TRUE(read(*source, 99999, 0).empty());
}

TEST_F(posix_test, PastTheEndIsTruncation) {
  const auto source = open_source(path_);
  const auto problem = error_of([&] { read(*source, 9000, 1001); });
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code(), errc::file_truncated);
  EXPECT_NE(problem->message().find("expected 1001 bytes from byte 9000, found 1000"), std::string::npos);
  EXPECT_EQ(problem->place().file, path_);
  EXPECT_EQ(error_of([&] { read(*source, ~std::uint64_t{0}, 1); })->code(), errc::file_truncated);
  EXPECT_EQ(error_of([&] { read(*source, ~std::uint64_t{0} - 5, 100); })->code(), errc::file_truncated);
}

TEST_F(posix_test, ShortReadsAndInterruptionsAreContinued) {
  int calls = 0;
  const auto source = open_posix(path_, [&](int file, void* out, std::size_t length, off_t offset) -> ssize_t {
    ++calls;
    if (calls % 3 == 0) return errno = EINTR, -1;
    if (calls % 7 == 0) return errno = EAGAIN, -1;
    return ::pread(file, out, std::min<std::size_t>(length, 97), offset);
  });
  EXPECT_EQ(read(*source, 0, 10000), bytes_);
  EXPECT_EQ(read(*source, 77, 1000), expected(77, 1000));
  EXPECT_GT(calls, 100);
}

TEST_F(posix_test, EndlessInterruptionIsAnError) {
  const auto source = open_posix(path_, [](int, void*, std::size_t, off_t) -> ssize_t { return errno = EAGAIN, -1; });
  EXPECT_EQ(error_of([&] { read(*source, 0, 10); })->os_error(), EAGAIN);
}

TEST_F(posix_test, OtherFailuresCarryErrno) {
  int calls = 0;
  const auto source = open_posix(path_, [&](int file, void* out, std::size_t, off_t offset) -> ssize_t {
    return ++calls < 3 ? ::pread(file, out, 10, offset) : (errno = EIO, -1);
  });
  const auto problem = error_of([&] { read(*source, 100, 1000); });
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code(), errc::io_failed);
  EXPECT_EQ(problem->os_error(), EIO);
  EXPECT_NE(problem->message().find("at byte 120"), std::string::npos) << problem->what();
}

TEST_F(posix_test, AnEarlyEndIsNamedWithBothLengths) {
  const auto source = open_source(path_);
  fs::resize_file(path_, 4000);  // shrinks under an open source
  EXPECT_EQ(source->size_bytes(), 10000u);
  EXPECT_EQ(read(*source, 0, 4000), expected(0, 4000));
  const auto problem = error_of([&] { read(*source, 3000, 2000); });
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code(), errc::file_truncated);
  EXPECT_NE(problem->message().find("expected 2000 bytes from byte 3000, found 1000"), std::string::npos);
}

TEST_F(posix_test, OnlyRegularFilesAreOpened) {
  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const std::string link = folder_ + "/link";
  fs::create_symlink(path_, link);
  EXPECT_EQ(open_source(link)->size_bytes(), 10000u);
  const auto refused = [](const std::string& path) { return error_of([&] { open_source(path); }); };
  for (const auto& [path, os_error, word] :
       std::vector<std::tuple<std::string, int, std::string>>{{folder_, EISDIR, "directory"},
                                                              {fifo, ESPIPE, "FIFO"},
                                                              {"/dev/null", EINVAL, "device"},
                                                              {folder_ + "/none", ENOENT, "cannot open"},
                                                              {"", ENOENT, "cannot open"}}) {
    const auto problem = refused(path);
    ASSERT_TRUE(problem) << path;
    EXPECT_EQ(problem->code(), errc::io_failed);
    EXPECT_EQ(problem->os_error(), os_error) << problem->what();
    EXPECT_NE(problem->message().find(word), std::string::npos) << problem->what();
    EXPECT_EQ(problem->place().file, path);
  }
  EXPECT_EQ(refused(std::string("a\0b", 3))->os_error(), EINVAL);
  EXPECT_EQ(refused("file://" + path_)->os_error(), ENOENT);  // literal paths, no URLs
}

TEST_F(posix_test, DescriptorsAreClosed) {
  const std::size_t before = open_descriptors();
  {
    const auto source = open_source(path_);
    EXPECT_EQ(open_descriptors(), before + 1);
    EXPECT_TRUE(error_of([&] { read(*source, 9999, 2); }));
  }
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(error_of([&] { open_source(folder_); }));  // opened, then refused
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(posix_test, OffsetsBeyond4GiB) {
  const std::uint64_t far = (std::uint64_t{5} << 30) + 3;
  fs::resize_file(path_, far + 4);  // sparse
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(far));
  file.write("tail", 4);
  file.close();
  const auto source = open_source(path_);
  EXPECT_EQ(source->size_bytes(), far + 4);
  EXPECT_EQ(read(*source, far, 4), (std::vector<std::uint8_t>{'t', 'a', 'i', 'l'}));
}

TEST_F(posix_test, ThreadsShareASource) {
  const auto source = open_source(path_);
  std::vector<std::jthread> threads;
  std::array<bool, 8> same{};
  for (std::size_t t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      same[t] = true;
      for (std::size_t i = 0; i < 200; ++i) {
        same[t] = same[t] && read(*source, t * 100 + i, 3000) == expected(t * 100 + i, 3000);
      }
    });
  }
  threads.clear();
  for (const bool one : same) EXPECT_TRUE(one);
}

}  // namespace
}  // namespace cuphoton::xdr::io
