// device_cases.cpp: see device_cases.hpp. Encoders are CFITSIO's for Rice, HCOMPRESS and PLIO and zlib's for gzip, as
// files have them.
#include "device_cases.hpp"

#include <zlib.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "datasets.hpp"
#include "support/cfitsio_oracle.hpp"

namespace cuphoton::xdr::bench {
namespace {

using bytes = std::vector<std::uint8_t>;

/// Stored integers of the tile, 2 or 4 bytes each, native.
std::vector<std::int32_t> quantise(const float* sky, std::size_t count, pixel_kind kind) {
  std::vector<std::int32_t> pixels(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = std::nearbyint(sky[i]);
    pixels[i] = kind == pixel_kind::u16 ? static_cast<std::int32_t>(std::min(std::max(value, 0.0F), 65535.0F)) - 32768
                                        : static_cast<std::int32_t>(value);
  }
  return pixels;
}

bytes to_big_endian(const std::vector<std::int32_t>& pixels, std::size_t width, bool planes) {
  bytes raw(pixels.size() * width);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    for (std::size_t byte = 0; byte < width; ++byte) {
      const auto part = static_cast<std::uint8_t>(static_cast<std::uint32_t>(pixels[i]) >> (8 * (width - 1 - byte)));
      raw[planes ? byte * pixels.size() + i : i * width + byte] = part;
    }
  }
  return raw;
}

/// As CFITSIO writes a tile: level 1, a gzip member.
bytes deflate_tile(const bytes& raw) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
  bytes out(deflateBound(&stream, raw.size()));
  stream.next_in = const_cast<Bytef*>(raw.data());
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("zlib");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

bytes rice_tile(std::vector<std::int32_t> pixels, std::size_t width) {
  bytes out(pixels.size() * (width + 1) + 64);
  int length = 0;
  if (width == 2) {
    std::vector<short> narrow(pixels.begin(), pixels.end());
    length =
        fits_rcomp_short(narrow.data(), static_cast<int>(narrow.size()), out.data(), static_cast<int>(out.size()), 32);
  } else {
    length = fits_rcomp(pixels.data(), static_cast<int>(pixels.size()), out.data(), static_cast<int>(out.size()), 32);
  }
  if (length <= 0) throw std::runtime_error("CFITSIO's Rice encoder failed");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

bytes plio_tile(const std::int32_t* mask, std::size_t count) {
  std::vector<std::int32_t> pixels(mask, mask + count);
  std::vector<short> words(7 + 3 * count + 16);
  words.resize(static_cast<std::size_t>(pl_p2li(pixels.data(), 1, words.data(), static_cast<int>(count))));
  return to_big_endian({words.begin(), words.end()}, sizeof(short), false);
}

bytes hcompress_tile(std::vector<std::int32_t> pixels, std::int64_t rows) {
  bytes out(pixels.size() * 8 + 1000);
  auto length = static_cast<long>(out.size());
  int status = 0;
  fits_hcompress(pixels.data(), static_cast<int>(static_cast<std::int64_t>(pixels.size()) / rows),
                 static_cast<int>(rows), 0, reinterpret_cast<char*>(out.data()), &length, &status);
  if (status != 0) throw std::runtime_error("CFITSIO's HCOMPRESS encoder failed");
  out.resize(static_cast<std::size_t>(length));
  return out;
}

bytes encode(const case_key& key, const float* sky, std::size_t count) {
  const std::size_t width = key.kind == pixel_kind::u16 ? 2 : 4;
  const std::vector<std::int32_t> pixels = quantise(sky, count, key.kind);
  if (key.codec == codec_id::rice_1) return rice_tile(pixels, width);
  if (key.codec == codec_id::hcompress_1) return hcompress_tile(pixels, key.rows_per_tile);
  const bytes raw = to_big_endian(pixels, width, key.codec == codec_id::gzip_2);
  return key.codec == codec_id::none ? raw : deflate_tile(raw);
}

pixel_recipe recipe_of(pixel_kind kind) {
  pixel_recipe recipe;
  if (kind == pixel_kind::u16) {
    recipe.stored_type = pixel_type::i16;
    recipe.output_type = pixel_type::u16;
    recipe.flip_sign = true;
  } else if (kind == pixel_kind::i32 || kind == pixel_kind::i32_mask) {
    recipe.stored_type = recipe.output_type = pixel_type::i32;
  } else {
    recipe.stored_type = recipe.output_type = pixel_type::f32;
    recipe.quantized = true;
    recipe.dither = dither_method::subtractive_1;
    recipe.dither_seed = 42;
  }
  return recipe;
}

}  // namespace

made_case make_case(const case_key& key, std::int64_t side, int images, std::uint64_t seed) {
  const std::int64_t tiles_per_image = side / key.rows_per_tile;
  std::vector<bytes> tiles(static_cast<std::size_t>(tiles_per_image * images));
  const auto tile_pixels = static_cast<std::size_t>(key.rows_per_tile * side);
  // Bands of an image are made apart, so that all cores work; a star at a border is cut, which no decoder notices.
  const std::int64_t bands = 16;
  std::atomic<std::int64_t> next{0};
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&] {
      for (std::int64_t band = next++; band < bands * images; band = next++) {
        const std::uint64_t own_seed = seed * 1000 + static_cast<std::uint64_t>(band);
        const bool masked = key.kind == pixel_kind::i32_mask;
        const std::vector<float> sky =
            masked ? std::vector<float>{} : make_sky(side / bands, side, key.sigma, own_seed);
        const std::vector<std::int32_t> mask =
            masked ? make_mask(side / bands, side, own_seed) : std::vector<std::int32_t>{};
        const std::int64_t count = tiles_per_image / bands;
        for (std::int64_t tile = 0; tile < count; ++tile) {
          const std::size_t at = static_cast<std::size_t>(tile) * tile_pixels;
          tiles[static_cast<std::size_t>(band * count + tile)] =
              masked ? plio_tile(mask.data() + at, tile_pixels) : encode(key, sky.data() + at, tile_pixels);
        }
      }
    });
  }
  threads.clear();

  made_case made;
  made.plan.file = "<benchmark>";
  made.plan.image_shape = {2, {side * images, side}};
  made.plan.section = whole(made.plan.image_shape);
  made.plan.grid = {bounds_of(made.plan.section), {2, {key.rows_per_tile, side}}};
  tile_group group;
  group.codec = key.codec;
  group.recipe = recipe_of(key.kind);
  group.parameters.rice_pixel_bytes = key.kind == pixel_kind::u16 ? 2 : 4;
  group.capacity_bytes_per_pixel = key.codec == codec_id::rice_1 ? group.parameters.rice_pixel_bytes : 4;
  made.plan.stored_type = group.recipe.stored_type;
  made.plan.output_type = group.recipe.output_type;
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    group.tiles.push_back({made.bytes.size(), static_cast<std::uint32_t>(tiles[i].size()), i, 0.25, 100.0});
    made.bytes.insert(made.bytes.end(), tiles[i].begin(), tiles[i].end());
  }
  made.compressed_bytes = made.bytes.size();
  made.plan.file_bytes = made.bytes.size();
  made.plan.groups.push_back(std::move(group));
  validate(made.plan);
  return made;
}

}  // namespace cuphoton::xdr::bench
