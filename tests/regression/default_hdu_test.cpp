// Without a choice the first HDU with pixels is read, plain or compressed; whoever asks for an HDU without an image is
// told which ones the file has.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int16_t> pixels{1, -2, 3, -4};

byte_vector compressed_extension() {
  return compressed_hdu(tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {2, 2}, {2, 1}, pixels));
}
byte_vector plain_extension() {
  return hdu_bytes(image_cards(16, {2, 2}, {card("EXTNAME", "SCI")}), big_endian(pixels));
}
byte_vector table_extension() {
  return hdu_bytes({card("XTENSION", "BINTABLE"), card("BITPIX", 8), card("NAXIS", 2), card("NAXIS1", 4),
                    card("NAXIS2", 1), card("PCOUNT", 0), card("GCOUNT", 1), card("TFIELDS", 1), card("TTYPE1", "A"),
                    card("TFORM1", "1J"), card("EXTNAME", "EVENTS")},
                   {0, 0, 0, 9});
}
byte_vector joined(const std::vector<byte_vector>& parts) {
  byte_vector file;
  for (const byte_vector& part : parts) append(file, part);
  return file;
}

TEST(default_hdu, is_the_first_with_pixels) {
  const byte_vector no_pixels = hdu_bytes(primary_cards(16, {0}), {});
  const byte_vector no_rows = hdu_bytes(primary_cards(16, {100, 0}), {});
  for (const byte_vector& primary : {empty_primary(), no_pixels, no_rows}) {
    const std::vector<std::pair<byte_vector, int>> files{
        {joined({primary, compressed_extension()}), 1},
        {joined({primary, plain_extension(), compressed_extension()}), 1},
        {joined({primary, table_extension(), plain_extension()}), 2},
        {joined({primary, hdu_bytes(image_cards(16, {0}), {}), table_extension(), compressed_extension()}), 3}};
    for (const auto& [file, hdu] : files) {
      const image found = load_both(file);
      expect_pixels(found, pixels);
      EXPECT_EQ(found.facts().hdu_index, hdu);
    }
  }
  EXPECT_EQ(load_both(joined({plain_image<std::int16_t>({2, 2}, pixels), compressed_extension()})).facts().hdu_index,
            0);
}

TEST(default_hdu, an_hdu_without_an_image_is_refused_with_the_list) {
  const byte_vector file = joined({empty_primary(), table_extension(), plain_extension(), compressed_extension()});
  const std::string list = "0 empty, 1 binary_table EVENTS, 2 image SCI, 3 compressed_image";
  for (const auto& [which, hdu] : std::vector<std::pair<hdu_selector, int>>{{hdu_selector::number(0), 0},
                                                                            {hdu_selector::named("PRIMARY"), 0},
                                                                            {hdu_selector::number(1), 1},
                                                                            {hdu_selector::named("events"), 1}}) {
    const error found = error_of(file, which);
    expect_error(found, errc::unsupported, {"made.fits", hdu}, {"holds no image", list});
    ASSERT_EQ(found.reasons().size(), 1U);
    EXPECT_EQ(found.reasons()[0].code, reason_code::not_an_image);
  }
}

TEST(default_hdu, a_file_without_an_image_says_what_it_holds) {
  expect_error(error_of(joined({empty_primary(), table_extension()})), errc::hdu_not_found, {"made.fits"},
               {"0 empty, 1 binary_table EVENTS"});
  expect_error(error_of(empty_primary()), errc::hdu_not_found, {"made.fits"}, {"0 empty"});
}

/// An axis of length 0 is an array of that shape, if it is asked for.
TEST(default_hdu, an_empty_array_can_be_asked_for) {
  const byte_vector file = joined({hdu_bytes(primary_cards(16, {0}), {}), plain_extension()});
  const image none = load_both(file, 0);
  EXPECT_EQ(none.extents(), (shape{1, {0}}));
  EXPECT_EQ(none.size_bytes(), 0U);
}

}  // namespace
}  // namespace cuphoton::xdr::test
