// The front door on made files: choice of the HDU, targets, budgets, receipts, and pixels of every kind these codecs
// carry.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <cuphoton/xdr/reader.hpp>

#include "support/encoders.hpp"
#include "support/made_images.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

template <class T>
std::vector<T> values_of(const image& pixels) {
  std::vector<T> values(pixels.bytes().size() / sizeof(T));
  std::memcpy(values.data(), pixels.bytes().data(), pixels.bytes().size());
  return values;
}

byte_vector words(std::initializer_list<std::int16_t> values) {
  byte_vector bytes;
  for (const std::int16_t value : values) test::append_be(bytes, value);
  return bytes;
}
byte_vector longs(std::initializer_list<std::int32_t> values) {
  byte_vector bytes;
  for (const std::int32_t value : values) test::append_be(bytes, value);
  return bytes;
}

image read_bytes(const byte_vector& file, int hdu, pixel_values values = pixel_values::scaled) {
  read_options options;
  options.values = values;
  return read(*test::source_of(file), hdu_selector::number(hdu), options);
}

byte_vector several_hdus() {
  byte_vector file = test::empty_primary();
  test::append(file, test::hdu_bytes(test::image_cards(16, {2}, {card("EXTNAME", "SCI")}), words({1, 2})));
  test::append(
      file, test::hdu_bytes(test::image_cards(16, {2}, {card("EXTNAME", "sci  "), card("EXTVER", 2)}), words({3, 4})));
  test::append(file, test::hdu_bytes(test::image_cards(16, {0}, {card("EXTNAME", "NONE")}), {}));
  return file;
}

TEST(select, by_number_name_and_version) {
  const auto source = test::source_of(several_hdus());
  EXPECT_EQ(values_of<std::int16_t>(read(*source)), (std::vector<std::int16_t>{1, 2}));  // the first with pixels
  EXPECT_EQ(values_of<std::int16_t>(read(*source, hdu_selector::number(2))), (std::vector<std::int16_t>{3, 4}));
  EXPECT_EQ(values_of<std::int16_t>(read(*source, hdu_selector::named("Sci"))), (std::vector<std::int16_t>{1, 2}));
  EXPECT_EQ(values_of<std::int16_t>(read(*source, hdu_selector::named("SCI", 2))), (std::vector<std::int16_t>{3, 4}));
  EXPECT_TRUE(read(*source, hdu_selector::number(3)).bytes().empty());
  for (const hdu_selector& which :
       {hdu_selector::number(4), hdu_selector::named("SCI", 3), hdu_selector::named("WHT")}) {
    try {
      read(*source, which);
      ADD_FAILURE();
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::hdu_not_found);
      EXPECT_NE(std::string(problem.what()).find("0 empty, 1 image SCI, 2 image sci, 3 image NONE"), std::string::npos)
          << problem.what();
    }
  }
  EXPECT_THROW(read(*source, hdu_selector::number(-1)), error);
  EXPECT_THROW(read(*source, hdu_selector::named("PRIMARY")), error);  // there, but empty
}

TEST(reader, targets_must_fit) {
  const auto source = test::source_of(several_hdus());
  const image_plan made = plan(*source, hdu_selector::number(1));
  alignas(8) std::uint8_t room[16] = {};
  EXPECT_EQ(read_into(*source, made, {room, 4}).bytes_delivered, 4U);
  EXPECT_THROW(read_into(*source, made, {room, 5}), error);
  EXPECT_THROW(read_into(*source, made, {room + 1, 4}), error);
  const auto longer = test::source_of([] {
    byte_vector file = several_hdus();
    file.resize(file.size() + 2880);
    return file;
  }());
  EXPECT_THROW(read_into(*longer, made, {room, 4}), error);  // a plan belongs to its file
}

TEST(reader, an_engine_that_is_not_there_is_refused_with_its_reason) {
  const auto source = test::source_of(several_hdus());
  read_options options;
  options.engine = engine_choice::gpu;
  options.device = 99;  // not there on any host
  try {
    read(*source, hdu_selector::number(1), options);
    ADD_FAILURE();
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::unsupported);
    ASSERT_EQ(problem.reasons().size(), 1U);
    EXPECT_EQ(problem.reasons()[0].code, reason_code::device_unavailable);
  }
}

