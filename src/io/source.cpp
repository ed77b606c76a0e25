// source.cpp: the public ways to a byte_source; which backend serves them is decided here and nowhere else.
#include <cuphoton/xdr/source.hpp>

#include <unistd.h>

#include <utility>

#include "io/memory.hpp"
#include "io/posix.hpp"
#include "io/unpack.hpp"

namespace cuphoton::xdr {

std::shared_ptr<const byte_source> open_source(const std::string& path, const limits& caps) {
  return io::unpack(io::open_posix(path, ::pread), caps);
}

std::shared_ptr<const byte_source> memory_source(std::span<const std::uint8_t> bytes, std::string name,
                                                 const limits& caps) {
  return io::unpack(io::open_memory(bytes, std::move(name)), caps);
}

}  // namespace cuphoton::xdr
