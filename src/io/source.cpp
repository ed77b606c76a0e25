// source.cpp: the public ways to a byte_source; which backend serves them is decided here and nowhere else.
#include <cuphoton/xdr/source.hpp>

#include <unistd.h>

#include <utility>

#include "io/memory.hpp"
#include "io/posix.hpp"

namespace cuphoton::xdr {

std::shared_ptr<const byte_source> open_source(const std::string& path) {
  return io::open_posix(path, ::pread);
}

std::shared_ptr<const byte_source> memory_source(std::span<const std::uint8_t> bytes, std::string name) {
  return io::open_memory(bytes, std::move(name));
}

}  // namespace cuphoton::xdr
