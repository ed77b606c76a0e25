// Tiles at the edge hold only their clipped pixels, in every codec and type; nothing is padded to the nominal size.
#include "support/chosen_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

struct tiling {
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> tiles;
};
const std::vector<tiling> tilings{{{112, 112}, {64, 64}}, {{26, 17, 5}, {8, 8, 5}}, {{13, 10, 7}, {5, 7, 3}}};

template <class T>
void expect_as_plain(const codec_row& codec, const tiling& cut) {
  std::uint64_t count = 1;
  for (const std::int64_t axis : cut.axes) count *= static_cast<std::uint64_t>(axis);
  const std::vector<T> pixels = chosen_pixels<T>(codec, count);
  const image tiled = load_both(compressed_file(tiled_image<T>(codec, cut.axes, cut.tiles, pixels)), 1);
  expect_pixels(tiled, pixels);
  const image plain = load_both(plain_image<T>(cut.axes, pixels), 0);
  EXPECT_EQ(tiled.extents(), plain.extents());
  expect_pixels(plain, pixels);
}

TEST(partial_tiles, every_codec_and_type_equals_the_plain_twin) {
  for (const codec_row* codec : chosen_codecs()) {
    for (const tiling& cut : tilings) {
      for_each_stored_type(*codec, [&]<class T>(std::type_identity<T>) {
        SCOPED_TRACE(std::string(codec->fits_name) + " " + std::string(name(type_of<T>())) + ", axes " +
                     std::to_string(cut.axes.size()));
        expect_as_plain<T>(*codec, cut);
      });
    }
  }
}

/// The planes of GZIP_2 are as long as the clipped tile; so are those of quantised integers.
TEST(partial_tiles, quantised_floats) {
  for (const codec_row* codec : chosen_codecs()) {
    SCOPED_TRACE(codec->fits_name);
    std::vector<std::int32_t> q(7 * 10);
    std::vector<float> expected(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = static_cast<std::int32_t>(i * 259);
      const std::size_t tile = i % 7 / 4 + 2 * (i / 7 / 4);
      expected[i] = static_cast<float>(static_cast<double>(q[i]) * (1.0 + static_cast<double>(tile)) + 0.5);
    }
    compressed_image made = tiled_image<std::int32_t>(*codec, -32, {7, 10}, {4, 4}, q);
    quantize(made, {1, 2, 3, 4, 5, 6}, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
    expect_pixels(load_both(compressed_file(made), 1), expected);
  }
}

/// A writer that pads its edge tiles is wrong, and told so: the width of a pixel is not guessed from nominal sizes.
TEST(partial_tiles, a_padded_edge_tile_is_an_error) {
  for (const codec_id id : {codec_id::gzip_1, codec_id::gzip_2, codec_id::none}) {
    const codec_row& codec = *find_codec(id);
    SCOPED_TRACE(codec.fits_name);
    compressed_image made = tiled_image<std::int16_t>(codec, {7, 4}, {4, 4}, chosen_pixels<std::int16_t>(codec, 28));
    made.columns[0].cells[1] = encode_tile(id, chosen_pixels<std::int16_t>(codec, 16));
    expect_error(error_of(compressed_file(made), 1), errc::tile_corrupt, {"made.fits", 1, 1}, {"output_"});
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
