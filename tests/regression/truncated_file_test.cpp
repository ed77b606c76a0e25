// Downloads that stopped: each error tells file, HDU and bytes, what lies before the cut can still be read, and no
// file stays open.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

constexpr std::size_t block = 2880;

/// 0 an image with a header of two blocks, 1 an image, 2 a compressed image with a heap of three tiles.
byte_vector whole_file() {
  std::vector<std::string> many;
  for (int i = 0; i < 40; ++i) many.push_back(card("KEY" + std::to_string(i), i));
  byte_vector file = test::plain_image({3, 2}, std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}, many);
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}), {0, 7, 0, 8}));
  test::append(file, test::compressed_hdu(test::gzip_image({2, {3, 2000}}, {2, {1, 2000}})));
  return file;
}

struct cut {
  const char* what;
  std::size_t length;
  errc code;
  int hdu;  // the first that is lost
  std::vector<std::string> words;
};

std::vector<cut> cuts(std::size_t full) {
  const std::size_t header_1 = 3 * block;
  const std::size_t header_2 = header_1 + 2 * block;
  const std::size_t table = header_2 + block;
  std::vector<cut> list = {
      {"nothing", 0, errc::not_fits, -1, {"empty"}},
      {"100 bytes", 100, errc::not_fits, -1, {"2880", "100"}},
      {"primary header", block + 700, errc::header_invalid, 0, {"END", std::to_string(block + 700)}},
      {"data of the primary", 2 * block + 11, errc::file_truncated, 0, {"expected 12 bytes", "found 11 "}},
      {"header of the extension",
       header_1 + 500,
       errc::header_invalid,
       1,
       {"END", std::to_string(header_1), std::to_string(header_1 + 500)}},
      {"data of the extension", header_2 - block + 1, errc::file_truncated, 1, {"expected 4 bytes", "found 1 "}},
      {"header of the table", header_2 + 80, errc::header_invalid, 2, {"END"}},
      {"table", table + 20, errc::file_truncated, 2, {"from byte " + std::to_string(table), "found 20 "}},
      {"heap", table + 24 + 100, errc::file_truncated, 2, {"from byte " + std::to_string(table), "found 124 "}},
  };
  list.push_back({"last tile", full, errc::file_truncated, 2, {"found " + std::to_string(full - table) + " "}});
  return list;
}

/// The length without fill, less one: what is missing belongs to the last tile.
std::size_t all_but_a_byte(const byte_vector& file) {
  const file_info listed = inspect(*test::source_of(file));
  return static_cast<std::size_t>(listed.hdus.at(2).data_offset_bytes + listed.hdus.at(2).data_bytes) - 1;
}

TEST(truncated_file, the_error_tells_where_and_how_much) {
  const byte_vector whole_bytes = whole_file();
  for (const cut& one : cuts(all_but_a_byte(whole_bytes))) {
    const byte_vector file(whole_bytes.begin(), whole_bytes.begin() + static_cast<std::ptrdiff_t>(one.length));
    const int wanted = one.hdu < 0 ? 0 : one.hdu;
    test::expect_error(test::error_of(file, wanted), one.code, {"made.fits", one.hdu}, one.words);
    if (::testing::Test::HasFailure()) FAIL() << one.what;
    if (one.hdu >= 1) test::expect_pixels(test::load_both(file, 0), std::vector<std::int16_t>{1, 2, 3, 4, 5, 6});
    if (one.hdu >= 2) test::expect_pixels(test::load_both(file, 1), std::vector<std::int16_t>{7, 8});
  }
}

TEST(truncated_file, a_listing_shows_what_is_left_and_why_it_ends) {
  byte_vector file = whole_file();
  const std::size_t full = all_but_a_byte(file);
  file.resize(full);
  const file_info listed = inspect(*test::source_of(file));
  ASSERT_EQ(listed.hdus.size(), 3U);
  EXPECT_FALSE(listed.hdus[1].problem);
  ASSERT_TRUE(listed.hdus[2].problem);
  EXPECT_EQ(listed.hdus[2].problem->code(), errc::file_truncated);
  file.resize(5 * block + 80);
  const file_info shorter = inspect(*test::source_of(file));
  EXPECT_EQ(shorter.hdus.size(), 2U);
  ASSERT_TRUE(shorter.problem);
  EXPECT_EQ(shorter.problem->place().hdu, 2);
}

std::ptrdiff_t open_files() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

TEST(truncated_file, nothing_stays_open_and_the_path_is_named) {
  const byte_vector whole_bytes = whole_file();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("xdr_truncated_" + std::to_string(getpid()) + ".fits");
  const std::vector<cut> list = cuts(all_but_a_byte(whole_bytes));
  test::expect_pixels(test::load_both(whole_bytes, 1),
                      std::vector<std::int16_t>{7, 8});  // threads and tables exist now
  const std::ptrdiff_t before = open_files();
  for (const cut& one : list) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(whole_bytes.data()), static_cast<std::streamsize>(one.length));
    read_options options;
    options.engine = engine_choice::host;
    try {
      read(*open_source(path.string()), hdu_selector::number(one.hdu < 0 ? 0 : one.hdu), options);
      ADD_FAILURE() << one.what;
    } catch (const error& problem) {
      test::expect_error(problem, one.code, {path.string(), one.hdu}, {path.string()});
    }
    EXPECT_EQ(open_files(), before) << one.what;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cuphoton::xdr
