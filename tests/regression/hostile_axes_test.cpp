// hostile_axes_test.cpp: axes whose product overflows, counts of axes that no file has, headers without an end, and
// files that are much longer than what they hold.
#include <algorithm>
#include <atomic>

#include "hostile_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

constexpr std::int64_t two_31 = std::int64_t{1} << 31;
constexpr std::int64_t two_32 = std::int64_t{1} << 32;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

struct claim {
  std::vector<std::int64_t> axes;
  errc code;
};
const claim claims[] = {{{65536, 65536}, errc::file_truncated},  // 0 in 32 bits
                        {{two_31, 2}, errc::file_truncated},
                        {{46341, 46341}, errc::file_truncated},  // negative in 31 bits
                        {{two_32 + 2, 2}, errc::file_truncated},
                        {{two_32, two_32}, errc::header_invalid},  // 0 in 64 bits
                        {{two_32, two_31, 4}, errc::header_invalid},
                        {{3037000500, 3037000500}, errc::header_invalid},  // negative in 64 bits
                        {{largest, 1}, errc::header_invalid},              // with two bytes each
                        {{largest, largest, largest}, errc::header_invalid},
                        {{4, -1}, errc::header_invalid},
                        {{-4, -1}, errc::header_invalid},
                        {{-largest, 4}, errc::header_invalid}};

TEST(hostile_axes, a_product_of_axes_is_never_too_small) {
  for (const claim& each : claims) {
    for (const int bitpix : {16, 32, 64, -32, -64}) {
      std::string axes;
      for (const std::int64_t axis : each.axes) axes += " " + std::to_string(axis);
      SCOPED_TRACE(axes + " of " + std::to_string(bitpix));
      const byte_vector data(2880, 1);
      const error found = error_of(hdu_bytes(primary_cards(bitpix, each.axes), data));
      EXPECT_EQ(found.place().file, "made.fits");
      if (each.axes[0] < two_31 * 2) {
        EXPECT_EQ(name(found.code()), name(each.code));
      } else {  // wide pixels pass 2^63 bytes earlier
        EXPECT_TRUE(found.code() == each.code || found.code() == errc::header_invalid);
      }
      byte_vector second = empty_primary();
      append(second, hdu_bytes(image_cards(bitpix, each.axes), data));
      EXPECT_EQ(name(error_of(second, 1).code()), name(found.code()));
    }
  }
}

TEST(hostile_axes, a_compressed_image_has_the_tiles_that_its_axes_need) {
  for (const claim& each : claims) {
    for (const int bitpix : {8, 16, -64}) {
      compressed_image image = stacked({"GZIP_1", bitpix, 1, 4, {}}, {byte_vector(10), byte_vector(10)});
      image.axes = each.axes;
      image.tiles = {4, 1};
      const error found = error_of(compressed_file(image), 1);
      EXPECT_EQ(found.place().hdu, 1);
      EXPECT_TRUE(found.code() == errc::header_invalid || found.code() == errc::tile_table_invalid) << found.what();
      image.tiles = each.axes;
      const errc whole = error_of(compressed_file(image), 1).code();
      EXPECT_TRUE(whole == errc::header_invalid || whole == errc::tile_table_invalid || whole == errc::unsupported);
    }
  }
  // Rows of the table, too: NAXIS1 x NAXIS2 and PCOUNT say how long the data are.
  for (const std::int64_t count : {two_31, two_32, largest / 8, largest, std::int64_t{-1}}) {
    compressed_image image = stacked({"GZIP_1", 16, 1, 4, {}}, {byte_vector(10), byte_vector(10)});
    image.row_count = count;
    const errc rows = error_of(compressed_file(image), 1).code();
    EXPECT_TRUE(rows == errc::header_invalid || rows == errc::tile_table_invalid || rows == errc::file_truncated);
    image.row_count.reset();
    image.pcount = count;
    const errc heap = error_of(compressed_file(image), 1).code();
    EXPECT_TRUE(heap == errc::header_invalid || heap == errc::file_truncated) << count;
  }
}

