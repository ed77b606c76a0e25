// source.hpp: where bytes come from. Knows nothing of FITS.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cuphoton/xdr/options.hpp>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

/// A compression around a whole file, taken off when the source was opened.
struct outer_compression {
  std::string packer;                // "gzip" or "bzip2"
  std::uint64_t packed_bytes = 0;    // length of the file as it is stored
  std::uint64_t unpacked_bytes = 0;  // length of what is in it
  std::vector<std::string> notes;    // tolerated oddities
};

/// A file, or bytes that look like one. All members may be called from several threads at once.
class byte_source {
 public:
  virtual ~byte_source() = default;
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// Length when the source was opened.
  virtual std::uint64_t size_bytes() const noexcept = 0;
  /// Fills `out` from `offset_bytes`. Throws error{file_truncated} where the bytes end first (also when the
  /// file shrank since it was opened), error{io_failed} with errno otherwise. Never returns less.
  virtual void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const = 0;
  /// The bytes themselves where they already lie in memory, else nullptr. Valid while the source lives.
  virtual const std::uint8_t* view(std::uint64_t offset_bytes, std::uint64_t length_bytes) const noexcept {
    static_cast<void>(offset_bytes);
    static_cast<void>(length_bytes);
    return nullptr;
  }
  /// Path or label, for messages and receipts.
  virtual const std::string& name() const noexcept = 0;
  /// "posix" or "memory", for receipts.
  virtual const char* backend() const noexcept = 0;
  /// Where the bytes were unpacked from a compressed file, how; then every offset is one of the unpacked bytes.
  virtual const outer_compression* unpacked() const noexcept { return nullptr; }

 protected:
  byte_source() = default;
};

/// Opens a local regular file by its literal path (no extended syntax, no URL). Throws error{io_failed} with errno;
/// a directory, FIFO or device is refused by name. A file that begins as gzip or bzip2 do, whatever its name, is
/// unpacked into memory of the source: error{file_truncated} or error{tile_corrupt} where that cannot be done,
/// error{unsupported} where it would take more than caps.max_unpacked_bytes.
std::shared_ptr<const byte_source> open_source(const std::string& path, const limits& caps = {});
/// Wraps bytes the caller owns and keeps alive and unchanged as long as the source lives. Compressed ones are unpacked
/// as above; then the caller's bytes are needed no longer.
std::shared_ptr<const byte_source> memory_source(std::span<const std::uint8_t> bytes, std::string name = "<memory>",
                                                 const limits& caps = {});

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
