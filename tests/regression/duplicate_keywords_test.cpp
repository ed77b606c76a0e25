// Keywords that stand twice: equal ones are used, structural ones that differ are an error with their name, of plain
// ones the last counts.
#include <limits>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int32_t> q{10, 20, 30, 40};

/// NO_DITHER, so that the pixels are easy to say.
compressed_image quantized() {
  compressed_image made = tiled_image<std::int32_t>(*find_codec(codec_id::rice_1), -32, {2, 2}, {2, 2}, q);
  quantize(made, {0.5}, {1.0});
  made.extra.push_back(card("ZQUANTIZ", "NO_DITHER"));
  made.extra.push_back(card("ZDITHER0", 7));
  made.extra.push_back(card("ZSIMPLE", true));
  made.extra.push_back(card("ZBLANK", 20));
  return made;
}

struct repeated_keyword {
  std::string keyword;
  std::string same;
  std::string other;
};
const std::vector<repeated_keyword> structural{
    {"ZQUANTIZ", card("ZQUANTIZ", "NO_DITHER"), card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1")},
    {"ZDITHER0", card("ZDITHER0", 7), card("ZDITHER0", 8)},
    {"ZBLANK", card("ZBLANK", 20), card("ZBLANK", 30)},
    {"ZCMPTYPE", card("ZCMPTYPE", "RICE_1"), card("ZCMPTYPE", "GZIP_1")},
    {"ZBITPIX", card("ZBITPIX", -32), card("ZBITPIX", -64)},
    {"ZNAXIS", card("ZNAXIS", 2), card("ZNAXIS", 3)},
    {"ZNAXIS1", card("ZNAXIS1", 2), card("ZNAXIS1", 1)},
    {"ZTILE2", card("ZTILE2", 2), card("ZTILE2", 1)},
    {"ZVAL1", card("ZVAL1", 32), card("ZVAL1", 16)},
    {"ZNAME2", card("ZNAME2", "BYTEPIX"), card("ZNAME2", "BLOCKSIZE")},
    {"ZIMAGE", card("ZIMAGE", true), card("ZIMAGE", false)},
    {"TFORM1", card("TFORM1", "1PB"), card("TFORM1", "1QB")},
    {"NAXIS1", card("NAXIS1", 24), card("NAXIS1", 25)}};

TEST(duplicate_keywords, equal_ones_are_used) {
  const std::vector<float> expected{6.0F, std::numeric_limits<float>::quiet_NaN(), 16.0F, 21.0F};
  expect_pixels(load_both(compressed_file(quantized()), 1), expected);
  for (const repeated_keyword& twice : structural) {
    SCOPED_TRACE(twice.keyword);
    compressed_image made = quantized();
    made.extra.push_back(twice.same);
    expect_pixels(load_both(compressed_file(made), 1), expected);
  }
}

TEST(duplicate_keywords, structural_ones_that_differ_are_errors) {
  for (const repeated_keyword& twice : structural) {
    SCOPED_TRACE(twice.keyword);
    compressed_image made = quantized();
    made.extra.push_back(twice.other);
    expect_error(error_of(compressed_file(made), 1), errc::header_invalid, {"made.fits", 1},
                 {twice.keyword + " appears more than once"});
  }
}

/// ZSIMPLE decides nothing: a file packed twice is read.
TEST(duplicate_keywords, ones_that_decide_nothing_may_differ) {
  compressed_image made = quantized();
  made.extra.push_back(card("ZSIMPLE", false));
  made.extra.push_back(card("OBJECT", "M 31"));
  made.extra.push_back(card("OBJECT", "M 33"));
  EXPECT_EQ(load_both(compressed_file(made), 1).size_bytes(), 16U);
}

TEST(duplicate_keywords, of_plain_ones_the_last_counts) {
  const std::vector<std::string> cards{card("BSCALE", 3.0), card("BZERO", 1.0), card("BLANK", 7),
                                       card("BSCALE", 2.0), card("BZERO", 5.0), card("BLANK", 9)};
  const std::vector<float> expected{7.0F, std::numeric_limits<float>::quiet_NaN(), 19.0F, 25.0F};
  const std::vector<std::int16_t> raw{1, 9, 7, 10};
  compressed_image made = tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {2, 2}, {2, 2}, raw);
  made.extra.insert(made.extra.end(), cards.begin(), cards.end());
  for (const auto& [file, hdu] :
       {std::pair{plain_image<std::int16_t>({2, 2}, raw, cards), 0}, std::pair{compressed_file(made), 1}}) {
    const image pixels = load_both(file, hdu);
    expect_pixels(pixels, expected);
    for (const char* keyword : {"BSCALE", "BZERO", "BLANK"}) {
      EXPECT_TRUE(has_note(pixels, std::string(keyword) + " appears more than once")) << keyword;
    }
  }
}

TEST(duplicate_keywords, of_a_plain_image_that_decide_its_size) {
  for (const std::string& other : {card("BITPIX", 8), card("NAXIS", 1), card("NAXIS1", 3)}) {
    expect_error(error_of(plain_image<std::int16_t>({2, 2}, {1, 2, 3, 4}, {other}), 0), errc::header_invalid,
                 {"made.fits", 0}, {"appears more than once"});
  }
  expect_pixels(load_both(plain_image<std::int16_t>({2, 2}, {1, 2, 3, 4}, {card("NAXIS1", 2), card("BITPIX", 16)}), 0),
                std::vector<std::int16_t>{1, 2, 3, 4});
}

}  // namespace
}  // namespace cuphoton::xdr::test
