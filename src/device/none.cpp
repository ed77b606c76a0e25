// none.cpp: the table of a build without CUDA. Every call answers "no device" and leaves its outputs empty.
#if !defined(XDR_HAVE_CUDA)
#include "device/api.hpp"
#include "device/cuda_errors.hpp"

namespace cuphoton::xdr::device {
namespace {

constexpr int refused = cuda_no_device;

/// A call without outputs.
template <class... Parameters>
int refuse(Parameters...) {
  return refused;
}
/// A call whose output comes first.
template <class Output, class... Rest>
int refuse_output(Output* out, Rest...) {
  *out = Output{};
  return refused;
}

const api_table none_table{
    .driver_version = refuse_output<int>,
    .runtime_version = refuse_output<int>,
    .device_count = refuse_output<int>,
    .get_properties = refuse_output<properties, int>,
    .get_device = refuse_output<int>,
    .set_device = refuse<int>,
    .has_code = refuse_output<bool, int>,
    .memory_info =
        [](std::size_t* free_bytes, std::size_t* total_bytes) {
          *free_bytes = *total_bytes = 0;
          return refused;
        },
    .pool_create = refuse_output<pool_handle, int, std::uint64_t>,
    .pool_keep = refuse<pool_handle, std::uint64_t>,
    .pool_destroy = refuse<pool_handle>,
    .pool_trim = refuse<pool_handle>,
    .allocate = refuse_output<void*, std::size_t, pool_handle, stream_handle>,
    .release = refuse<void*, stream_handle>,
    .pinned_allocate = refuse_output<void*, std::size_t>,
    .pinned_release = refuse<void*>,
    .copy = refuse<void*, const void*, std::size_t, copy_kind, stream_handle>,
    .fill = refuse<void*, int, std::size_t, stream_handle>,
    .stream_create = refuse_output<stream_handle>,
    .stream_destroy = refuse<stream_handle>,
    .stream_synchronize = refuse<stream_handle>,
    .stream_wait = refuse<stream_handle, event_handle>,
    .event_create = refuse_output<event_handle>,
    .event_destroy = refuse<event_handle>,
    .event_record = refuse<event_handle, stream_handle>,
    .event_synchronize = refuse<event_handle>,
    .event_query = [](event_handle, bool* done) { return refuse_output(done); },
    .launch = refuse<const void*, const launch_shape&, void**, stream_handle>,
    .shared_limit = refuse<const void*, unsigned>,
    .blocks_per_multiprocessor = refuse_output<int, const void*, int, std::size_t>,
    .find_engine = refuse_output<decompression_engine, int>,
    .engine_reaches = refuse_output<bool, const void*>,
    .last_error = [] { return int{cuda_success}; },
    .error_text = [](int) -> const char* { return "this build has no CUDA code"; },
};

}  // namespace

const api_table& built_api() noexcept {
  return none_table;
}
bool is_built() noexcept {
  return false;
}

}  // namespace cuphoton::xdr::device
#endif  // !XDR_HAVE_CUDA