TEST(receipt, tells_what_ran) {
  const auto source = test::source_of(test::compressed_file(test::gzip_image({2, {6, 10}}, {2, {2, 10}})));
  read_options options;
  options.device = 99;  // not there on any host
  const receipt facts = read(*source, hdu_selector::number(1), options).facts();
  EXPECT_EQ(facts.engine, "host");
  EXPECT_EQ(facts.io_backend, "memory");
  EXPECT_EQ(facts.codec_name, "GZIP_1");
  EXPECT_EQ(facts.tiles.at("GZIP_1"), 3U);
  EXPECT_EQ(facts.bytes_delivered, 120U);
  EXPECT_FALSE(facts.checks.empty());
  ASSERT_EQ(facts.reasons.size(), 1U);  // why no GPU
  EXPECT_NE(to_json(facts).find("\"engine\": \"host\""), std::string::npos);
}

TEST(listing, says_that_a_codec_is_unknown) {
  byte_vector file = test::compressed_file(test::gzip_image({2, {6, 10}}, {2, {2, 10}}));
  EXPECT_TRUE(inspect(*test::source_of(file)).hdus[1].reasons.empty());
  const std::string known = "GZIP_1";
  const auto at = std::search(file.begin(), file.end(), known.begin(), known.end());
  ASSERT_NE(at, file.end());
  at[5] = '9';
  const std::vector<reason> reasons = inspect(*test::source_of(file)).hdus[1].reasons;
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].code, reason_code::codec_unsupported);
  EXPECT_EQ(reasons[0].hdu, 1);
  EXPECT_NE(reasons[0].detail.find("'GZIP_9'"), std::string::npos);
}

TEST(receipt, tells_what_was_unpacked) {
  const byte_vector file = test::plain_file({2, {6, 50}});
  byte_vector packed = test::gzip_by_libdeflate(file, 6);
  const std::uint64_t packed_bytes = packed.size() + 3;
  test::append(packed, {'x', 'y', 'z'});
  const auto source = test::source_of(packed);
  const std::string note = "offsets are of its " + std::to_string(file.size()) + " unpacked bytes";
  const auto has = [](const std::vector<std::string>& notes, const std::string& part) {
    return std::any_of(notes.begin(), notes.end(), [&](const auto& one) { return one.find(part) != one.npos; });
  };
  const image pixels = read(*source);
  EXPECT_TRUE(std::ranges::equal(pixels.bytes(), read(*test::source_of(file)).bytes()));
  ASSERT_TRUE(pixels.facts().outer);
  EXPECT_EQ(pixels.facts().outer->packer, "gzip");
  EXPECT_EQ(pixels.facts().outer->packed_bytes, packed_bytes);
  EXPECT_EQ(pixels.facts().outer->unpacked_bytes, file.size());
  EXPECT_TRUE(has(pixels.facts().notes, note) && has(pixels.facts().notes, "last 3 bytes"));
  EXPECT_NE(to_json(pixels.facts()).find("\"packer\": \"gzip\""), std::string::npos);
  const image_plan planned = plan(*source);
  EXPECT_TRUE(has(planned.notes, note));
  EXPECT_EQ(planned.file_bytes, file.size());
  EXPECT_TRUE(std::ranges::equal(read(*source, plan_from_json(to_json(planned))).bytes(), pixels.bytes()));
  const file_info listing = inspect(*source);
  ASSERT_TRUE(listing.outer);
  EXPECT_EQ(listing.outer->unpacked_bytes, listing.file_bytes);
  EXPECT_TRUE(has(listing.notes, "last 3 bytes"));
  EXPECT_FALSE(inspect(*test::source_of(file)).outer || read(*test::source_of(file)).facts().outer);
}