TEST(hostile_axes, counts_outside_the_standard_are_refused) {
  for (const std::int64_t count : {std::int64_t{-1}, std::int64_t{1000}, two_31, two_32, largest, -largest - 1}) {
    std::vector<std::string> cards = primary_cards(16, {4});
    cards[2] = card("NAXIS", count);
    expect_error(error_of(hdu_bytes(cards, byte_vector(8))), errc::header_invalid, {"made.fits", 0},
                 {"NAXIS: expected 0 to 999, found " + std::to_string(count)});
    for (const char* keyword : {"ZNAXIS", "TFIELDS"}) {
      std::vector<std::string> table = compressed_cards(gzip_image({2, {2, 2}}, {2, {2, 2}}));
      for (std::string& one : table) {
        if (one.substr(0, 8) == card(keyword, 0).substr(0, 8)) one = card(keyword, count);
      }
      byte_vector file = empty_primary();
      append(file, hdu_bytes(table, byte_vector(2880)));
      expect_error(error_of(file, 1), errc::header_invalid, {"made.fits", 1},
                   {std::string(keyword) + ": expected 0 to 999, found " + std::to_string(count)});
    }
  }
  // As many as are allowed, of which none is there, and of which all are there.
  std::vector<std::string> cards = primary_cards(8, {});
  cards[2] = card("NAXIS", 999);
  expect_error(error_of(hdu_bytes(cards, {})), errc::header_invalid, {"made.fits", 0}, {"NAXIS1: expected an integer"});
  expect_error(error_of(hdu_bytes(primary_cards(8, std::vector<std::int64_t>(999, 1)), byte_vector(1)), 0),
               errc::unsupported, {"made.fits", 0}, {"the image has 999 axes; at most 16 are supported"});
}

TEST(hostile_axes, a_header_of_many_blocks_is_a_loop_and_has_a_cap) {
  const std::vector<std::string> more(36 * 5000, card_of("COMMENT of a header that does not stop"));  // 14 MB
  const std::vector<std::int16_t> one{77};
  const byte_vector file = hdu_bytes(primary_cards(16, {1}, more), big_endian(one));
  expect_pixels(load_both(file, 0), one);
  read_options options;
  options.caps.max_header_bytes = 1 << 20;
  expect_error(error_of(file, 0, options), errc::header_invalid, {"made.fits", 0},
               {"expected END within 1048576 bytes", "max_header_bytes"});
  byte_vector endless = header_bytes(primary_cards(16, {1}));
  std::string text(endless.begin(), endless.end());
  text.replace(text.find(card_of("END")), 80, card_of("ENDLESS"));
  endless.assign(text.begin(), text.end());
  endless.resize(2880 * 3000, ' ');
  expect_error(error_of(endless), errc::header_invalid, {"made.fits", 0},
               {"found the end of the file at byte 8640000"});
}

TEST(hostile_axes, a_larger_axis_is_a_file_that_is_too_short) {
  const std::vector<std::int16_t> six{1, 2, 3, 4, 5, 6};
  expect_pixels(load_both(plain_image({3, 2, 1}, six), 0), six);
  for (const std::int64_t planes : {1000, 100000, 1000000000}) {
    const byte_vector file = plain_image({3, 2, planes}, six);
    expect_error(error_of(file), errc::file_truncated, {"made.fits", 0},
                 {"expected " + std::to_string(12 * planes) + " bytes of data from byte 2880, found 2880"});
    const file_info listing = inspect(*source_of(file));
    EXPECT_EQ(listing.hdus.size(), 1U);
  }
}

/// A file of any length whose bytes behind `start` are zero; counts what is asked for.
class long_file final : public byte_source {
 public:
  long_file(byte_vector start, std::uint64_t length) : start_(std::move(start)), length_(length) {}
  std::uint64_t size_bytes() const noexcept override { return length_; }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    asked_ += out.size();
    for (std::uint8_t& byte : out) {
      byte = offset_bytes < start_.size() ? start_[static_cast<std::size_t>(offset_bytes)] : std::uint8_t{0};
      ++offset_bytes;
    }
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "test"; }
  std::uint64_t asked() const { return asked_; }

 private:
  byte_vector start_;
  std::uint64_t length_;
  std::string name_ = "long.fits";
  mutable std::atomic<std::uint64_t> asked_{0};
};

TEST(hostile_axes, a_tebibyte_behind_the_last_hdu_is_not_searched) {
  const std::vector<std::int16_t> six{1, 2, 3, 4, 5, 6};
  const long_file file(plain_image({3, 2}, six), std::uint64_t{1} << 40);
  const file_info listing = inspect(file);
  ASSERT_EQ(listing.hdus.size(), 1U);
  ASSERT_EQ(listing.notes.size(), 1U);
  EXPECT_NE(listing.notes[0].find("special records"), std::string::npos);
  expect_pixels(read(file), six);
  expect_error(std::get<error>(outcome_on(file, hdu_selector::number(1), {}, engine_choice::host)), errc::hdu_not_found,
               {"long.fits", -1});
  EXPECT_LT(file.asked(), 100'000U);
}

}  // namespace
}  // namespace cuphoton::xdr::test
