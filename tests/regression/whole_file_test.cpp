// whole_file_test.cpp: lessons about a file that is compressed as a whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <cuphoton/xdr/reader.hpp>

#include "io/gunzip.hpp"
#include "io/unpack.hpp"
#include "support/encoders.hpp"
#include "support/fits_builder.hpp"

namespace cuphoton::xdr {
namespace {

constexpr std::int64_t rows = 2048;
constexpr std::int64_t width = 4096;

/// A slope with `noise_bits` of noise.
std::int16_t pixel(std::uint64_t index, int noise_bits) {
  const std::uint64_t mixed = (index + 1) * 0x9e3779b97f4a7c15u >> 32;
  return static_cast<std::int16_t>(1000 + index % width / 8 + (mixed >> (32 - noise_bits)));
}

/// A 16 MiB int16 image.
test::byte_vector image_file(int noise_bits) {
  test::byte_vector data;
  data.reserve(2 * rows * width + 2880);
  for (std::uint64_t index = 0; index < rows * width; ++index) test::append_be(data, pixel(index, noise_bits));
  return test::hdu_bytes(test::primary_cards(16, {width, rows}), std::move(data));
}

/// A file on a disk, as far as the number of reads goes.
class counting_source final : public byte_source {
 public:
  counting_source(test::byte_vector content, int& reads) : content_(std::move(content)), reads_(reads) {}
  std::uint64_t size_bytes() const noexcept override { return content_.size(); }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    ++reads_;
    std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(offset_bytes), out.size(), out.begin());
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "counting"; }

 private:
  test::byte_vector content_;
  int& reads_;
  std::string name_ = "image.fits";
};

void expect_pixels(const image& found, int noise_bits) {
  ASSERT_EQ(found.bytes().size(), 2u * rows * width);
  std::uint64_t different = 0;
  for (std::uint64_t index = 0; index < rows * width; ++index) {
    std::int16_t value = 0;
    std::memcpy(&value, found.data() + 2 * index, 2);
    different += value != pixel(index, noise_bits) ? 1u : 0u;
  }
  EXPECT_EQ(different, 0u);
}

// A .gz file unpacked in blocks of a few kB, each with a read and a call of its own, took readers minutes.
TEST(gzip_file, is_read_in_two_reads_and_unpacked_in_one_pass) {
  for (const int noise_bits : {0, 6}) {  // packed to a hundredth, and to a half
    const test::byte_vector packed = test::gzip_by_libdeflate(image_file(noise_bits), 6);
    int reads = 0;
    const auto source = io::unpack(std::make_shared<counting_source>(packed, reads), {});
    expect_pixels(read(*source), noise_bits);
    EXPECT_EQ(reads, 2);  // the first bytes, then the file: no read for a header, a row or a block

    const byte_view file{packed.data(), packed.size()};
    io::unpacked_bytes out(io::first_gunzip_bytes(file), limits{}.max_unpacked_bytes);
    const io::member_report report = io::gunzip_member(file, out);
    EXPECT_EQ(report.state, io::member_state::complete);
    EXPECT_EQ(report.passes, 1);
  }
}

// Where the length of a member cannot be foreseen, the passes are few and their work is bounded by that of the last.
TEST(gzip_file, needs_few_passes_without_a_hint_of_its_length) {
  test::byte_vector packed = test::gzip_by_libdeflate(image_file(6), 6);
  packed.resize(packed.size() + 512);  // padding where ISIZE is looked for
  const byte_view file{packed.data(), packed.size()};
  io::unpacked_bytes out(io::first_gunzip_bytes(file), limits{}.max_unpacked_bytes);
  EXPECT_LE(io::gunzip_member(file, out).passes, 3);
  io::unpacked_bytes small(0, limits{}.max_unpacked_bytes);
  EXPECT_LE(io::gunzip_member(file, small).passes, 11);  // 0, then 64 KiB, doubled up to 32 MiB
  EXPECT_EQ(small.written().size(), out.written().size());
}

}  // namespace
}  // namespace cuphoton::xdr
