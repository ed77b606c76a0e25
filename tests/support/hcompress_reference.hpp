// hcompress_reference.hpp: HCOMPRESS_1 by the text of the format and nothing else: a writer of coefficients, and the
// inverse transform with every step where the text has it, slow and in 64 bits. For streams that CFITSIO does not write
// (lines, any mixture of plane formats, extreme numbers).
#pragma once

#include <cstdint>
#include <vector>

#include "support/bit_writer.hpp"

namespace cuphoton::xdr::test {

struct hcompress_stream {
  int rows = 0;
  int columns = 0;
  std::int32_t scale = 0;
  std::int64_t sum = 0;
  int planes[3] = {};
  std::vector<std::int64_t> coefficients;  // rows x columns, magnitudes below 2^planes of their quadrant

  /// Random ones, of which about one in `sparse` is not zero.
  void randomize(std::uint64_t seed, unsigned sparse);
  std::int64_t& at(int row, int column) { return coefficients[static_cast<std::size_t>(row * columns + column)]; }
};

/// Bit `plane` (modulo 32) of `quadtrees` says how a plane is written.
std::vector<std::uint8_t> write_hcompress(const hcompress_stream& stream, std::uint32_t quadtrees);
/// The 25 bytes in front.
void put_hcompress_header(msb_bit_writer& bits, const hcompress_stream& stream);
/// One symbol by the table of the format.
void put_hcompress_symbol(msb_bit_writer& bits, int symbol);
/// Pixels, cut to 32 bits.
std::vector<std::int32_t> invert_hcompress(const hcompress_stream& stream, bool smooth);

}  // namespace cuphoton::xdr::test
