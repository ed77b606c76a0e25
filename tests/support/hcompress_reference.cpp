// hcompress_reference.cpp: see hcompress_reference.hpp.
#include "support/hcompress_reference.hpp"

#include <algorithm>
#include <random>
#include <string_view>

namespace cuphoton::xdr::test {
namespace {

using number = std::int64_t;
using grid = std::vector<std::vector<number>>;

// Sums wrap around as everywhere in the decoder; only hostile numbers do.
number plus(number a, number b) {
  return static_cast<number>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
number minus(number a, number b) {
  return static_cast<number>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
number times(number a, number b) {
  return static_cast<number>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

number rounded(number value, number multiple) {
  if (multiple == 1) return value;
  return plus(value, value >= 0 ? multiple / 2 : multiple / 2 - 1) & -multiple;
}

int levels_of(int rows, int columns) {
  int levels = 0;
  while ((1LL << levels) < std::max(rows, columns)) ++levels;
  return levels;
}

int halved(int value, int times_halved) {
  return static_cast<int>((value + (1LL << times_halved) - 1) >> times_halved);
}

void interleave(std::vector<number>& line, int count) {
  std::vector<number> made(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    made[static_cast<std::size_t>(i)] = line[static_cast<std::size_t>(i % 2 == 0 ? i / 2 : halved(count, 1) + i / 2)];
  }
  std::copy(made.begin(), made.end(), line.begin());
}

number limited(number value, number limit) {
  return std::clamp(value, -limit, limit);
}

void smooth_along(number before, number here, number behind, number& difference, number limit) {
  const number most = times(4, std::max(std::min(minus(behind, here), minus(here, before)), number{0}));
  const number least = times(4, std::min(std::max(minus(behind, here), minus(here, before)), number{0}));
  if (least >= most) return;
  number step = minus(std::clamp(minus(behind, before), least, most), times(8, difference));
  step = step >= 0 ? step >> 3 : plus(step, 7) >> 3;
  difference = plus(difference, limited(step, limit));
}

void smooth_across(const grid& a, std::size_t i, std::size_t j, number& difference, number limit) {
  const number h0 = a[i][j];
  const number hmm = a[i - 2][j - 2];
  const number hpm = a[i + 2][j - 2];
  const number hmp = a[i - 2][j + 2];
  const number hpp = a[i + 2][j + 2];
  const number x = times(2, a[i + 1][j]);
  const number y = times(2, a[i][j + 1]);
  const auto bound = [&](auto outer, auto inner) {
    const number zero = 0;
    const number first = minus(minus(inner(minus(hpp, h0), zero), x), y);
    const number second = minus(plus(inner(minus(h0, hpm), zero), x), y);
    const number third = plus(minus(inner(minus(h0, hmp), zero), x), y);
    const number fourth = plus(plus(inner(minus(hmm, h0), zero), x), y);
    return times(16, outer(outer(first, second), outer(third, fourth)));
  };
  const auto lower = [](number p, number q) { return std::min(p, q); };
  const auto higher = [](number p, number q) { return std::max(p, q); };
  const number most = bound(lower, higher);
  const number least = bound(higher, lower);
  if (least >= most) return;
  const number expected = minus(minus(plus(hpp, hmm), hmp), hpm);
  number step = minus(std::clamp(expected, least, most), times(64, difference));
  step = step >= 0 ? step >> 6 : plus(step, 63) >> 6;
  difference = plus(difference, limited(step, limit));
}

void smooth_level(grid& a, int nx, int ny, number limit) {
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 2; i < nx - 2; i += 2)
    for (int j = 0; j < ny; j += 2)
      smooth_along(a[index(i - 2)][index(j)], a[index(i)][index(j)], a[index(i + 2)][index(j)],
                   a[index(i + 1)][index(j)], limit);
  for (int i = 0; i < nx; i += 2)
    for (int j = 2; j < ny - 2; j += 2)
      smooth_along(a[index(i)][index(j - 2)], a[index(i)][index(j)], a[index(i)][index(j + 2)],
                   a[index(i)][index(j + 1)], limit);
  for (int i = 2; i < nx - 2; i += 2)
    for (int j = 2; j < ny - 2; j += 2) smooth_across(a, index(i), index(j), a[index(i + 1)][index(j + 1)], limit);
}

void invert_block(grid& a, std::size_t i, std::size_t j, bool below, bool right, int s) {
  const number b0 = number{1} << s;
  const number b1 = b0 * 2;
  const int shift = s == 0 ? 2 : 1;
  number h0 = a[i][j];
  if (below && right) {
    number hx = rounded(a[i + 1][j], b1);
    number hy = rounded(a[i][j + 1], b1);
    const number hc = rounded(a[i + 1][j + 1], b0);
    const number l0 = hc & b0;
    hx = hx >= 0 ? minus(hx, l0) : plus(hx, l0);
    hy = hy >= 0 ? minus(hy, l0) : plus(hy, l0);
    const number l1 = (hc ^ hx ^ hy) & b1;
    h0 = plus(h0, h0 >= 0 || l0 != 0 ? l0 - l1 : l1);
    a[i][j] = plus(minus(minus(h0, hx), hy), hc) >> shift;
    a[i][j + 1] = minus(plus(minus(h0, hx), hy), hc) >> shift;
    a[i + 1][j] = minus(minus(plus(h0, hx), hy), hc) >> shift;
    a[i + 1][j + 1] = plus(plus(plus(h0, hx), hy), hc) >> shift;
  } else if (below || right) {
    number& other = below ? a[i + 1][j] : a[i][j + 1];
    const number h = rounded(other, b1);
    const number l1 = h & b1;
    h0 = h0 >= 0 ? minus(h0, l1) : plus(h0, l1);
    a[i][j] = minus(h0, h) >> shift;
    other = plus(h0, h) >> shift;
  } else {
    a[i][j] = h0 >> shift;
  }
}

/// Nybble of cell (i, j) of a grid where a cell spans 2^level pixels each way: which of its quarters hold a one.
int nybble_of(const grid& bits, int i, int j, int level) {
  const int half = 1 << (level - 1);
  int nybble = 0;
  for (int y = i * 2 * half; y < std::min<int>((i + 1) * 2 * half, static_cast<int>(bits.size())); ++y) {
    const auto& line = bits[static_cast<std::size_t>(y)];
    for (int x = j * 2 * half; x < std::min<int>((j + 1) * 2 * half, static_cast<int>(line.size())); ++x) {
      if (line[static_cast<std::size_t>(x)] != 0) nybble |= 8 >> (2 * (y / half % 2) + x / half % 2);
    }
  }
  return nybble;
}

void put_plane(msb_bit_writer& out, const grid& bits, int rows, int columns, bool quadtree) {
  out.put(quadtree ? 15 : 0, 4);
  if (!quadtree) {
    for (int i = 0; i < halved(rows, 1); ++i)
      for (int j = 0; j < halved(columns, 1); ++j) out.put(static_cast<std::uint64_t>(nybble_of(bits, i, j, 1)), 4);
    return;
  }
  const int levels = std::max(levels_of(rows, columns), 1);
  put_hcompress_symbol(out, nybble_of(bits, 0, 0, levels));
  for (int level = levels - 1; level >= 1; --level) {
    for (int i = halved(rows, level) - 1; i >= 0; --i) {
      for (int j = halved(columns, level) - 1; j >= 0; --j) {
        const int nybble = nybble_of(bits, i, j, level);
        if (nybble != 0) put_hcompress_symbol(out, nybble);
      }
    }
  }
}

}  // namespace

void hcompress_stream::randomize(std::uint64_t seed, unsigned sparse) {
  std::mt19937_64 random(seed);
  coefficients.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int bits = planes[(i >= halved(rows, 1) ? 1 : 0) + (j >= halved(columns, 1) ? 1 : 0)];
      if (bits == 0 || random() % sparse != 0) continue;
      const auto magnitude = static_cast<number>(random() >> (64 - 1 - random() % static_cast<unsigned>(bits)));
      at(i, j) = random() % 2 != 0 ? -magnitude : magnitude;
    }
  }
}

void put_hcompress_symbol(msb_bit_writer& bits, int symbol) {
  constexpr std::string_view codes[] = {"111110", "000",   "001",  "1000",  "010",  "1001",  "11010",  "11011",
                                        "011",    "11100", "1010", "11101", "1011", "11110", "111111", "1100"};
  for (const char bit : codes[symbol]) bits.put(bit == '1' ? 1 : 0, 1);
}

void put_hcompress_header(msb_bit_writer& bits, const hcompress_stream& stream) {
  bits.put(0xdd99, 16)
      .put(static_cast<std::uint64_t>(stream.rows), 32)
      .put(static_cast<std::uint64_t>(stream.columns), 32);
  bits.put(static_cast<std::uint64_t>(stream.scale), 32).put(static_cast<std::uint64_t>(stream.sum), 64);
  for (const int count : stream.planes) bits.put(static_cast<std::uint64_t>(count), 8);
}

std::vector<std::uint8_t> write_hcompress(const hcompress_stream& stream, std::uint32_t quadtrees) {
  msb_bit_writer out;
  put_hcompress_header(out, stream);
  for (int quadrant = 0; quadrant < 4; ++quadrant) {
    const int top = quadrant >= 2 ? halved(stream.rows, 1) : 0;
    const int left = quadrant % 2 == 1 ? halved(stream.columns, 1) : 0;
    const int rows = quadrant >= 2 ? stream.rows / 2 : halved(stream.rows, 1);
    const int columns = quadrant % 2 == 1 ? stream.columns / 2 : halved(stream.columns, 1);
    for (int plane = stream.planes[quadrant / 2 + quadrant % 2] - 1; plane >= 0; --plane) {
      grid bits(static_cast<std::size_t>(rows), std::vector<number>(static_cast<std::size_t>(columns)));
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
          const number value = stream.coefficients[static_cast<std::size_t>((top + i) * stream.columns + left + j)];
          bits[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = (value < 0 ? -value : value) >> plane & 1;
        }
      }
      put_plane(out, bits, rows, columns, (quadtrees >> (plane % 32) & 1U) != 0);
    }
  }
  out.put(0, 4);
  while (out.bit_count() % 8 != 0) out.put(0, 1);
  for (const number value : stream.coefficients) {
    if (value != 0) out.put(value < 0 ? 1 : 0, 1);
  }
  return out.bytes();
}

