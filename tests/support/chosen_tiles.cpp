// chosen_tiles.cpp: see chosen_tiles.hpp.
#include "support/chosen_tiles.hpp"

#include <algorithm>
#include <cstdlib>

#include "support/bit_writer.hpp"
#include "support/encoders.hpp"
#include "support/plio_encoder.hpp"
#if defined(XDR_HAVE_CFITSIO)
#include "support/encode_hcompress.hpp"
#endif

namespace cuphoton::xdr::test {
namespace {

constexpr std::size_t rice_block_pixels = 32;

/// Widths of Rice's fields by bytes of an element (FITS 4.0 §10.4.1).
struct rice_widths {
  int split_bits;
  int raw_split;
  int element_bits;
};
rice_widths widths_of(int width) {
  if (width == 1) return {3, 6, 8};
  return width == 2 ? rice_widths{4, 14, 16} : rice_widths{5, 25, 32};
}

/// One block of differences, already folded to numbers >= 0: all zero, split at the cheapest place, or raw.
void put_rice_block(msb_bit_writer& bits, const rice_widths& widths, const std::vector<std::uint64_t>& folded) {
  if (std::all_of(folded.begin(), folded.end(), [](std::uint64_t u) { return u == 0; })) {
    bits.put(0, widths.split_bits);
    return;
  }
  int best = widths.raw_split;
  std::uint64_t best_bits = folded.size() * static_cast<std::uint64_t>(widths.element_bits);
  for (int split = 0; split < widths.raw_split; ++split) {
    std::uint64_t cost = 0;
    for (const std::uint64_t u : folded) cost += (u >> split) + 1 + static_cast<std::uint64_t>(split);
    if (cost >= best_bits) continue;
    best = split;
    best_bits = cost;
  }
  bits.put(static_cast<std::uint64_t>(best + 1), widths.split_bits);
  for (const std::uint64_t u : folded) {
    if (best == widths.raw_split) {
      bits.put(u, widths.element_bits);
    } else {
      bits.zeros(static_cast<int>(u >> best)).put(1, 1).put(u & ((std::uint64_t{1} << best) - 1), best);
    }
  }
}

byte_vector encode_rice(const std::vector<std::int64_t>& values, int width) {
  const rice_widths widths = widths_of(width);
  const std::uint64_t mask = (std::uint64_t{1} << widths.element_bits) - 1;
  const std::uint64_t sign = std::uint64_t{1} << (widths.element_bits - 1);
  msb_bit_writer bits;
  std::uint64_t last = static_cast<std::uint64_t>(values.front()) & mask;
  bits.put(last, widths.element_bits);
  for (std::size_t first = 0; first < values.size(); first += rice_block_pixels) {
    std::vector<std::uint64_t> folded;
    for (std::size_t i = first; i < std::min(first + rice_block_pixels, values.size()); ++i) {
      const std::uint64_t value = static_cast<std::uint64_t>(values[i]) & mask;
      const std::uint64_t difference = (value - last) & mask;
      folded.push_back((difference & sign) != 0 ? ~(difference << 1) & mask : difference << 1);
      last = value;
    }
    put_rice_block(bits, widths, folded);
  }
  return bits.bytes();
}

/// A run of equal pixels as one or two instructions; runs are cut at 4095.
byte_vector encode_plio(const std::vector<std::int64_t>& values) {
  std::vector<std::uint16_t> words;
  for (std::size_t first = 0; first < values.size();) {
    std::size_t end = first + 1;
    while (end < values.size() && values[end] == values[first] && end - first < 4095) ++end;
    const auto value = static_cast<std::uint32_t>(values[first]);
    if (value != 0) {
      words.push_back(static_cast<std::uint16_t>(0x1000U | (value & 0xfffU)));
      words.push_back(static_cast<std::uint16_t>(value >> 12));
    }
    words.push_back(static_cast<std::uint16_t>((value != 0 ? 0x4000U : 0U) | (end - first)));
    first = end;
  }
  return plio_tile_of(words);
}

}  // namespace

std::vector<const codec_row*> chosen_codecs() {
  std::vector<const codec_row*> rows;
  for (const codec_row& row : codec_table()) {
#if !defined(XDR_HAVE_CFITSIO)
    if (row.id == codec_id::hcompress_1) continue;
#endif
    rows.push_back(&row);
  }
  return rows;
}

byte_vector encode_integers(codec_id codec, const std::vector<std::int64_t>& values, int width, std::uint64_t rows) {
  if (codec == codec_id::rice_1) return encode_rice(values, width);
  if (codec == codec_id::plio_1) return encode_plio(values);
#if defined(XDR_HAVE_CFITSIO)
  if (codec == codec_id::hcompress_1) {
    return hcompress_by_cfitsio(std::vector<long long>(values.begin(), values.end()), static_cast<int>(rows),
                                static_cast<int>(values.size() / rows), 0, width > 2);
  }
#endif
  static_cast<void>(rows);
  std::abort();  // a new row of the codec table: give it an encoder here
}

byte_vector encode_bytes(codec_id codec, const byte_vector& elements, std::uint64_t width) {
  if (codec == codec_id::none) return elements;
  if (codec == codec_id::gzip_1) return gzip_by_libdeflate(elements, 1);
  const std::size_t count = elements.size() / width;
  byte_vector planes(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) planes[i % width * count + i / width] = elements[i];
  return gzip_by_libdeflate(planes, 1);
}

std::vector<chosen_tile> chosen_tiles(const std::vector<std::int64_t>& axes, const std::vector<std::int64_t>& tiles) {
  std::int64_t pixels = 1;
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    pixels *= axes[axis];
    count *= (axes[axis] + tiles[axis] - 1) / tiles[axis];
  }
  std::vector<chosen_tile> found(static_cast<std::size_t>(count));
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    std::int64_t rest = pixel;
    std::int64_t tile = 0;
    std::int64_t stride = 1;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      tile += rest % axes[axis] / tiles[axis] * stride;
      rest /= axes[axis];
      stride *= (axes[axis] + tiles[axis] - 1) / tiles[axis];
    }
    found[static_cast<std::size_t>(tile)].pixels.push_back(static_cast<std::size_t>(pixel));
  }
  const std::int64_t across = (axes[0] + tiles[0] - 1) / tiles[0];
  for (std::size_t tile = 0; tile < found.size(); ++tile) {
    const std::int64_t column = static_cast<std::int64_t>(tile) % across * tiles[0];
    const std::int64_t columns = std::min(tiles[0], axes[0] - column);
    found[tile].rows = found[tile].pixels.size() / static_cast<std::uint64_t>(columns);
  }
  return found;
}

void quantize(compressed_image& image, const std::vector<double>& scales, const std::vector<double>& zeros) {
  image.columns.push_back({"ZSCALE", "1D", std::vector<table_cell>(scales.begin(), scales.end())});
  image.columns.push_back({"ZZERO", "1D", std::vector<table_cell>(zeros.begin(), zeros.end())});
}

}  // namespace cuphoton::xdr::test
