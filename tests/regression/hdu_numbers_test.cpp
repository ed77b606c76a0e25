// HDUs are counted from 0, the primary, in the file as it is, whatever they hold; names find them too, and a wrong
// number or name is an error.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

std::vector<std::int16_t> constant(std::int16_t value) {
  return std::vector<std::int16_t>(12, value);
}

std::vector<std::string> names(const char* name, int version) {
  return {card("EXTNAME", name), card("EXTVER", version)};
}

/// Three images, 100 in the primary.
byte_vector plain_images() {
  byte_vector file = plain_image<std::int16_t>({4, 3}, constant(100));
  append(file, hdu_bytes(image_cards(16, {4, 3}, names("Sci", 1)), big_endian(constant(101))));
  append(file, hdu_bytes(image_cards(16, {4, 3}, names("SCI", 2)), big_endian(constant(102))));
  return file;
}

byte_vector compressed(std::int16_t value, const std::vector<std::string>& extra) {
  compressed_image made = tiled_image<std::int16_t>(*find_codec(codec_id::rice_1), {4, 3}, {4, 1}, constant(value));
  made.extra.insert(made.extra.end(), extra.begin(), extra.end());
  return compressed_hdu(made);
}

/// The same packed: the primary becomes HDU 1 behind an empty one, so that each moves on by one.
byte_vector packed_images() {
  byte_vector file = empty_primary();
  append(file, compressed(100, {card("EXTNAME", "COMPRESSED_IMAGE"), card("ZSIMPLE", true)}));
  append(file, compressed(101, names("Sci", 1)));
  append(file, compressed(102, names("SCI", 2)));
  return file;
}

TEST(hdu_numbers, count_from_the_start_of_the_file) {
  const byte_vector plain = plain_images();
  const byte_vector packed = packed_images();
  for (int hdu = 0; hdu < 3; ++hdu) {
    const std::vector<std::int16_t> expected = constant(static_cast<std::int16_t>(100 + hdu));
    expect_pixels(load_both(plain, hdu), expected);
    const image found = load_both(packed, hdu + 1);
    expect_pixels(found, expected);
    EXPECT_EQ(found.facts().hdu_index, hdu + 1);
  }
}

TEST(hdu_numbers, names_and_versions) {
  for (const byte_vector& file : {plain_images(), packed_images()}) {
    expect_pixels(load_both(file, hdu_selector::named("SCI")), constant(101));
    expect_pixels(load_both(file, hdu_selector::named("sci", 1)), constant(101));
    expect_pixels(load_both(file, hdu_selector::named("Sci ", 2)), constant(102));
  }
  expect_pixels(load_both(plain_images(), hdu_selector::named("PRIMARY")), constant(100));
}

TEST(hdu_numbers, wrong_ones_are_errors) {
  const std::string plain = "0 image, 1 image Sci, 2 image SCI";
  const std::string packed = "0 empty, 1 compressed_image COMPRESSED_IMAGE, 2 compressed_image Sci";
  for (const auto& [file, list] : {std::pair{plain_images(), plain}, std::pair{packed_images(), packed}}) {
    for (const hdu_selector& which :
         {hdu_selector::number(4), hdu_selector::named("SCI", 3), hdu_selector::named("SCI2")}) {
      expect_error(error_of(file, which), errc::hdu_not_found, {"made.fits"}, {list});
    }
    expect_error(error_of(file, -1), errc::invalid_argument, {"made.fits"}, {"start at 0"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
