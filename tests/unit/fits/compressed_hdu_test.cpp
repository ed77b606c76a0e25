// compressed_hdu_test.cpp: the Z keywords, row by row of fits-semantics 2.2, 4.1 and 6.
#include <gtest/gtest.h>

#include "fits/image_hdu.hpp"
#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::card;
using test::compressed_image;
using test::raw_card;
using test::sample_image;
using test::table_cell;

compressed_image with(const std::vector<std::string>& extra, const std::string& codec = "RICE_1", int bitpix = 16) {
  compressed_image image = sample_image();
  image.extra = extra;
  image.codec = codec;
  image.bitpix = bitpix;
  if (codec == "PLIO_1") image.columns[0].form = "1PI";
  return image;
}
compressed_image quantized(const std::vector<std::string>& extra, const std::string& codec = "RICE_1") {
  compressed_image image = with(extra, codec, -32);
  image.columns.push_back({"ZSCALE", "1D", {0.5, 0.5, 0.5}});
  image.columns.push_back({"ZZERO", "1D", {0.0, 0.0, 0.0}});
  return image;
}
// The image, or a complaint and an empty one.
image_hdu image_of(const compressed_image& image) {
  const hdu found = scan_compressed(image);
  EXPECT_FALSE(found.problem) << found.problem->what();
  EXPECT_EQ(found.kind, hdu_kind::compressed_image);
  return found.image.value_or(image_hdu{});
}

TEST(CompressedHdu, DescribesTheImageNotTheTable) {
  const image_hdu image = image_of(with({card("BZERO", 32768), card("BLANK", 7)}));
  EXPECT_TRUE(image.compressed);
  EXPECT_EQ(image.stored_type, pixel_type::i16);
  EXPECT_EQ(to_string(image.extents), "3x8");
  EXPECT_EQ(to_string(image.tile_shape), "1x8");
  EXPECT_EQ(image.codec_name, "RICE_1");
  EXPECT_EQ(image.zero, 32768.0);
  EXPECT_EQ(image.blank, 7);
  EXPECT_FALSE(image.zblank);
  EXPECT_EQ(image.rice_block_pixels, 32u);
  EXPECT_EQ(image.rice_pixel_bytes, 4u);
  EXPECT_TRUE(image.reasons.empty());
}

TEST(CompressedHdu, OnlyWithZimageTrue) {
  compressed_image image = sample_image();
  test::byte_vector bytes = test::compressed_file(image);
  const std::string text(bytes.begin(), bytes.end());
  const std::size_t at = text.find("ZIMAGE  =");
  bytes[at + 29] = 'F';
  EXPECT_EQ(scan_bytes(bytes).hdus.at(1).kind, hdu_kind::binary_table);
  EXPECT_EQ(scan_compressed(with({card("ZTABLE", false)})).kind, hdu_kind::compressed_image);
}

TEST(CompressedHdu, AnyCodecNameIsKept) {
  for (const char* codec :
       {"RICE_ONE", "GZIP_1", "GZIP_2", "HCOMPRESS_1", "PLIO_1", "NOCOMPRESS", "BZIP2_1", "rice_1"}) {
    EXPECT_EQ(image_of(with({}, codec)).codec_name, codec);
  }
  EXPECT_PROBLEM(scan_compressed(with({}, "")).problem, errc::header_invalid, "ZCMPTYPE");
}

TEST(CompressedHdu, ConflictingZKeywordsAreNamed) {
  const std::vector<std::pair<std::string, std::string>> conflicts{
      {"ZCMPTYPE", card("ZCMPTYPE", "GZIP_1")}, {"ZBITPIX", card("ZBITPIX", 32)},    {"ZNAXIS", card("ZNAXIS", 3)},
      {"ZNAXIS2", card("ZNAXIS2", 4)},          {"ZTILE1", card("ZTILE1", 4)},       {"ZIMAGE", card("ZIMAGE", false)},
      {"TFORM1", card("TFORM1", "1QB")},        {"TTYPE1", card("TTYPE1", "OTHER")}, {"TFIELDS", card("TFIELDS", 2)}};
  for (const auto& [keyword, duplicate] : conflicts) {
    const file_structure file = scan_bytes(test::compressed_file(with({duplicate})));
    const std::optional<error> problem = file.problem ? file.problem : file.hdus.at(1).problem;
    EXPECT_PROBLEM(problem, errc::header_invalid, keyword + " appears more than once");
  }
  for (const char* keyword : {"ZQUANTIZ", "ZDITHER0", "ZBLANK"}) {
    const compressed_image image = quantized({raw_card(keyword, "1"), raw_card(keyword, "2")});
    EXPECT_PROBLEM(scan_compressed(image).problem, errc::header_invalid,
                   std::string(keyword) + " appears more than once");
  }
  EXPECT_EQ(
      image_of(with({card("ZBITPIX", 16), card("ZCMPTYPE", "RICE_1"), card("ZSIMPLE", true), card("ZSIMPLE", "T")}))
          .codec_name,
      "RICE_1");
}

