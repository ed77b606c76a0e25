// device_read.hpp: bytes of a source straight into device memory, and results back to host memory, through the pinned
// ring. Step 6 of the life of an image on the device; knows nothing of FITS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuphoton/xdr/source.hpp>

#include "base/thread_pool.hpp"
#include "device/context.hpp"

namespace cuphoton::xdr {

/// Bytes of a source and where they go in an arena.
struct device_span {
  std::uint64_t offset_bytes = 0;  // in the source
  std::uint64_t length_bytes = 0;
  std::uint64_t arena_bytes = 0;  // offset in the arena
  bool operator==(const device_span&) const = default;
};

/// Fills `arena`, device memory that `slot.work` may already use, from `source`. Work that is enqueued on `slot.work`
/// after the return sees the bytes; the call itself returns when the last copy is enqueued, not when it has run. Spans
/// that follow each other in the arena share ring slots and copies, so give them in arena order; they must not overlap
/// there. `threads` read at the same time (0: device::reader_threads()).
/// Throws what the source throws, error{device_failed, device_lost}: that of the lowest bytes, after everything in
/// flight has been waited for; the arena then holds nothing of worth but may be freed on `slot.work`.
void read_to_device(const byte_source& source, std::span<const device_span> spans, std::uint8_t* arena,
                    device::device_context& context, device::work_slot& slot, unsigned threads,
                    thread_pool& workers = thread_pool::shared());

/// Copies device memory that earlier work of `slot.work` wrote to `out`, ordinary host memory. Returns when all bytes
/// are there. Throws error{device_failed, device_lost}; nothing is in flight then.
void copy_to_host(const std::uint8_t* memory, std::span<std::uint8_t> out, device::device_context& context,
                  device::work_slot& slot, unsigned threads, thread_pool& workers = thread_pool::shared());

}  // namespace cuphoton::xdr