/// Where the host engine decodes, a decoder that was named for the GPU is accepted and ignored; a pair that no machine
/// can honour is refused before anything is read.
TEST(reader, a_gzip_decoder_that_is_named) {
  const auto tiled = test::source_of(test::compressed_file(test::gzip_image({2, {6, 10}}, {2, {2, 10}})));
  const auto plain = test::source_of(several_hdus());
  read_options options;
  options.engine = engine_choice::host;
  options.nvcomp_folder = "/no/such/folder";
  for (const auto decoder : {gzip_decoder_choice::gzip, gzip_decoder_choice::deflate, gzip_decoder_choice::builtin}) {
    options.gzip_decoder = decoder;
    options.decompression_backend = decompression_backend_choice::cuda;
    const receipt facts = read(*tiled, hdu_selector::number(1), options).facts();
    EXPECT_EQ(facts.gzip_decoder, "host");
    EXPECT_NE(to_json(facts).find("\"gzip_decoder\": \"" + std::string(name(decoder)) + "\""), std::string::npos);
    EXPECT_EQ(read(*plain, hdu_selector::number(1), options).facts().gzip_decoder, "");
    options.decompression_backend = decompression_backend_choice::hardware;
    if (decoder == gzip_decoder_choice::gzip) {
      EXPECT_EQ(read(*tiled, hdu_selector::number(1), options).facts().gzip_decoder, "host");
      continue;
    }
    try {
      read(*plain, hdu_selector::number(1), options);
      ADD_FAILURE();
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::invalid_argument);
      EXPECT_NE(problem.message().find("not with '" + std::string(name(decoder)) + "'"), std::string::npos);
    }
  }
}

TEST(pixels, blank_before_scale) {
  const byte_vector file =
      test::hdu_bytes(test::primary_cards(16, {3}, {card("BSCALE", 2.0), card("BZERO", 100.0), card("BLANK", -32768)}),
                      words({-32768, 0, 5}));
  const auto values = values_of<float>(read_bytes(file, 0));
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 100.0F);
  EXPECT_EQ(values[2], 110.0F);
  const image stored = read_bytes(file, 0, pixel_values::stored);
  EXPECT_EQ(values_of<std::int16_t>(stored), (std::vector<std::int16_t>{-32768, 0, 5}));
  EXPECT_EQ(stored.scale, 2.0);
  EXPECT_EQ(stored.zero, 100.0);
  EXPECT_EQ(stored.null_value, -32768);
}

TEST(pixels, scale_is_applied_in_float_as_astropy_does) {
  const byte_vector file =
      test::hdu_bytes(test::primary_cards(16, {1}, {card("BSCALE", 0.1), card("BZERO", 3.3)}), words({1}));
  EXPECT_EQ(values_of<float>(read_bytes(file, 0))[0], 0.1F * 1.0F + 3.3F);  // 3.3999999, where CFITSIO has 3.4
  EXPECT_NE(values_of<float>(read_bytes(file, 0))[0], 3.4F);
}

TEST(pixels, unsigned_and_signed_bytes) {
  const byte_vector u16 =
      test::hdu_bytes(test::primary_cards(16, {3}, {card("BZERO", 32768)}), words({-32768, 0, 32767}));
  EXPECT_EQ(values_of<std::uint16_t>(read_bytes(u16, 0)), (std::vector<std::uint16_t>{0, 32768, 65535}));
  const byte_vector i8 = test::hdu_bytes(test::primary_cards(8, {3}, {card("BZERO", -128)}), {0, 128, 255});
  EXPECT_EQ(values_of<std::int8_t>(read_bytes(i8, 0)), (std::vector<std::int8_t>{-128, 0, 127}));
}

TEST(pixels, integers_with_a_null_column) {
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = 32;
  image.axes = {2, 2};
  image.tiles = {2, 1};
  image.columns.push_back({"ZBLANK", "1J", {std::int64_t{5}, std::int64_t{6}}});
  image.columns.push_back(
      {"COMPRESSED_DATA", "1QB", {test::gzip_by_zlib(longs({5, 6}), 9), test::gzip_by_zlib(longs({5, 6}), 9)}});
  const auto values = values_of<double>(read_bytes(test::compressed_file(image), 1));
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 6.0);
  EXPECT_EQ(values[2], 5.0);
  EXPECT_TRUE(std::isnan(values[3]));
}

TEST(pixels, element_width_is_not_tied_to_bitpix) {
  test::compressed_image image;
  image.codec = "GZIP_2";
  image.axes = {3, 3};
  image.tiles = {3, 1};
  // 16-bit pixels stored as four bytes (old CFITSIO) in planes, then as single bytes, then as eight.
  byte_vector four = {0xFF, 0, 0, 0xFF, 0, 0, 0xFF, 0, 1, 0xFE, 7, 0};
  byte_vector eight(24, 0);
  for (const std::size_t plane : {0U, 1U, 2U, 3U, 4U, 5U, 6U}) eight[3 * plane] = 0xFF;
  eight[21] = 0xFD;
  eight[22] = 9;
  image.columns.push_back(
      {"COMPRESSED_DATA",
       "1PB",
       {test::gzip_by_zlib(four, 1), test::gzip_by_zlib(byte_vector{1, 2, 255}, 1), test::gzip_by_zlib(eight, 1)}});
  EXPECT_EQ(values_of<std::int16_t>(read_bytes(test::compressed_file(image), 1)),
            (std::vector<std::int16_t>{-2, 7, 256, 1, 2, 255, -3, 9, 0}));
}

