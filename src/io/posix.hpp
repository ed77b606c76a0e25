// posix.hpp: byte_source over a local regular file, read with pread. Step 1 of the life of an image; knows nothing of
// FITS.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <cuphoton/xdr/source.hpp>

namespace cuphoton::xdr::io {

/// The system call behind every read; tests hand in one that is short, interrupted or broken.
using pread_function = std::function<ssize_t(int descriptor, void* out, std::size_t length_bytes, off_t offset_bytes)>;

/// Opens `path` for reading with `read` in the place of ::pread. Throws error{io_failed} with errno; only regular files
/// are accepted (EISDIR for a directory, ESPIPE for a FIFO or socket, EINVAL for a device). The call never blocks on a
/// FIFO.
std::shared_ptr<const byte_source> open_posix(const std::string& path, pread_function read);

}  // namespace cuphoton::xdr::io
