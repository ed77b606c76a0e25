// unpack.cpp: which packer, the walk over its members, what may follow the last one, and the words for what goes wrong.
#include "io/unpack.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <cuphoton/xdr/error.hpp>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "io/bunzip2.hpp"
#include "io/gunzip.hpp"
#include "io/memory.hpp"

namespace cuphoton::xdr::io {
namespace {

struct packer {
  std::string_view magic;
  const char* name;
  const char* cure;
  std::uint64_t (*first_bytes)(byte_view packed);  // of memory to begin with; 0: what growing begins with
  member_report (*unpack_member)(byte_view packed, unpacked_bytes& out);
};
constexpr std::array<packer, 2> packers{{
    {"\x1f\x8b", "gzip", "gunzip", first_gunzip_bytes, gunzip_member},
    {"BZh", "bzip2", "bunzip2", [](byte_view packed) { return std::uint64_t{4} * packed.length_bytes; },
     bunzip2_member},
}};

/// Bytes in memory that this source owns.
class unpacked_source final : public byte_source {
 public:
  unpacked_source(unpacked_bytes bytes, std::string name, outer_compression outer)
      : bytes_(std::move(bytes)), inside_(open_memory(bytes_.written(), std::move(name))), outer_(std::move(outer)) {}

  std::uint64_t size_bytes() const noexcept override { return inside_->size_bytes(); }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    inside_->read(offset_bytes, out);
  }
  const std::uint8_t* view(std::uint64_t offset_bytes, std::uint64_t length_bytes) const noexcept override {
    return inside_->view(offset_bytes, length_bytes);
  }
  const std::string& name() const noexcept override { return inside_->name(); }
  const char* backend() const noexcept override { return inside_->backend(); }
  const outer_compression* unpacked() const noexcept override { return &outer_; }

 private:
  unpacked_bytes bytes_;
  std::shared_ptr<const byte_source> inside_;
  outer_compression outer_;
};

const packer* packer_of(const byte_source& source) {
  std::array<std::uint8_t, 3> first{};
  const auto length_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(source.size_bytes(), first.size()));
  source.read(0, {first.data(), length_bytes});
  const std::string_view start(reinterpret_cast<const char*>(first.data()), length_bytes);
  const auto* const found =
      std::find_if(packers.begin(), packers.end(), [&](const packer& kind) { return start.starts_with(kind.magic); });
  return found == packers.end() ? nullptr : found;
}

[[noreturn]] void fail_too_large(const where& file, const packer& kind, const limits& caps) {
  const std::string text = std::string("the file is compressed by ") + kind.name + " and holds more than " +
                           std::to_string(caps.max_unpacked_bytes) +
                           " bytes; raise max_unpacked_bytes (--max-unpacked-bytes), or unpack it first: " + kind.cure +
                           " FILE";
  throw error(errc::unsupported, file, text, {{reason_code::memory_limit, -1, text}});
}

[[noreturn]] void fail(const where& file, const packer& kind, const member_report& report, std::uint64_t at,
                       const limits& caps) {
  const std::string data = std::string("the ") + kind.name + " data ";
  const std::string position = std::to_string(at + report.used_bytes);
  switch (report.state) {
    case member_state::truncated:
      throw error(errc::file_truncated, file,
                  data + "of the file end at byte " + position + " before they are complete; get the whole file");
    case member_state::bad_checksum:
      throw error(errc::tile_corrupt, file,
                  data + "that end at byte " + position +
                      " unpack to other bytes than were packed (CRC32 or ISIZE differ); get the file again");
    case member_state::too_large: fail_too_large(file, kind, caps);
    default: break;
  }
  throw error(errc::tile_corrupt, file, data + "are damaged before byte " + position + "; get the file again");
}

/// Unpacks every member. As gzip does: zeros behind one are padding, other bytes are ignored and noted. A last byte or
/// two that begin like a member are a member that was cut.
void unpack_members(byte_view packed, const packer& kind, const where& file, const limits& caps, unpacked_bytes& out,
                    outer_compression& outer) {
  const std::string_view text(reinterpret_cast<const char*>(packed.data), packed.length_bytes);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with(kind.magic.substr(0, std::min(rest.size(), kind.magic.size())))) {
      outer.notes.push_back("the last " + std::to_string(rest.size()) + " bytes of the packed file belong to no " +
                            kind.name + " data and are ignored");
      return;
    }
    const member_report report = kind.unpack_member({packed.data + at, rest.size()}, out);
    if (report.state != member_state::complete) fail(file, kind, report, at, caps);
    at = std::min(text.find_first_not_of('\0', at + static_cast<std::size_t>(report.used_bytes)), text.size());
  }
}

/// The packed bytes: those in memory, else a copy in `copy`, read in one go.
byte_view bytes_of(const byte_source& source, std::unique_ptr<std::uint8_t[]>& copy) {
  const auto length_bytes = static_cast<std::size_t>(source.size_bytes());
  if (const std::uint8_t* bytes = source.view(0, length_bytes)) return {bytes, length_bytes};
  copy = std::make_unique_for_overwrite<std::uint8_t[]>(length_bytes);
  source.read(0, {copy.get(), length_bytes});
  return {copy.get(), length_bytes};
}

}  // namespace

std::shared_ptr<const byte_source> unpack(std::shared_ptr<const byte_source> packed, const limits& caps) {
  const packer* const kind = packer_of(*packed);
  if (kind == nullptr) return packed;
  const where file{packed->name()};
  // Packing makes hardly anything longer, so the file's own length is judged before it is read.
  const std::uint64_t limit = caps.max_unpacked_bytes;
  const std::uint64_t longest =
      checked_add(limit, limit / 16 + 4096).value_or(std::numeric_limits<std::uint64_t>::max());
  if (packed->size_bytes() > longest) fail_too_large(file, *kind, caps);
  try {
    std::unique_ptr<std::uint8_t[]> copy;
    const byte_view bytes = bytes_of(*packed, copy);
    outer_compression outer{kind->name, packed->size_bytes(), 0, {}};
    unpacked_bytes out(kind->first_bytes(bytes), limit);
    unpack_members(bytes, *kind, file, caps, out, outer);
    outer.unpacked_bytes = out.written().size();
    return std::make_shared<const unpacked_source>(std::move(out), packed->name(), std::move(outer));
  } catch (const std::bad_alloc&) {
    throw error(errc::out_of_memory, file,
                std::string("there is not enough memory to unpack the file; unpack it first: ") + kind->cure + " FILE");
  }
}

}  // namespace cuphoton::xdr::io
