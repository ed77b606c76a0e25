// cfitsio_files.hpp: whole HCOMPRESS_1 files written by CFITSIO, and what CFITSIO reads from them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuphoton::xdr::test {

struct hcompress_file {
  int bitpix = 16;  // as CFITSIO has it: 8, 16, 20 (unsigned), 32, -32
  long columns = 0;
  long rows = 0;
  long tile_columns = 0;  // 0: as CFITSIO likes it
  long tile_rows = 0;
  float scale = 0;  // < 0: absolute, > 0: relative to the noise
  bool smooth = false;
  int dither = 0;  // of quantised floats: 0, 1, 2
};

/// The file with `pixels` (counts around 1000), written by CFITSIO. Dither 2, which it does not write any more, by a
/// change of the keyword.
std::vector<std::uint8_t> write_by_cfitsio(const hcompress_file& about, const std::vector<float>& pixels);
/// Native pixels of HDU 1 in the type of `about`; NaN where floats are null.
std::vector<std::uint8_t> read_by_cfitsio(const hcompress_file& about, const std::vector<std::uint8_t>& file);

}  // namespace cuphoton::xdr::test
