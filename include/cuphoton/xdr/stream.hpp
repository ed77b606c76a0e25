// stream.hpp: a CUDA stream that somebody else owns, without CUDA's headers: a cudaStream_t converts.
#pragma once

struct CUstream_st;

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// Names a stream for one call. The default is the null stream.
struct stream_view {
  CUstream_st* handle = nullptr;

  constexpr stream_view() = default;
  constexpr stream_view(CUstream_st* stream) : handle(stream) {}  // NOLINT: converts on purpose
};

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
