// cfitsio_sums.hpp: HDUs of every kind with sums written by CFITSIO, and what CFITSIO says of the sums of a file.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace cuphoton::xdr::test {

/// As fits_verify_chksum has it: 1 good, 0 absent, -1 bad. `status` is its error; then the rest means nothing.
struct cfitsio_sums {
  int status = 0;
  int data = 0;
  int whole = 0;
  std::uint32_t data_sum = 0;
  std::uint32_t whole_sum = 0;
};

/// A plain image, images compressed by RICE_1 and GZIP_2, a binary table with a heap, an ASCII table, an empty image.
std::vector<std::uint8_t> write_sums_by_cfitsio();
/// One for each HDU. The headers must be right ones.
std::vector<cfitsio_sums> sums_by_cfitsio(const std::vector<std::uint8_t>& file);

}  // namespace cuphoton::xdr::test