TEST(CompressedHdu, BitpixAndAxes) {
  EXPECT_PROBLEM(scan_compressed(with({}, "RICE_1", 12)).problem, errc::header_invalid, "ZBITPIX: expected");
  compressed_image image = sample_image();
  image.axes = {-8, 3};
  EXPECT_PROBLEM(scan_compressed(image).problem, errc::header_invalid, "ZNAXIS1: expected");
  image.axes = {4294967296, 4294967296};
  EXPECT_PROBLEM(scan_compressed(image).problem, errc::header_invalid, "ZNAXISn give an array of 2^63 bytes");
  image.axes = std::vector<std::int64_t>(17, 1);
  EXPECT_TRUE(has_reason(image_of(image), reason_code::rank_unsupported));
  image.axes = {};
  image.tiles = {};
  EXPECT_TRUE(has_reason(image_of(image), reason_code::rank_unsupported));
}

TEST(CompressedHdu, TilesDefaultToRowsAndAreClipped) {
  compressed_image image = sample_image();
  image.tiles = {};
  EXPECT_EQ(to_string(image_of(image).tile_shape), "1x8");
  image.tiles = {800, 1};
  EXPECT_EQ(to_string(image_of(image).tile_shape), "1x8");
  image.tiles = {8};  // ZTILE2 absent
  EXPECT_EQ(to_string(image_of(image).tile_shape), "1x8");
  image = sample_image(8, 4);
  image.tiles = {5, 2};  // 2 x 2 tiles
  image.axes = {8, 3};
  EXPECT_EQ(to_string(image_of(image).tile_shape), "2x5");
  for (const std::int64_t wrong : {0, -1}) {
    image.tiles = {wrong, 2};
    EXPECT_PROBLEM(scan_compressed(image).problem, errc::header_invalid, "ZTILE1: expected 1");
  }
}

TEST(CompressedHdu, TilesOf2To31PixelsAreUnsupported) {
  compressed_image image = sample_image(1, 1);
  image.bitpix = 8;
  image.axes = {65536, 32768};
  image.tiles = {65536, 32768};
  EXPECT_PROBLEM(scan_compressed(image).problem, errc::unsupported, "2^31 pixels");
  image.tiles = {65536, 32767};
  image.axes = {65536, 32767};
  EXPECT_EQ(to_string(image_of(image).tile_shape), "32767x65536");
}

TEST(CompressedHdu, ZeroAxesNeedNoRows) {
  for (const std::int64_t rows : {0, 3}) {
    compressed_image image = sample_image(8, rows);
    image.axes = {8, 3, 0};
    image.tiles = {8, 1, 1};
    image.row_bytes = 8;
    const image_hdu found = image_of(image);
    EXPECT_EQ(to_string(found.extents), "0x3x8");
    EXPECT_EQ(to_string(found.tile_shape), "1x1x8");
  }
}

