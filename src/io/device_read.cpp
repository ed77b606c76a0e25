// device_read.cpp: work is cut into pieces of one ring slot; each thread fills a slot while the copies of others run.
// Whatever happens, no slot is used again and no arena given back before the copies that touch it are known to be done.
#include "io/device_read.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "base/checked.hpp"
#include "base/spin.hpp"

namespace cuphoton::xdr {
namespace {

/// Segments that lie one behind the other in the arena and fill at most one ring slot: one copy.
struct piece {
  std::size_t first = 0;  // segment
  std::size_t count = 0;
  std::uint64_t arena_bytes = 0;
  std::size_t length_bytes = 0;
};

struct cut {
  std::vector<device_span> segments;
  std::vector<piece> pieces;
};

/// Costs one entry for each span and each slot's worth of bytes: bounded by what the caller planned and allocated.
cut cut_spans(std::span<const device_span> spans, std::size_t slot_bytes) {
  cut made;
  for (device_span rest : spans) {
    if (!checked_add(rest.offset_bytes, rest.length_bytes) || !checked_add(rest.arena_bytes, rest.length_bytes)) {
      throw error(errc::internal, {}, "a span to be read ends beyond 64 bits");
    }
    while (rest.length_bytes > 0) {
      const bool joins = !made.pieces.empty() && made.pieces.back().length_bytes < slot_bytes &&
                         made.pieces.back().arena_bytes + made.pieces.back().length_bytes == rest.arena_bytes;
      if (!joins) made.pieces.push_back({made.segments.size(), 0, rest.arena_bytes, 0});
      piece& open = made.pieces.back();
      const std::uint64_t taken = std::min<std::uint64_t>(rest.length_bytes, slot_bytes - open.length_bytes);
      made.segments.push_back({rest.offset_bytes, taken, rest.arena_bytes});
      ++open.count;
      open.length_bytes += static_cast<std::size_t>(taken);
      rest = {rest.offset_bytes + taken, rest.length_bytes - taken, rest.arena_bytes + taken};
    }
  }
  return made;
}

void fill(const byte_source& source, const device_span& segment, std::uint8_t* out) {
  const auto length_bytes = static_cast<std::size_t>(segment.length_bytes);
  if (const std::uint8_t* bytes = source.view(segment.offset_bytes, segment.length_bytes)) {
    std::memcpy(out, bytes, length_bytes);
  } else {
    source.read(segment.offset_bytes, {out, length_bytes});
  }
}

/// Runs work(piece) for 0 <= piece < count with the device current on each thread. On an error nothing new is begun and
/// the copy stream is drained before the error of the lowest piece goes on.
template <class Work>
void run_pieces(std::size_t count, device::device_context& context, device::work_slot& slot, unsigned threads,
                thread_pool& workers, Work work) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw error(errc::internal, {}, "more than 2^31 pieces to be copied at once");  // 2 PiB in slots of 1 MiB
  }
  const unsigned wanted = threads != 0 ? threads : device::reader_threads();
  const int most = static_cast<int>(std::min<unsigned>(wanted, 1024));
  try {
    workers.parallel_for(static_cast<int>(count), most, [&](int index, int) {
      const device::current_device guard(context.device());
      work(static_cast<std::size_t>(index));
    });
  } catch (...) {
    device::drain(slot.copy.get());
    throw;
  }
}

}  // namespace

void read_to_device(const byte_source& source, std::span<const device_span> spans, std::uint8_t* arena,
                    device::device_context& context, device::work_slot& slot, unsigned threads, thread_pool& workers) {
  const cut made = cut_spans(spans, context.ring().slot_bytes());
  if (made.pieces.empty()) return;
  const device::current_device guard(context.device());
  // The arena may come into being on the work stream, and earlier work may still use its memory.
  slot.arena_ready.record(slot.work.get());
  slot.copy.wait(slot.arena_ready);
  run_pieces(made.pieces.size(), context, slot, threads, workers, [&](std::size_t index) {
    const piece& mine = made.pieces[index];
    device::ring_slot held = context.ring().acquire();
    std::uint8_t* out = held.data();
    for (std::size_t segment = mine.first; segment < mine.first + mine.count; ++segment) {
      fill(source, made.segments[segment], out);
      out += made.segments[segment].length_bytes;
    }
    // One thread at a time, and without sleeping: the driver's own lock would put the others to sleep, and waking them
    // costs more than the few microseconds that the two calls take.
    const spin_guard alone(context.copy_gate());
    held.copy_to(arena + mine.arena_bytes, mine.length_bytes, slot.copy.get());
    held.release();
  });
  try {
    slot.copied.record(slot.copy.get());
    slot.work.wait(slot.copied);
  } catch (...) {
    device::drain(slot.copy.get());  // the work stream is not ordered behind the copies: freeing the arena would race
    throw;
  }
}

void copy_to_host(const std::uint8_t* memory, std::span<std::uint8_t> out, device::device_context& context,
                  device::work_slot& slot, unsigned threads, thread_pool& workers) {
  if (out.empty()) return;
  const std::size_t slot_bytes = context.ring().slot_bytes();
  const device::current_device guard(context.device());
  slot.arena_ready.record(slot.work.get());
  slot.copy.wait(slot.arena_ready);
  // Each piece is waited for by the thread that enqueued it, so all copies have run when the loop ends.
  run_pieces(divide_up(out.size(), slot_bytes), context, slot, threads, workers, [&](std::size_t index) {
    const std::size_t offset = index * slot_bytes;
    const std::size_t length_bytes = std::min(slot_bytes, out.size() - offset);
    device::ring_slot held = context.ring().acquire();
    held.copy_from(memory + offset, length_bytes, slot.copy.get());
    held.wait();
    std::memcpy(out.data() + offset, held.data(), length_bytes);
  });
}

}  // namespace cuphoton::xdr
