// encoders.cpp: zlib and libdeflate for gzip, CFITSIO for Rice and HCOMPRESS; one function for each codec.
#include "support/encoders.hpp"

#include <libdeflate.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "base/bytes.hpp"
#include "support/plio_encoder.hpp"
#if defined(XDR_HAVE_CFITSIO)
#include "support/cfitsio_oracle.hpp"
#include "support/encode_hcompress.hpp"
#endif
#if defined(XDR_HAVE_ZLIB)
#include <zlib.h>
#endif

namespace cuphoton::xdr::test {
namespace {

enum class content { equal, ramp, noise, random, spikes };
constexpr content all_contents[] = {content::equal, content::ramp, content::noise, content::random, content::spikes};
constexpr const char* content_names[] = {"equal", "ramp", "noise", "random", "spikes"};

template <class T>
std::vector<T> make_pixels(content kind, std::uint64_t pixels, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(100.0, 15.0);
  std::vector<T> values(pixels);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    switch (kind) {
      case content::equal: values[i] = static_cast<T>(77); break;
      case content::ramp: values[i] = static_cast<T>(i * 3); break;
      case content::noise: values[i] = static_cast<T>(std::llround(noise(random))); break;
      case content::random: values[i] = static_cast<T>(random()); break;
      // Long unary runs and wraparound: a background with values far away.
      case content::spikes: values[i] = static_cast<T>(i % 37 == 5 ? random() : 10 + (random() & 3u)); break;
    }
  }
  return values;
}

template <class T>
std::vector<std::uint8_t> native_bytes(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<std::uint8_t> big_endian_bytes(std::vector<T> values) {
  for (T& value : values) value = byteswap(value);
  return native_bytes(values);
}

/// Byte b of pixel i goes to b * pixels + i.
std::vector<std::uint8_t> shuffle_planes(const std::vector<std::uint8_t>& bytes, std::uint64_t pixels) {
  std::vector<std::uint8_t> planes(bytes.size());
  const std::uint64_t width = bytes.size() / pixels;
  for (std::uint64_t i = 0; i < pixels; ++i) {
    for (std::uint64_t b = 0; b < width; ++b) planes[b * pixels + i] = bytes[i * width + b];
  }
  return planes;
}

template <class T>
void add_none_tiles(std::vector<encoded_tile>& tiles, std::uint64_t pixels, std::uint32_t seed) {
  const std::vector<std::uint8_t> raw = big_endian_bytes(make_pixels<T>(content::random, pixels, seed));
  tiles.push_back({"none", {}, pixels, sizeof(T), raw, raw});
}

template <class T>
void add_gzip_tiles(std::vector<encoded_tile>& tiles, bool planes, std::uint64_t pixels, std::uint32_t seed) {
  for (const content kind : all_contents) {
    std::vector<std::uint8_t> raw = big_endian_bytes(make_pixels<T>(kind, pixels, seed));
    if (planes) raw = shuffle_planes(raw, pixels);
    const auto add = [&](const std::string& writer, std::vector<std::uint8_t> bytes) {
      tiles.push_back(
          {writer + " " + content_names[static_cast<int>(kind)], {}, pixels, sizeof(T), std::move(bytes), raw});
    };
    for (const int level : {0, 1, 6, 12}) {
      add("libdeflate " + std::to_string(level), gzip_by_libdeflate(raw, level));
    }
#if defined(XDR_HAVE_ZLIB)
    for (const int level : {0, 1, 9}) add("zlib " + std::to_string(level), gzip_by_zlib(raw, level));
#endif
  }
}

#if defined(XDR_HAVE_CFITSIO)
int encode_rice(std::vector<std::uint8_t>& values, unsigned char* bytes, int room_bytes, int block_pixels) {
  return fits_rcomp_byte(reinterpret_cast<signed char*>(values.data()), static_cast<int>(values.size()), bytes,
                         room_bytes, block_pixels);
}
int encode_rice(std::vector<std::uint16_t>& values, unsigned char* bytes, int room_bytes, int block_pixels) {
  return fits_rcomp_short(reinterpret_cast<short*>(values.data()), static_cast<int>(values.size()), bytes, room_bytes,
                          block_pixels);
}
int encode_rice(std::vector<std::uint32_t>& values, unsigned char* bytes, int room_bytes, int block_pixels) {
  return fits_rcomp(reinterpret_cast<int*>(values.data()), static_cast<int>(values.size()), bytes, room_bytes,
                    block_pixels);
}

template <class T>
void add_rice_tiles(std::vector<encoded_tile>& tiles, std::uint64_t pixels, std::uint32_t seed) {
  for (const int block_pixels : {32, 16, 1, 7}) {
    for (const content kind : all_contents) {
      std::vector<T> values = make_pixels<T>(kind, pixels, seed);
      std::vector<std::uint8_t> raw = native_bytes(values);
      std::vector<std::uint8_t> bytes(16 + pixels * (sizeof(T) + 2));
      const int length_bytes = encode_rice(values, bytes.data(), static_cast<int>(bytes.size()), block_pixels);
      if (length_bytes < 0) std::abort();
      bytes.resize(static_cast<std::size_t>(length_bytes));
      codec_parameters parameters;
      parameters.rice_block_pixels = static_cast<std::uint32_t>(block_pixels);
      parameters.rice_pixel_bytes = sizeof(T);
      tiles.push_back({"block " + std::to_string(block_pixels) + " " + content_names[static_cast<int>(kind)],
                       parameters, pixels, sizeof(T), std::move(bytes), std::move(raw)});
    }
  }
}
#endif

}  // namespace

std::vector<std::uint8_t> gzip_by_libdeflate(std::span<const std::uint8_t> raw, int level) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
  std::vector<std::uint8_t> bytes(libdeflate_gzip_compress_bound(compressor.get(), raw.size()));
  bytes.resize(libdeflate_gzip_compress(compressor.get(), raw.data(), raw.size(), bytes.data(), bytes.size()));
  return bytes;
}

