// memory.hpp: byte_source over bytes that the caller owns. Step 1 of the life of an image; copies nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <cuphoton/xdr/source.hpp>

namespace cuphoton::xdr::io {

/// A source over `bytes`, which must stay alive and unchanged as long as it does. view() gives pointers into them.
std::shared_ptr<const byte_source> open_memory(std::span<const std::uint8_t> bytes, std::string name);

}  // namespace cuphoton::xdr::io
