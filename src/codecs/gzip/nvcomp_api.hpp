// nvcomp_api.hpp: the few functions of nvCOMP 5 and 6 that inflate batches, found by dlopen. Own declarations after the
// public C interface, no header of NVIDIA's: nothing of nvCOMP is needed to build, to import or to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/dynamic_library.hpp"

struct CUstream_st;

namespace cuphoton::xdr {

/// What a batch holds: whole gzip members, or DEFLATE without framing.
enum class nvcomp_format : std::uint8_t { gzip, deflate };
/// nvCOMP's own numbers.
enum class nvcomp_backend : int { automatic = 0, hardware = 1, cuda = 2 };

/// What nvCOMP asks of the addresses it is given, in bytes.
struct nvcomp_alignments {
  std::size_t input = 1;
  std::size_t output = 1;
  std::size_t scratch = 1;
};

/// Arrays of one entry for each stream, all in device memory.
struct nvcomp_tables {
  const void** inputs = nullptr;
  std::size_t* input_bytes = nullptr;
  std::size_t* capacities = nullptr;  // a wish, not a bound: nvCOMP writes more where a damaged stream holds more
  std::size_t* written = nullptr;     // by nvCOMP
  void** outputs = nullptr;
  int* statuses = nullptr;  // by nvCOMP; 0 does not mean that the bytes are right
};

/// One nvCOMP, never unloaded. Functions return nvCOMP's status: 0 for success (status_text).
class nvcomp_library {
 public:
  /// Opens libnvcomp.so.5, else .6: in `folder` or its lib64, or, for an empty folder, where the loader looks. Another
  /// major version or a missing function is a reason, not a guess. Nothing where none can be used, and `why` says so
  /// for each that was tried.
  static std::optional<nvcomp_library> open(const std::string& folder, std::string& why);

  int alignments(nvcomp_format format, nvcomp_backend backend, nvcomp_alignments& out) const;
  /// Scratch memory for `count` streams that inflate to at most `largest_bytes` each.
  int scratch_bytes(nvcomp_format format, nvcomp_backend backend, std::size_t count, std::size_t largest_bytes,
                    std::size_t& out) const;
  /// Enqueues the batch on `stream`. The look-ahead algorithm is never asked for: it hangs on damaged streams.
  int decompress(nvcomp_format format, nvcomp_backend backend, const nvcomp_tables& tables, std::size_t count,
                 void* scratch, std::size_t scratch_bytes, CUstream_st* stream) const;
  /// "6.0.0".
  std::string version() const;

  /// The options of both formats: 64 bytes by value, zeros behind what is used.
  struct options {
    int backend = 0;
    int algorithm_or_sort = 0;  // gzip: 0, the plain algorithm; deflate: 0, unsorted
    int sort = 0;
    char reserved[52] = {};
  };
  static_assert(sizeof(options) == 64);

 private:
  struct functions {
    int (*alignments)(options, nvcomp_alignments*) = nullptr;
    // One of these: the name lost its "Async" in 6.0 and the function got a stream.
    int (*scratch_before_6)(std::size_t, std::size_t, options, std::size_t*, std::size_t) = nullptr;
    int (*scratch_since_6)(std::size_t, std::size_t, options, std::size_t*, std::size_t, CUstream_st*) = nullptr;
    int (*decompress)(const void* const*, const std::size_t*, const std::size_t*, std::size_t*, std::size_t, void*,
                      std::size_t, void* const*, options, int*, CUstream_st*) = nullptr;
  };

  explicit nvcomp_library(dynamic_library library) : library_(std::move(library)) {}
  bool bind(int major, std::string& why);
  bool bind(functions& to, const std::string& format, std::string& why) const;
  const functions& of(nvcomp_format format) const { return format == nvcomp_format::gzip ? gzip_ : deflate_; }

  dynamic_library library_;
  functions gzip_;
  functions deflate_;
  unsigned version_ = 0;
};

/// nvCOMP's number and its meaning, for messages.
std::string nvcomp_status_text(int status);

/// The process's library, opened by the first call that finds one (later calls ignore `folder` then). nullptr where
/// there is none, and `why` says so; the next call looks again. Thread-safe.
const nvcomp_library* find_nvcomp(const std::string& folder, std::string& why);
/// Tests only: the next call opens one again.
void forget_nvcomp();

}  // namespace cuphoton::xdr
