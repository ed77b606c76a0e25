// HDUs without an array between images: listed as what they are, passed over by the default choice, and refused by name
// when asked for.
#include <gtest/gtest.h>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

/// 0 an image, 1 an image HDU with NAXIS = 0, 2 an image, 3 the same as 1 with 0 x 4 pixels.
byte_vector between_images() {
  byte_vector file = test::plain_image({2}, std::vector<std::int16_t>{1, 2});
  test::append(file, test::hdu_bytes(test::image_cards(16, {}, {card("EXTNAME", "NOTHING"), card("BLANK", 3)}), {}));
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}, {card("EXTNAME", "SECOND")}), {0, 3, 0, 4}));
  test::append(file, test::hdu_bytes(test::image_cards(16, {4, 0}), {}));
  return file;
}

TEST(empty_hdus, images_beside_them_are_read) {
  const byte_vector file = between_images();
  test::expect_pixels(test::load_both(file), std::vector<std::int16_t>{1, 2});
  test::expect_pixels(test::load_both(file, 0), std::vector<std::int16_t>{1, 2});
  test::expect_pixels(test::load_both(file, 2), std::vector<std::int16_t>{3, 4});
  test::expect_pixels(test::load_both(file, hdu_selector::named("SECOND")), std::vector<std::int16_t>{3, 4});
  EXPECT_EQ(test::load_both(file, 3).extents(), (shape{2, {0, 4}}));
}

TEST(empty_hdus, asked_for_are_an_error_that_says_so) {
  for (const hdu_selector& which : {hdu_selector::number(1), hdu_selector::named("nothing")}) {
    const error found = test::error_of(between_images(), which);
    test::expect_error(found, errc::unsupported, {"made.fits", 1}, {"no image", "empty"});
    ASSERT_EQ(found.reasons().size(), 1U);
    EXPECT_EQ(found.reasons()[0].code, reason_code::not_an_image);
  }
}

TEST(empty_hdus, are_listed) {
  const file_info listed = inspect(*test::source_of(between_images()));
  ASSERT_EQ(listed.hdus.size(), 4U);
  EXPECT_EQ(name(listed.hdus[1].kind), "empty");
  EXPECT_EQ(listed.hdus[1].name, "NOTHING");
  EXPECT_EQ(listed.hdus[1].extents.rank, 0);
  EXPECT_EQ(name(listed.hdus[3].kind), "image");
  EXPECT_EQ(listed.hdus[3].extents, (shape{2, {0, 4}}));
}

TEST(empty_hdus, alone_leave_no_image_to_choose) {
  byte_vector file = test::empty_primary();
  test::append(file, test::hdu_bytes(test::image_cards(8, {}), {}));
  test::expect_error(test::error_of(file), errc::hdu_not_found, {"made.fits"}, {"0 empty", "1 empty"});
}

}  // namespace
}  // namespace cuphoton::xdr