TEST(CompressedHdu, RiceParametersByName) {
  const auto parameters = [](const std::vector<std::string>& extra) { return image_of(with(extra)); };
  const image_hdu swapped =
      parameters({card("ZNAME1", "BYTEPIX"), card("ZVAL1", 2), card("ZNAME2", "blocksize"), card("ZVAL2", 16)});
  EXPECT_EQ(swapped.rice_block_pixels, 16u);
  EXPECT_EQ(swapped.rice_pixel_bytes, 2u);
  const image_hdu noise =
      parameters({card("ZNAME1", "NOISEBIT"), card("ZVAL1", 4.5), card("ZNAME2", "BLOCKSIZE"), card("ZVAL2", 7)});
  EXPECT_EQ(noise.rice_block_pixels, 7u);
  EXPECT_EQ(noise.rice_pixel_bytes, 4u);
  const image_hdu gap =
      parameters({card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", 16), card("ZNAME3", "BYTEPIX"), card("ZVAL3", 1)});
  EXPECT_EQ(gap.rice_pixel_bytes, 4u);
}

TEST(CompressedHdu, RiceParametersAreJudged) {
  const auto block = [](const std::string& value) {
    return with({card("ZNAME1", "BLOCKSIZE"), raw_card("ZVAL1", value)});
  };
  EXPECT_EQ(image_of(block("1")).rice_block_pixels, 1u);
  EXPECT_EQ(image_of(block("32768")).rice_block_pixels, 32768u);
  for (const char* wrong : {"0", "-1", "32769", "'32'", ""}) {
    EXPECT_PROBLEM(scan_compressed(block(wrong)).problem, errc::header_invalid, "ZVAL");
  }
  for (const int width : {8, 3, 0, -4}) {
    const image_hdu image = image_of(with({card("ZNAME1", "BYTEPIX"), card("ZVAL1", width)}));
    EXPECT_TRUE(has_reason(image, reason_code::pixel_width_unsupported)) << width;
    EXPECT_EQ(image.rice_pixel_bytes, 4u);
  }
  EXPECT_PROBLEM(scan_compressed(with({card("ZNAME1", "BLOCKSIZE"), card("ZVAL1", 16), card("ZNAME2", "BLOCKSIZE"),
                                       card("ZVAL2", 32)}))
                     .problem,
                 errc::header_invalid, "BLOCKSIZE twice");
  EXPECT_TRUE(image_of(with({card("ZNAME1", "BYTEPIX"), card("ZVAL1", 8)}, "GZIP_1")).reasons.empty());
}

TEST(CompressedHdu, HcompressSmoothing) {
  const auto smooth = [](const std::vector<std::string>& extra, const std::string& codec = "HCOMPRESS_1") {
    return image_of(with(extra, codec)).hcompress_smooth;
  };
  EXPECT_FALSE(smooth({}));  // not what an HDU before it said
  EXPECT_TRUE(smooth({card("ZNAME1", "SCALE"), card("ZVAL1", 4.5), card("ZNAME2", "SMOOTH"), card("ZVAL2", 1)}));
  EXPECT_TRUE(smooth({card("ZNAME1", "smooth"), card("ZVAL1", -3)}));  // by name, any case, any number but 0
  EXPECT_FALSE(smooth({card("ZNAME1", "SCALE"), card("ZVAL1", 1), card("ZNAME2", "SMOOTH"), card("ZVAL2", 0)}));
  EXPECT_FALSE(smooth({card("ZNAME1", "SMOOTH"), card("ZVAL1", 1)}, "RICE_1"));
  EXPECT_TRUE(smooth({card("ZNAME1", "SMOOTH"), raw_card("ZVAL1", "T")}));  // as Astropy writes it
  EXPECT_FALSE(smooth({card("ZNAME1", "SMOOTH"), raw_card("ZVAL1", "F")}));
  EXPECT_PROBLEM(scan_compressed(with({card("ZNAME1", "SMOOTH"), raw_card("ZVAL1", "'yes'")}, "HCOMPRESS_1")).problem,
                 errc::header_invalid, "ZVAL");
}

TEST(CompressedHdu, Codecs64BitIntegersDoNotFit) {
  for (const char* codec : {"RICE_1", "RICE_ONE", "HCOMPRESS_1"}) {
    EXPECT_TRUE(has_reason(image_of(with({}, codec, 64)), reason_code::pixel_width_unsupported)) << codec;
  }
  for (const char* codec : {"GZIP_1", "GZIP_2", "NOCOMPRESS"})
    EXPECT_TRUE(image_of(with({}, codec, 64)).reasons.empty());
}

TEST(CompressedHdu, Quantization) {
  const image_hdu absent = image_of(quantized({}));
  EXPECT_EQ(absent.quantize, quantize_method::absent);
  EXPECT_TRUE(absent.tiles.quant_scale && absent.tiles.quant_zero);
  EXPECT_TRUE(absent.reasons.empty());
  EXPECT_EQ(image_of(quantized({card("ZQUANTIZ", "NO_DITHER")})).quantize, quantize_method::no_dither);
  EXPECT_EQ(image_of(quantized({card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1")})).quantize, quantize_method::subtractive_1);
  EXPECT_EQ(image_of(quantized({card("ZQUANTIZ", "SUBTRACTIVE_DITHER_2")})).quantize, quantize_method::subtractive_2);
  EXPECT_TRUE(has_reason(image_of(quantized({card("ZQUANTIZ", "NONE")})), reason_code::quantization_unsupported));
  EXPECT_PROBLEM(scan_compressed(quantized({card("ZQUANTIZ", "SUBTRACTIVE_DITHER_3")})).problem, errc::header_invalid,
                 "ZQUANTIZ: expected");
}

TEST(CompressedHdu, DitherSeed) {
  const auto seed = [](const std::string& value, const std::string& method = "SUBTRACTIVE_DITHER_1") {
    return quantized({card("ZQUANTIZ", method), raw_card("ZDITHER0", value)});
  };
  EXPECT_EQ(image_of(quantized({card("ZQUANTIZ", "SUBTRACTIVE_DITHER_1")})).dither_seed, 1u);
  EXPECT_EQ(image_of(seed("42")).dither_seed, 42u);
  EXPECT_EQ(image_of(seed("10000")).dither_seed, 10000u);
  EXPECT_EQ(image_of(seed("10001")).dither_seed, 1u);
  EXPECT_EQ(image_of(seed("20000", "SUBTRACTIVE_DITHER_2")).dither_seed, 10000u);
  EXPECT_EQ(image_of(seed("9223372036854775807")).dither_seed, 5807u);
  for (const char* wrong : {"0", "-5"}) {
    EXPECT_PROBLEM(scan_compressed(seed(wrong)).problem, errc::header_invalid, "ZDITHER0: expected 1 to 10000");
    EXPECT_TRUE(image_of(seed(wrong, "NO_DITHER")).reasons.empty());
  }
}

TEST(CompressedHdu, WithoutColumnsZquantizMeansNothing) {
  for (const char* method : {"NO_DITHER", "SUBTRACTIVE_DITHER_1", "ANYTHING"}) {
    const image_hdu image = image_of(with({card("ZQUANTIZ", method), card("ZDITHER0", 0)}, "GZIP_2", -32));
    EXPECT_EQ(image.quantize, quantize_method::absent);
    EXPECT_TRUE(image.reasons.empty());
  }
  const image_hdu integers = image_of(with({card("ZQUANTIZ", "ANYTHING"), card("ZDITHER0", -1)}));
  EXPECT_TRUE(integers.reasons.empty());
}

TEST(CompressedHdu, UnreadableQuantizationIsAReason) {
  for (const char* codec : {"RICE_1", "HCOMPRESS_1", "PLIO_1"}) {
    EXPECT_TRUE(has_reason(image_of(with({}, codec, -64)), reason_code::quantization_unsupported)) << codec;
  }
  for (const char* keyword : {"ZSCALE", "ZZERO"}) {
    const image_hdu image = image_of(with({card(keyword, 0.5)}, "GZIP_1", -32));
    ASSERT_TRUE(has_reason(image, reason_code::quantization_unsupported));
    EXPECT_NE(image.reasons[0].detail.find(keyword), std::string::npos);
    EXPECT_EQ(image.reasons[0].hdu, 1);
  }
  EXPECT_TRUE(image_of(with({card("ZSCALE", 0.5)})).reasons.empty());       // integers: no role
  EXPECT_TRUE(image_of(quantized({card("ZSCALE", 0.5)})).reasons.empty());  // the column decides
  for (const std::size_t removed : {1u, 2u}) {
    compressed_image image = quantized({}, "GZIP_1");
    image.columns.erase(image.columns.begin() + static_cast<std::ptrdiff_t>(removed));
    EXPECT_TRUE(has_reason(image_of(image), reason_code::quantization_unsupported)) << removed;
  }
}

TEST(CompressedHdu, ScaleColumnsOfIntegersAreIgnored) {
  compressed_image image = quantized({});
  image.bitpix = 32;
  const hdu found = scan_compressed(image);
  ASSERT_TRUE(found.image);
  EXPECT_FALSE(found.image->tiles.quant_scale || found.image->tiles.quant_zero);
  EXPECT_TRUE(has_note(found.notes, "ignored"));
}

TEST(CompressedHdu, Nulls) {
  EXPECT_EQ(image_of(quantized({card("ZBLANK", -2147483647)})).zblank, -2147483647);
  EXPECT_EQ(image_of(quantized({card("BLANK", -2147483648)})).blank, -2147483648);  // stands in for ZBLANK
  EXPECT_FALSE(has_note(scan_compressed(quantized({card("BLANK", 5)})).notes, "BLANK"));
  EXPECT_PROBLEM(scan_compressed(quantized({card("ZBLANK", 1.5)})).problem, errc::header_invalid, "ZBLANK: expected");
}

}  // namespace
}  // namespace cuphoton::xdr::fits