#if defined(XDR_HAVE_ZLIB)
std::vector<std::uint8_t> gzip_by_zlib(std::span<const std::uint8_t> raw, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::vector<std::uint8_t> bytes(deflateBound(&stream, static_cast<uLong>(raw.size())));
  stream.next_in = const_cast<Bytef*>(raw.data());
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = bytes.data();
  stream.avail_out = static_cast<uInt>(bytes.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}
#endif

std::vector<encoded_tile> make_tiles(const codec_row& row, std::uint64_t pixels, std::uint32_t seed) {
  std::vector<encoded_tile> tiles;
  switch (row.id) {
    case codec_id::none:
      add_none_tiles<std::uint8_t>(tiles, pixels, seed);
      add_none_tiles<std::uint16_t>(tiles, pixels, seed);
      add_none_tiles<std::uint32_t>(tiles, pixels, seed);
      add_none_tiles<std::uint64_t>(tiles, pixels, seed);
      break;
    case codec_id::gzip_1:
    case codec_id::gzip_2: {
      const bool planes = row.layout == raw_layout::big_endian_planes;
      add_gzip_tiles<std::uint8_t>(tiles, planes, pixels, seed);
      add_gzip_tiles<std::uint16_t>(tiles, planes, pixels, seed);
      add_gzip_tiles<std::uint32_t>(tiles, planes, pixels, seed);
      add_gzip_tiles<std::uint64_t>(tiles, planes, pixels, seed);
      break;
    }
    case codec_id::rice_1:
#if defined(XDR_HAVE_CFITSIO)
      add_rice_tiles<std::uint8_t>(tiles, pixels, seed);
      add_rice_tiles<std::uint16_t>(tiles, pixels, seed);
      add_rice_tiles<std::uint32_t>(tiles, pixels, seed);
#endif
      break;
    case codec_id::plio_1: return make_plio_tiles(pixels, seed);
    case codec_id::hcompress_1:
#if defined(XDR_HAVE_CFITSIO)
      add_hcompress_tiles(tiles, pixels, seed);
#endif
      break;
  }
  return tiles;
}

}  // namespace cuphoton::xdr::test
