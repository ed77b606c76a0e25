// peer_faults_test.cpp: each entry of the table of CFITSIO's faults covers its case and not the ordinary image.
#include "cli/peer_faults.hpp"

#include <gtest/gtest.h>

namespace cuphoton::xdr::cli {
namespace {

/// An ordinary RICE_1 image of 16-bit integers that fills its file.
struct sample {
  hdu_info hdu;
  image_plan plan;
  sample() {
    hdu.kind = hdu_kind::compressed_image;
    hdu.data_offset_bytes = 2880;
    hdu.data_bytes = 100;
    plan.file_bytes = 5760;
    plan.codec_name = "RICE_1";
    plan.stored_type = pixel_type::i16;
    add_group(codec_id::rice_1, false);
  }
  tile_group& add_group(codec_id codec, bool quantized) {
    tile_group group;
    group.codec = codec;
    group.recipe.quantized = quantized;
    plan.groups.push_back(group);
    return plan.groups.back();
  }
  void make_quantized_float() {
    plan.stored_type = pixel_type::f32;
    plan.groups.clear();
    add_group(codec_id::rice_1, true);
  }
  std::string key() const {
    const auto text = known_peer_fault(hdu, plan);
    return text ? text->substr(0, text->find(':')) : "";
  }
};

TEST(known_peer_fault, ordinary_images_have_none) {
  sample plain_integers;
  plain_integers.plan.zero = 32768;
  plain_integers.hdu.cards = {"ZNAME1  = 'BLOCKSIZE'", "TTYPE1  = 'COMPRESSED_DATA'"};
  EXPECT_EQ(plain_integers.key(), "");
  sample quantized;
  quantized.make_quantized_float();
  quantized.plan.groups[0].recipe.has_null = true;
  EXPECT_EQ(quantized.key(), "");
}

TEST(known_peer_fault, fallback_tiles_with_bzero) {
  sample image;
  image.add_group(codec_id::gzip_1, false);
  EXPECT_EQ(image.key(), "");
  image.plan.zero = 32768;
  EXPECT_EQ(image.key(), "known fault row 8");
}

TEST(known_peer_fault, int64_in_tiles) {
  sample image;
  image.plan.stored_type = pixel_type::i64;
  EXPECT_EQ(image.key(), "known fault row 14");
  image.hdu.kind = hdu_kind::image;
  EXPECT_EQ(image.key(), "");
}

TEST(known_peer_fault, both_fallback_columns) {
  sample image;
  image.hdu.cards = {"TTYPE1  = 'UNCOMPRESSED_DATA'", "TTYPE2  = 'GZIP_COMPRESSED_DATA'"};
  EXPECT_EQ(image.key(), "known fault row 15");
}

TEST(known_peer_fault, missing_padding) {
  sample image;
  image.plan.file_bytes = 2980;
  EXPECT_EQ(image.key(), "known fault row 24");
}

TEST(known_peer_fault, narrow_null) {
  sample image;
  image.make_quantized_float();
  image.plan.groups[0].recipe.has_null = true;
  image.plan.groups[0].parameters.rice_pixel_bytes = 2;
  EXPECT_EQ(image.key(), "known fault row 28");
}

TEST(known_peer_fault, quantized_with_lossless_tiles) {
  sample image;
  image.make_quantized_float();
  image.add_group(codec_id::gzip_1, false);
  EXPECT_EQ(image.key(), "known fault section 4.6");
}

TEST(known_peer_fault, scaled_floats) {
  sample image;
  image.make_quantized_float();
  image.plan.scale = 2;
  EXPECT_EQ(image.key(), "known fault section 4.7");
}

TEST(known_peer_fault, rice_block_size_by_position) {
  sample image;
  image.hdu.cards = {"ZNAME1  = 'NOISEBIT'           /"};
  EXPECT_EQ(image.key(), "known fault bug-cases B3");
}

}  // namespace
}  // namespace cuphoton::xdr::cli
