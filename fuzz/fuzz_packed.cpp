// fuzz_packed.cpp: two bytes that choose a limit (little-endian, times 64), then any bytes as a file. Unpacking must
// end with bytes or an xdr::error; what it gives fits the limit, is the same under the tightest limit, and is refused
// under a tighter one. Input that no packer claims stays as it is.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/source.hpp>

namespace {

using namespace cuphoton::xdr;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The source, or the code of the error.
struct outcome {
  std::shared_ptr<const byte_source> source;
  std::optional<errc> code;
};

outcome open_with(std::span<const std::uint8_t> file, std::uint64_t limit_bytes) {
  limits caps;
  caps.max_unpacked_bytes = limit_bytes;
  try {
    return {memory_source(file, "fuzz", caps), {}};
  } catch (const error& problem) {
    require(problem.place().file == "fuzz");
    return {nullptr, problem.code()};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length_bytes) {
  if (length_bytes < 2) return 0;
  const std::uint64_t limit_bytes = 64 * (data[0] + std::uint64_t{256} * data[1]);
  const std::span<const std::uint8_t> file(data + 2, length_bytes - 2);
  const outcome first = open_with(file, limit_bytes);
  if (first.code) {
    require(*first.code == errc::unsupported || *first.code == errc::file_truncated ||
            *first.code == errc::tile_corrupt);
    return 0;
  }
  const byte_source& source = *first.source;
  const std::uint64_t size_bytes = source.size_bytes();
  if (source.unpacked() == nullptr) {
    require(size_bytes == file.size() && source.view(0, size_bytes) == file.data());
    return 0;
  }
  require(size_bytes <= limit_bytes && source.unpacked()->unpacked_bytes == size_bytes);
  require(source.unpacked()->packed_bytes == file.size());
  // The judgement of the file's own length has slack of its own, so a tighter limit may refuse what is padded with
  // zeros.
  const outcome exact = open_with(file, size_bytes);
  if (exact.source) {
    require(exact.source->size_bytes() == size_bytes);
    const std::uint8_t* const one = source.view(0, size_bytes);
    const std::uint8_t* const other = exact.source->view(0, size_bytes);
    require(size_bytes == 0 || std::memcmp(one, other, static_cast<std::size_t>(size_bytes)) == 0);
  } else {
    require(*exact.code == errc::unsupported && file.size() > size_bytes);
  }
  if (size_bytes > 0) require(open_with(file, size_bytes - 1).code == errc::unsupported);
  return 0;
}