TEST(pixels, a_number_that_does_not_fit_is_an_error) {
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.axes = {2, 1};
  image.tiles = {2, 1};
  image.columns.push_back({"COMPRESSED_DATA", "1PB", {test::gzip_by_zlib(longs({1, 40000}), 1)}});
  try {
    read_bytes(test::compressed_file(image), 1);
    ADD_FAILURE();
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::tile_corrupt);
    EXPECT_NE(std::string(problem.what()).find("out_of_range"), std::string::npos);
  }
}

test::compressed_image quantized(const std::string& method, std::vector<std::string> extra) {
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = -32;
  image.axes = {4, 1};
  image.tiles = {4, 1};
  image.columns.push_back(
      {"COMPRESSED_DATA", "1PB", {test::gzip_by_zlib(longs({10, -2147483646, -2147483647, -5}), 1)}});
  image.columns.push_back({"ZSCALE", "1D", {0.5}});
  image.columns.push_back({"ZZERO", "1D", {100.0}});
  image.extra = std::move(extra);
  image.extra.push_back(card("ZQUANTIZ", method.c_str()));
  return image;
}

TEST(pixels, quantised_floats_by_hand) {
  auto values = values_of<float>(read_bytes(test::compressed_file(quantized("NO_DITHER", {card("ZBLANK", -5)})), 1));
  EXPECT_EQ(values[0], 105.0F);
  EXPECT_EQ(values[1], static_cast<float>(-2147483646.0 * 0.5 + 100.0));
  EXPECT_TRUE(std::isnan(values[3]));
  // Seed 1, row 0: the sequence starts at R[0].
  const image dithered = read_bytes(test::compressed_file(quantized("SUBTRACTIVE_DITHER_2", {card("ZDITHER0", 1)})), 1);
  values = values_of<float>(dithered);
  EXPECT_EQ(values[0], static_cast<float>(((10.0 - static_cast<double>(7.82636926e-06F)) + 0.5) * 0.5 + 100.0));
  EXPECT_EQ(values[1], 0.0F);
  EXPECT_LT(values[2], -1e9F);  // plain arithmetic, with a note
  ASSERT_FALSE(dithered.facts().notes.empty());
  EXPECT_NE(dithered.facts().notes.back().find("-2147483647"), std::string::npos);
}

TEST(pixels, lossless_floats_keep_every_bit) {
  byte_vector raw;
  for (const std::uint32_t bits : {0x7FC00123U, 0x7F800001U, 0x80000000U, 0x00000001U, 0xFF800000U})
    test::append_be(raw, bits);
  test::compressed_image image;
  image.codec = "GZIP_1";
  image.bitpix = -32;
  image.axes = {5};
  image.tiles = {5};
  image.columns.push_back({"COMPRESSED_DATA", "1PB", {test::gzip_by_zlib(raw, 1)}});
  image.extra = {card("ZQUANTIZ", "NO_DITHER"), card("ZBLANK", 1)};  // without ZSCALE both mean nothing
  EXPECT_EQ(values_of<std::uint32_t>(read_bytes(test::compressed_file(image), 1)),
            (std::vector<std::uint32_t>{0x7FC00123U, 0x7F800001U, 0x80000000U, 0x00000001U, 0xFF800000U}));
}

TEST(pixels, nocompress_in_both_layouts) {
  test::compressed_image image;
  image.codec = "NOCOMPRESS";
  image.axes = {2, 2};
  image.tiles = {2, 1};
  image.extra = {card("BZERO", 32768)};
  image.columns.push_back({"COMPRESSED_DATA", "1PB", {words({1, 2}), {}}});
  image.columns.push_back({"UNCOMPRESSED_DATA", "1PI", {{}, words({3, 4})}});
  EXPECT_EQ(values_of<std::uint16_t>(read_bytes(test::compressed_file(image), 1)),
            (std::vector<std::uint16_t>{32769, 32770, 32771, 32772}));
}

}  // namespace
}  // namespace cuphoton::xdr
