// source.hpp: where bytes come from. Knows nothing of FITS.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#pragma GCC visibility push(default)
namespace cuphoton::xdr {

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

 protected:
  byte_source() = default;
};

/// Opens a local regular file by its literal path (no extended syntax, no URL). Throws error{io_failed} with errno;
/// a directory, FIFO or device is refused by name.
std::shared_ptr<const byte_source> open_source(const std::string& path);
/// Wraps bytes the caller owns and keeps alive and unchanged as long as the source lives.
std::shared_ptr<const byte_source> memory_source(std::span<const std::uint8_t> bytes, std::string name = "<memory>");

}  // namespace cuphoton::xdr
#pragma GCC visibility pop
