// plio_encoder.cpp: see plio_encoder.hpp.
#include "support/plio_encoder.hpp"

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>

#if defined(XDR_HAVE_CFITSIO)
#include "support/cfitsio_oracle.hpp"
#endif

namespace cuphoton::xdr::test {

std::vector<std::uint8_t> plio_bytes(const std::vector<std::uint16_t>& words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint16_t word : words) {
    bytes.push_back(static_cast<std::uint8_t>(word >> 8));
    bytes.push_back(static_cast<std::uint8_t>(word & 0xffU));
  }
  return bytes;
}

std::vector<std::uint8_t> plio_tile_of(const std::vector<std::uint16_t>& data, plio_header_form form) {
  std::vector<std::uint16_t> words;
  if (form == plio_header_form::short_length) {
    words = {0, 0, static_cast<std::uint16_t>(data.size() + 3)};
  } else {
    const std::size_t length = data.size() + 7;
    words = {0, 7, 0xff9c, static_cast<std::uint16_t>(length & 0x7fffU), static_cast<std::uint16_t>(length >> 15),
             0, 0};
  }
  words.insert(words.end(), data.begin(), data.end());
  return plio_bytes(words);
}

#if defined(XDR_HAVE_CFITSIO)
namespace {

using values = std::vector<std::int32_t>;

/// Zeros, with runs of `run` pixels on average at one of `one_of` places.
values sparse(std::uint64_t pixels, std::mt19937& random, unsigned one_of, unsigned run, std::int32_t highest) {
  values mask(pixels, 0);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    if (random() % one_of != 0) continue;
    const auto value = static_cast<std::int32_t>(1 + random() % static_cast<unsigned>(highest));
    const std::uint64_t end = std::min<std::uint64_t>(pixels, i + 1 + random() % (2 * run));
    for (; i < end; ++i) mask[i] = value;
  }
  return mask;
}

std::vector<std::pair<std::string, values>> make_masks(std::uint64_t pixels, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::pair<std::string, values>> masks;
  masks.emplace_back("nothing", values(pixels, 0));
  masks.emplace_back("equal", values(pixels, 77));
  masks.emplace_back("highest", values(pixels, (1 << 24) - 1));
  masks.emplace_back("bad pixels", sparse(pixels, random, 60, 1, 1));
  masks.emplace_back("bits", sparse(pixels, random, 40, 6, 255));
  masks.emplace_back("16 bits", sparse(pixels, random, 9, 3, 65535));
  masks.emplace_back("24 bits", sparse(pixels, random, 9, 3, (1 << 24) - 1));
  values noise(pixels);
  values anything(pixels);
  values ramp(pixels);
  for (std::uint64_t i = 0; i < pixels; ++i) {
    noise[i] = static_cast<std::int32_t>(100 + random() % 30);
    anything[i] = static_cast<std::int32_t>(random() % (1U << 24));
    ramp[i] = static_cast<std::int32_t>(i % 70 * 400);
  }
  masks.emplace_back("noise", noise);
  masks.emplace_back("anything", anything);
  masks.emplace_back("ramp", ramp);
  return masks;
}

std::vector<std::uint16_t> words_of(values mask) {
  std::vector<short> words(7 + 3 * mask.size() + 16);
  const int count = pl_p2li(mask.data(), 1, words.data(), static_cast<int>(mask.size()));
  if (count < 7) std::abort();
  return {words.begin(), words.begin() + count};
}

}  // namespace

std::vector<encoded_tile> make_plio_tiles(std::uint64_t pixels, std::uint32_t seed) {
  std::vector<encoded_tile> tiles;
  for (const auto& [name, mask] : make_masks(pixels, seed)) {
    const std::vector<std::uint16_t> words = words_of(mask);
    const auto add = [&](const std::string& text, std::vector<std::uint8_t> bytes, std::uint32_t zero) {
      encoded_tile tile;
      tile.name = name + text;
      tile.parameters.plio_zero = zero;
      tile.pixels = pixels;
      tile.element_bytes = 4;
      tile.bytes = std::move(bytes);
      for (const std::int32_t value : mask) {
        const std::uint32_t raw = static_cast<std::uint32_t>(value) - zero;
        tile.raw.resize(tile.raw.size() + sizeof raw);
        std::memcpy(tile.raw.data() + tile.raw.size() - sizeof raw, &raw, sizeof raw);
      }
      tiles.push_back(std::move(tile));
    };
    add("", plio_bytes(words), 0);
    add(" - 32768", plio_bytes(words), 0x8000);
    const std::vector<std::uint16_t> data(words.begin() + 7, words.end());
    if (data.size() + 3 < 0x8000) add(", short header", plio_tile_of(data, plio_header_form::short_length), 0);
  }
  return tiles;
}
#else
std::vector<encoded_tile> make_plio_tiles(std::uint64_t, std::uint32_t) {
  return {};
}
#endif

}  // namespace cuphoton::xdr::test
