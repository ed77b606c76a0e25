// header_test.cpp: blocks, END, caps and ends of files.
#include "fits/header.hpp"

#include <gtest/gtest.h>

#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::byte_vector;

header read_at(const byte_vector& bytes, std::uint64_t offset_bytes = 0, const limits& caps = {}) {
  return read_header(*memory_source(bytes, "test.fits"), offset_bytes, where{"test.fits", 0}, caps);
}
byte_vector header_of(std::size_t card_count) {
  return test::header_bytes(std::vector<std::string>(card_count, test::card("KEY", 1)));
}

TEST(ReadHeader, DataStartsAtTheNextBlock) {
  for (const std::size_t count : {0u, 1u, 34u, 35u, 36u, 37u, 71u, 72u, 5000u, 40000u}) {
    byte_vector bytes(block_bytes, 'x');
    test::append(bytes, header_of(count));
    test::append(bytes, byte_vector(block_bytes, 'E'));
    const header found = read_at(bytes, block_bytes);
    EXPECT_EQ(found.offset_bytes, block_bytes);
    EXPECT_EQ(found.data_offset_bytes, block_bytes * (2 + count / 36)) << count;
    EXPECT_EQ(found.cards.size(), count);
    EXPECT_TRUE(found.notes.empty());
  }
}

TEST(ReadHeader, EndMustComeBeforeTheFileEnds) {
  byte_vector bytes = header_of(40);
  bytes.resize(block_bytes + 3 * card_bytes);
  EXPECT_PROBLEM(error_of([&] { read_at(bytes); }), errc::header_invalid, "found the end of the file at byte 3120");
  bytes = header_of(40);
  bytes.resize(block_bytes + 4 * card_bytes + 10);  // an END card of 10 bytes is none
  EXPECT_PROBLEM(error_of([&] { read_at(bytes); }), errc::header_invalid, "expected END");
  EXPECT_PROBLEM(error_of([&] { read_at(bytes, 99999); }), errc::header_invalid, "expected END");
}

TEST(ReadHeader, EndOnlyAtTheStartOfACard) {
  byte_vector bytes(block_bytes * 2, ' ');
  const std::string end = "END";
  std::copy(end.begin(), end.end(), bytes.begin() + 40);
  EXPECT_PROBLEM(error_of([&] { read_at(bytes); }), errc::header_invalid, "expected END");
}

TEST(ReadHeader, CapIsChecked) {
  const byte_vector bytes = header_of(3000);
  limits caps;
  caps.max_header_bytes = 100 * block_bytes;
  EXPECT_EQ(read_at(bytes, 0, caps).cards.size(), 3000u);
  caps.max_header_bytes = 80 * block_bytes;
  EXPECT_PROBLEM(error_of([&] { read_at(bytes, 0, caps); }), errc::header_invalid, "max_header_bytes");
  caps.max_header_bytes = 0;
  EXPECT_PROBLEM(error_of([&] { read_at(bytes, 0, caps); }), errc::header_invalid, "max_header_bytes");
}

TEST(ReadHeader, OddPaddingIsNoted) {
  byte_vector bytes = header_of(3);
  std::fill(bytes.begin() + 4 * card_bytes, bytes.end(), std::uint8_t{0});
  EXPECT_TRUE(has_note(read_at(bytes).notes, "padded with other bytes"));
  bytes = header_of(3);
  bytes.resize(4 * card_bytes);
  const header found = read_at(bytes);
  EXPECT_TRUE(has_note(found.notes, "before the header block is padded"));
  EXPECT_EQ(found.data_offset_bytes, block_bytes);
}

/// Counts what is asked of it.
class counting_source final : public byte_source {
 public:
  explicit counting_source(const byte_vector& bytes) : bytes_(bytes) {}
  std::uint64_t size_bytes() const noexcept override { return bytes_.size(); }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset_bytes), out.size(), out.begin());
    ++reads;
    bytes_read += out.size();
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "counting"; }
  mutable std::size_t reads = 0;
  mutable std::size_t bytes_read = 0;

 private:
  const byte_vector& bytes_;
  std::string name_ = "test.fits";
};

TEST(ReadHeader, ReadsFewAndNotMuchMoreThanTheHeader) {
  for (const std::size_t count : {3u, 40u, 400u, 40000u}) {
    byte_vector bytes = header_of(count);
    const std::size_t header_length = bytes.size();
    bytes.resize(bytes.size() + (std::size_t{8} << 20));
    const counting_source source(bytes);
    read_header(source, 0, {}, {});
    EXPECT_LE(source.bytes_read, 2 * header_length) << count;
    EXPECT_LE(source.reads, 8 + header_length / (200 << 10)) << count;
  }
}

}  // namespace
}  // namespace cuphoton::xdr::fits
