// fuzz_header.cpp: any bytes as a file. The scan must end with a consistent description or an xdr::error.
#include <cstddef>
#include <cstdint>

#include "scan_invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length_bytes) {
  cuphoton::xdr::fits::scan_and_check({data, length_bytes});
  return 0;
}
