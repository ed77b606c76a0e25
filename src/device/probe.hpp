// probe.hpp: the kernel that has_code asks about.
#pragma once

namespace cuphoton::xdr::device {

/// A kernel that is compiled for the same devices as every other one of this build.
const void* probe_kernel() noexcept;

}  // namespace cuphoton::xdr::device
