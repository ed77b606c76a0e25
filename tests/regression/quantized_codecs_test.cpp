// Quantisation belongs to the image, not to the codec: every codec's integers become floats by the scale and zero of
// their own row.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// Strong gradients from row to row: with another row's scale, or none, the image shows stripes.
template <class T>
void expect_gradients(const codec_row& codec) {
  SCOPED_TRACE(std::string(codec.fits_name) + " " + std::to_string(bitpix_of<T>()));
  const std::size_t rows = 6;
  std::vector<double> scales(rows);
  std::vector<double> zeros(rows);
  std::vector<std::int32_t> q(rows * 2 * 20);
  std::vector<T> expected(q.size());
  for (std::size_t tile = 0; tile < rows; ++tile) {
    scales[tile] = 0.1 * static_cast<double>(1 + tile * tile);
    zeros[tile] = 1e4 * static_cast<double>(tile) - 3.3;
    for (std::size_t i = tile * 40; i < (tile + 1) * 40; ++i) {
      q[i] = static_cast<std::int32_t>(i % 40 * 17);
      const double product = static_cast<double>(q[i]) * scales[tile];
      expected[i] = static_cast<T>(product + zeros[tile]);
    }
  }
  compressed_image made = tiled_image<std::int32_t>(codec, bitpix_of<T>(), {20, 12}, {20, 2}, q);
  quantize(made, scales, zeros);
  made.extra.push_back(card("ZQUANTIZ", "NO_DITHER"));
  expect_pixels(load_both(compressed_file(made), 1), expected);
}

TEST(quantized_codecs, every_codec_uses_the_scale_of_its_row) {
  for (const codec_row* codec : chosen_codecs()) {
    expect_gradients<float>(*codec);
    expect_gradients<double>(*codec);
  }
}

/// BSCALE and BZERO come on top, in the type of the image.
TEST(quantized_codecs, scaling_comes_after) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    compressed_image made = tiled_image<std::int32_t>(*codec, -32, {4, 2}, {4, 2}, {0, 1, 2, 3, 10, 11, 12, 13});
    quantize(made, {0.3}, {0.7});
    made.extra.push_back(card("BSCALE", 0.1));
    made.extra.push_back(card("BZERO", 5.0));
    std::vector<float> expected;
    for (const int q : {0, 1, 2, 3, 10, 11, 12, 13}) {
      const auto restored = static_cast<float>(static_cast<double>(q) * 0.3 + 0.7);
      const float scaled = restored * 0.1F;
      expected.push_back(scaled + 5.0F);
    }
    expect_pixels(load_both(compressed_file(made), 1), expected);
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
