// need_nvcomp.hpp: a test that needs libnvcomp skips with its reason; where XDR_REQUIRE_NVCOMP=1 says that it is there,
// the skip is a failure. CUPHOTON_XDR_NVCOMP_LIB_DIR names its folder (nvidia/libnvcomp of the wheel); without, the
// loader looks.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "codecs/gzip/nvcomp_api.hpp"
#include "support/need_device.hpp"

namespace cuphoton::xdr::test {

inline std::string nvcomp_folder() {
  const char* const folder = std::getenv("CUPHOTON_XDR_NVCOMP_LIB_DIR");
  return folder != nullptr ? folder : "";
}

}  // namespace cuphoton::xdr::test

#define XDR_NEED_NVCOMP()                                                                                      \
  XDR_NEED_DEVICE();                                                                                           \
  do {                                                                                                         \
    std::string why_no_nvcomp;                                                                                 \
    if (::cuphoton::xdr::find_nvcomp(::cuphoton::xdr::test::nvcomp_folder(), why_no_nvcomp) == nullptr) {      \
      const char* const required = std::getenv("XDR_REQUIRE_NVCOMP");                                          \
      if (required != nullptr && std::string(required) == "1") FAIL() << "nvCOMP required: " << why_no_nvcomp; \
      GTEST_SKIP() << "no nvCOMP: " << why_no_nvcomp;                                                          \
    }                                                                                                          \
  } while (false)
