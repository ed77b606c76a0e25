// Cards that are not mandatory may stand anywhere: found by name, never by place.
#include <algorithm>
#include <random>

#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int16_t> raw{1, -2, 3, -4, 500, 6};
const std::vector<float> scaled{7.0F, 1.0F, 11.0F, -3.0F, 1005.0F, 17.0F};

compressed_image made_image() {
  return tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {3, 2}, {3, 1}, raw);
}

TEST(keyword_order, cards_between_tfields_and_the_first_column) {
  compressed_image made = made_image();
  made.early = {card("BSCALE", 2.0), card("BZERO", 5.0), card_of("COMMENT between the columns"), card_of("")};
  expect_pixels(load_both(compressed_file(made), 1), scaled);
}

TEST(keyword_order, zsimple_in_an_extension_in_any_form) {
  for (const std::string& simple : {card("ZSIMPLE", true), card("ZSIMPLE", "T"), card("ZSIMPLE", false)}) {
    compressed_image made = made_image();
    made.early = {simple};
    made.extra.push_back(card("ZTENSION", "IMAGE"));
    made.extra.push_back(card("ZEXTEND", true));
    expect_pixels(load_both(compressed_file(made), 1), raw);
  }
}

/// All cards behind TFIELDS in orders of chance: columns, Z keywords, scaling.
TEST(keyword_order, any_order_behind_the_mandatory_cards) {
  compressed_image made = made_image();
  made.extra.push_back(card("BSCALE", 2.0));
  made.extra.push_back(card("BZERO", 5.0));
  made.extra.push_back(card_of("HISTORY packed"));
  std::vector<std::string> cards = compressed_cards(made);
  const byte_vector whole_hdu = compressed_hdu(made);
  const auto header_length = static_cast<std::ptrdiff_t>(header_bytes(cards).size());
  const byte_vector data(whole_hdu.begin() + header_length, whole_hdu.end());
  std::mt19937 random(24);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(cards.begin() + 8, cards.end(), random);
    byte_vector file = empty_primary();
    append(file, hdu_bytes(cards, data));
    expect_pixels(load_both(file, 1), scaled);
  }
}

TEST(keyword_order, plain_images) {
  std::vector<std::string> cards = primary_cards(16, {3, 2}, {card("BSCALE", 2.0), card("BZERO", 5.0)});
  std::reverse(cards.begin() + 1, cards.end());
  const image pixels = load_both(hdu_bytes(cards, big_endian(raw)), 0);
  expect_pixels(pixels, scaled);
  EXPECT_TRUE(has_note(pixels, "order"));  // BITPIX and NAXIS are mandatory there: read, and said
}

}  // namespace
}  // namespace cuphoton::xdr::test
