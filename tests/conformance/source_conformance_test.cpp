// source_conformance_test.cpp: every backend gives the same bytes and the same refusals, whatever the system call below
// it does within its contract.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/source.hpp>

#include "io/memory.hpp"
#include "io/posix.hpp"
#include "support/encode_bzip2.hpp"
#include "support/encoders.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::size_t length_bytes = 70001;  // no multiple of a page or block

std::vector<std::uint8_t> sample() {
  std::vector<std::uint8_t> bytes(length_bytes);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  return bytes;
}

/// Short reads of changing length, with interruptions between them.
ssize_t unreliable_pread(int file, void* out, std::size_t wanted, off_t offset_bytes) {
  static thread_local unsigned calls = 0;
  if (++calls % 5 == 0) return errno = EINTR, -1;
  return ::pread(file, out, std::min<std::size_t>(wanted, calls % 1000 + 1), offset_bytes);
}

class source_conformance : public ::testing::TestWithParam<std::string> {
 protected:
  source_conformance() : bytes_(sample()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "xdr-source-XXXXXX").string();
    const int file = ::mkstemp(pattern.data());
    if (file >= 0) ::close(file);
    path_ = pattern;
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
    if (GetParam() == "memory") source_ = memory_source(bytes_);
    if (GetParam() == "gzip") source_ = memory_source(test::gzip_by_libdeflate(bytes_, 6));
    if (GetParam() == "bzip2") source_ = memory_source(test::bzip2_by_libbz2(bytes_, 9));
    if (GetParam() == "posix") source_ = open_source(path_);
    if (GetParam() == "posix_unreliable") source_ = io::open_posix(path_, unreliable_pread);
  }
  ~source_conformance() override { std::filesystem::remove(path_); }

  std::vector<std::uint8_t> bytes_;
  std::string path_;
  std::shared_ptr<const byte_source> source_;
};

TEST_P(source_conformance, SameBytes) {
  ASSERT_EQ(source_->size_bytes(), bytes_.size());
  for (const std::size_t offset :
       {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{65536}, length_bytes - 1}) {
    for (const std::size_t wanted :
         {std::size_t{0}, std::size_t{1}, std::size_t{80}, std::size_t{2880}, length_bytes}) {
      const std::size_t length = std::min(wanted, length_bytes - offset);
      std::vector<std::uint8_t> out(length + 2, 0xAA);  // a byte before and behind shows whether more is written
      source_->read(offset, std::span(out).subspan(1, length));
      EXPECT_TRUE(std::equal(out.begin() + 1, out.end() - 1, bytes_.begin() + static_cast<std::ptrdiff_t>(offset)));
      EXPECT_EQ(out.front(), 0xAA);
      EXPECT_EQ(out.back(), 0xAA);
      if (const std::uint8_t* seen = source_->view(offset, length)) {
        EXPECT_TRUE(std::equal(seen, seen + length, out.begin() + 1));
      }
    }
  }
}

TEST_P(source_conformance, SameRefusals) {
  const std::vector<std::pair<std::uint64_t, std::size_t>> ranges{{length_bytes, 1},
                                                                  {length_bytes - 1, 2},
                                                                  {0, length_bytes + 1},
                                                                  {~std::uint64_t{0}, 1},
                                                                  {~std::uint64_t{0} - 3, 8}};
  for (const auto& [offset, length] : ranges) {
    std::vector<std::uint8_t> out(length);
    try {
      source_->read(offset, out);
      ADD_FAILURE() << "read past the end at " << offset;
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::file_truncated) << problem.what();
      EXPECT_EQ(problem.place().file, source_->name());
      const std::uint64_t available = offset < length_bytes ? length_bytes - offset : 0;
      EXPECT_NE(problem.message().find("expected " + std::to_string(length) + " bytes from byte " +
                                       std::to_string(offset) + ", found " + std::to_string(available)),
                std::string::npos)
          << problem.what();
    }
    EXPECT_EQ(source_->view(offset, length), nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, source_conformance,
                         ::testing::Values("memory", "gzip", "bzip2", "posix", "posix_unreliable"),
                         [](const auto& backend) { return backend.param; });

}  // namespace
}  // namespace cuphoton::xdr