std::vector<std::int32_t> invert_hcompress(const hcompress_stream& stream, bool smooth) {
  const int rows = stream.rows;
  const int columns = stream.columns;
  const number scale = stream.scale > 1 ? stream.scale : 1;
  grid a(static_cast<std::size_t>(rows), std::vector<number>(static_cast<std::size_t>(columns)));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          times(stream.coefficients[static_cast<std::size_t>(i * columns + j)], scale);
    }
  }
  const int levels = levels_of(rows, columns);
  a[0][0] = rounded(times(stream.sum, scale), number{1} << (levels + 1));
  for (int s = levels - 1; s >= 0; --s) {
    const int nx = halved(rows, s);
    const int ny = halved(columns, s);
    for (int i = 0; i < nx; ++i) interleave(a[static_cast<std::size_t>(i)], ny);
    for (int j = 0; j < ny; ++j) {
      std::vector<number> column;
      for (int i = 0; i < nx; ++i) column.push_back(a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      interleave(column, nx);
      for (int i = 0; i < nx; ++i)
        a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = column[static_cast<std::size_t>(i)];
    }
    if (smooth && stream.scale > 1) smooth_level(a, nx, ny, stream.scale >> 1);
    for (int i = 0; i < nx; i += 2)
      for (int j = 0; j < ny; j += 2)
        invert_block(a, static_cast<std::size_t>(i), static_cast<std::size_t>(j), i + 1 < nx, j + 1 < ny, s);
  }
  std::vector<std::int32_t> pixels;
  for (const auto& line : a)
    for (const number value : line) pixels.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  return pixels;
}

}  // namespace cuphoton::xdr::test
