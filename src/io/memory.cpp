// memory.cpp: bounds and copies for bytes that already lie in memory.
#include "io/memory.hpp"

#include <algorithm>
#include <utility>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::io {
namespace {

class memory_bytes final : public byte_source {
 public:
  memory_bytes(std::span<const std::uint8_t> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  std::uint64_t size_bytes() const noexcept override { return bytes_.size(); }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    const std::uint64_t available = offset_bytes < bytes_.size() ? bytes_.size() - offset_bytes : 0;
    if (out.size() > available) {
      throw error(errc::file_truncated, where{name_},
                  "expected " + std::to_string(out.size()) + " bytes from byte " + std::to_string(offset_bytes) +
                      ", found " + std::to_string(available) + ": the bytes end there; get the whole file");
    }
    if (out.empty()) return;  // also keeps an offset past the end from forming a pointer
    std::copy_n(bytes_.data() + offset_bytes, out.size(), out.data());
  }
  const std::uint8_t* view(std::uint64_t offset_bytes, std::uint64_t length_bytes) const noexcept override {
    if (offset_bytes > bytes_.size() || length_bytes > bytes_.size() - offset_bytes) return nullptr;
    return bytes_.data() + offset_bytes;
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "memory"; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const byte_source> open_memory(std::span<const std::uint8_t> bytes, std::string name) {
  return std::make_shared<const memory_bytes>(bytes, std::move(name));
}

}  // namespace cuphoton::xdr::io
