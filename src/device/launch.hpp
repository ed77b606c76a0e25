// launch.hpp: a kernel with typed arguments through the table of api.hpp. Included by .cu files.
#pragma once

#include <tuple>
#include <utility>

#include "device/api.hpp"

namespace cuphoton::xdr::device {

/// Enqueues `kernel` on `stream`. Arguments are converted to the kernel's parameter types and copied before this
/// returns. Throws error{device_failed, device_lost}.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const launch_shape& shape, stream_handle stream, Arguments&&... arguments) {
  std::tuple<std::decay_t<Parameters>...> held(std::forward<Arguments>(arguments)...);
  std::apply(
      [&](auto&... each) {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&each))..., nullptr};
        call("launch a kernel", &api_table::launch, reinterpret_cast<const void*>(kernel), shape, pointers, stream);
      },
      held);
}

}  // namespace cuphoton::xdr::device
