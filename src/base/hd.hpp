// hd.hpp: the only place that knows __host__ __device__, and the macro that marks each judgement of untrusted data.
#pragma once

#include <cstdint>

#include <cuphoton/xdr/status.hpp>

#if defined(__CUDACC__)
#define XDR_HD __host__ __device__
#else
#define XDR_HD
#endif

// Every file that judges untrusted bytes defines XDR_FILE_ID (a number of its own, listed in
// docs/errors-and-receipts.md) after its includes; the line completes the id, so a failed check names its place on host
// and device alike.
#define XDR_HERE                                      \
  ::cuphoton::xdr::check_id {                         \
    XDR_FILE_ID, static_cast<std::uint16_t>(__LINE__) \
  }

// Leaves the decoder with a verdict where `condition` does not hold. Decoders return early in no other way, so the
// trust boundary can be found by searching for this name.
#define XDR_CHECK(condition, status)                       \
  do {                                                     \
    if (!(condition)) [[unlikely]] {                       \
      return ::cuphoton::xdr::verdict{(status), XDR_HERE}; \
    }                                                      \
  } while (false)

// Passes on the verdict of a function that was called.
#define XDR_TRY(call)                                                                \
  do {                                                                               \
    if (const ::cuphoton::xdr::verdict passed = (call); !passed.ok()) [[unlikely]] { \
      return passed;                                                                 \
    }                                                                                \
  } while (false)

namespace cuphoton::xdr {

/// Outcome of a step of a decoder.
struct [[nodiscard]] verdict {
  tile_status status = tile_status::ok;
  check_id check{};
  XDR_HD constexpr bool ok() const { return status == tile_status::ok; }
};

}  // namespace cuphoton::xdr
