// need_device.hpp: a test that needs a GPU skips with its reason; where XDR_REQUIRE_DEVICE=1 says that this is a GPU
// host, the skip is a failure, so that a GPU run cannot be green by skipping.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include <cuphoton/xdr/capabilities.hpp>

#define XDR_NEED_DEVICE()                                                                                 \
  do {                                                                                                    \
    if (const auto why = ::cuphoton::xdr::probe_capabilities().device) {                                  \
      const char* const required = std::getenv("XDR_REQUIRE_DEVICE");                                     \
      if (required != nullptr && std::string(required) == "1") FAIL() << "GPU required: " << why->detail; \
      GTEST_SKIP() << why->detail;                                                                        \
    }                                                                                                     \
  } while (false)
