// The host engine on made files: same pixels for any number of threads and any source, the lowest bad tile reported,
// other errors passed on.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include <cuphoton/xdr/reader.hpp>

#include "support/made_images.hpp"

namespace cuphoton::xdr {
namespace {

constexpr shape extents{2, {200, 300}};
test::compressed_image tiled() {
  return test::gzip_image(extents, {2, {3, 300}});
}

std::vector<std::uint8_t> pixels_of(const byte_source& source, int hdu, unsigned threads) {
  read_options options;
  options.threads = threads;
  const image pixels = read(source, hdu_selector::number(hdu), options);
  return {pixels.bytes().begin(), pixels.bytes().end()};
}

TEST(host_engine, threads_change_nothing) {
  const auto source = test::source_of(test::compressed_file(tiled()));
  const auto one = pixels_of(*source, 1, 1);
  for (const unsigned threads : {2U, 3U, 16U}) EXPECT_EQ(pixels_of(*source, 1, threads), one);
}

TEST(host_engine, sources_change_nothing) {
  const test::byte_vector file = test::compressed_file(tiled());
  const std::string path = testing::TempDir() + "host_engine_test.fits";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  EXPECT_EQ(pixels_of(*open_source(path), 1, 2), pixels_of(*test::source_of(file), 1, 2));
  std::remove(path.c_str());
}

TEST(host_engine, the_lowest_bad_tile_is_reported_whatever_the_order_in_the_file) {
  test::compressed_image made = tiled();
  for (const std::size_t bad : {61UL, 7UL, 40UL}) {
    auto& bytes = std::get<test::byte_vector>(made.columns[0].cells[bad]);
    bytes[bytes.size() - 6] ^= 1;  // the CRC32
  }
  std::swap(made.columns[0].cells[7], made.columns[0].cells[8]);  // tile 8 holds the damaged bytes now
  const auto source = test::source_of(test::compressed_file(made));
  for (const unsigned threads : {1U, 2U, 8U}) {
    try {
      pixels_of(*source, 1, threads);
      ADD_FAILURE() << "damage not noticed";
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::tile_corrupt);
      EXPECT_EQ(problem.place().tile, 8);
      EXPECT_EQ(problem.place().hdu, 1);
      EXPECT_NE(std::string(problem.what()).find("made.fits: HDU 1: tile 8: GZIP_1"), std::string::npos)
          << problem.what();
      EXPECT_NE(std::string(problem.what()).find("bad_checksum"), std::string::npos) << problem.what();
    }
  }
}

TEST(host_engine, undamaged_sections_of_damaged_images_are_read) {
  test::compressed_image made = tiled();
  std::get<test::byte_vector>(made.columns[0].cells[60])[30] ^= 0x55;
  const auto source = test::source_of(test::compressed_file(made));
  read_options options;
  options.section = box{2, {0, 0}, {180, 300}};
  EXPECT_NO_THROW(read(*source, hdu_selector::number(1), options));
  options.section = box{2, {180, 0}, {1, 1}};
  EXPECT_THROW(read(*source, hdu_selector::number(1), options), error);
}

/// Fails after some bytes, as a disk does.
class failing_source final : public byte_source {
 public:
  failing_source(std::shared_ptr<const byte_source> inner, std::uint64_t good)
      : inner_(std::move(inner)), good_(good) {}
  std::uint64_t size_bytes() const noexcept override { return inner_->size_bytes(); }
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset + out.size() > good_) throw error(errc::io_failed, {name()}, "the disk failed", {}, 5);
    inner_->read(offset, out);
  }
  const std::string& name() const noexcept override { return inner_->name(); }
  const char* backend() const noexcept override { return "failing"; }

 private:
  std::shared_ptr<const byte_source> inner_;
  std::uint64_t good_;
};

TEST(host_engine, source_errors_keep_their_kind_and_learn_the_hdu) {
  const test::byte_vector file = test::plain_file({2, {3000, 1000}});
  const failing_source source(test::source_of(file), 3'000'000);
  try {
    pixels_of(source, 0, 2);
    ADD_FAILURE();
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::io_failed);
    EXPECT_EQ(problem.os_error(), 5);
    EXPECT_EQ(problem.place(), (where{"made.fits", 0}));
  }
}

TEST(host_engine, overlapping_and_shared_tiles_are_legal) {
  test::compressed_image made = test::gzip_image({2, {4, 10}}, {2, {1, 10}});
  const auto first = std::get<test::byte_vector>(made.columns[0].cells[0]);
  // All four rows point at the same bytes; the last two with dead bytes behind the member.
  const std::uint64_t length = first.size();
  for (std::size_t i = 1; i < 4; ++i) made.columns[0].cells[i] = test::raw_descriptor{length, 0};
  made.heap_start = {};
  const auto source = test::source_of(test::compressed_file(made));
  const image pixels = read(*source, hdu_selector::number(1));
  for (int row = 1; row < 4; ++row) {
    EXPECT_TRUE(std::equal(pixels.bytes().begin(), pixels.bytes().begin() + 20, pixels.bytes().begin() + 20 * row));
  }
  EXPECT_EQ(pixels.facts().bytes_read, length);
}

TEST(host_engine, surplus_bytes_are_accepted_and_noted) {
  test::compressed_image made = tiled();
  auto& bytes = std::get<test::byte_vector>(made.columns[0].cells[3]);
  bytes.insert(bytes.end(), {1, 2, 3});
  const auto source = test::source_of(test::compressed_file(made));
  const image pixels = read(*source, hdu_selector::number(1));
  ASSERT_EQ(pixels.facts().notes.size(), 1U);
  EXPECT_EQ(pixels.facts().notes[0], "1 tiles had bytes after the end of their stream");
}

}  // namespace
}  // namespace cuphoton::xdr
