// encode_bzip2.cpp: see encode_bzip2.hpp.
#include "support/encode_bzip2.hpp"

#include <bzlib.h>

#include <cstdlib>

namespace cuphoton::xdr::test {

std::vector<std::uint8_t> bzip2_by_libbz2(std::span<const std::uint8_t> raw, int level) {
  auto length_bytes = static_cast<unsigned>(raw.size() + raw.size() / 100 + 600);  // libbz2's own bound
  std::vector<std::uint8_t> bytes(length_bytes);
  auto* const source = const_cast<char*>(reinterpret_cast<const char*>(raw.data()));
  char none = 0;  // an empty vector has no address, and libbz2 wants one
  if (BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(bytes.data()), &length_bytes, raw.empty() ? &none : source,
                               static_cast<unsigned>(raw.size()), level, 0, 0) != BZ_OK) {
    std::abort();
  }
  bytes.resize(length_bytes);
  return bytes;
}

}  // namespace cuphoton::xdr::test
