// unpack.hpp: a compression around a whole file, taken off once when the file is opened. Step 1 of the life of an
// image; knows nothing of FITS.
#pragma once

#include <cstdint>
#include <memory>

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/source.hpp>

namespace cuphoton::xdr::io {

/// `packed` itself, or, where its first bytes are those of gzip or bzip2, a source over what is in it. That one owns
/// the bytes, lets go of `packed`, and has an unpacked(). Throws error{file_truncated} where the packed bytes end
/// early, error{tile_corrupt} where they are damaged, error{unsupported} with the reason memory_limit beyond
/// caps.max_unpacked_bytes, error{out_of_memory}, and what `packed` throws.
std::shared_ptr<const byte_source> unpack(std::shared_ptr<const byte_source> packed, const limits& caps);

}  // namespace cuphoton::xdr::io
