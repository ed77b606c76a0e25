// device_read.cpp: work is cut into blocks of one ring slot, and blocks into parts. Threads take the parts in order, so
// a few of them fill one slot together and the bus begins after one part's time, not one slot's; who ends last enqueues
// the copy of the whole block. Whatever happens, no slot is used again and no arena given back before the copies that
// touch it are known to be done.
#include "io/device_read.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "base/checked.hpp"
#include "base/spin.hpp"

namespace cuphoton::xdr {
namespace {

/// Segments that lie one behind the other in the arena and in a slot: what one thread reads in a row.
struct part {
  std::size_t first = 0;  // segment
  std::size_t count = 0;
  std::size_t block = 0;
  std::size_t slot_offset_bytes = 0;
  std::size_t length_bytes = 0;
};

/// Parts that lie one behind the other in the arena and fill at most one ring slot: one copy.
struct block {
  std::uint64_t arena_bytes = 0;
  std::size_t slot_offset_bytes = 0;  // equal to the target's address modulo 16: whole words are copied
  std::size_t length_bytes = 0;
  std::size_t parts = 0;
  std::size_t room(std::size_t slot_bytes) const { return slot_bytes - slot_offset_bytes - length_bytes; }
};

struct cut {
  std::vector<device_span> segments;
  std::vector<part> parts;
  std::vector<block> blocks;
};

std::size_t offset_like(const std::uint8_t* arena, std::uint64_t arena_bytes, std::size_t slot_bytes) {
  const auto offset = static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(arena) + arena_bytes) % 16);
  return slot_bytes > offset ? offset : 0;
}

/// Costs one entry for each span and each part's worth of bytes: bounded by what the caller planned and allocated.
cut cut_spans(std::span<const device_span> spans, const std::uint8_t* arena, std::size_t slot_bytes,
              std::size_t part_bytes) {
  cut made;
  for (device_span rest : spans) {
    if (!checked_add(rest.offset_bytes, rest.length_bytes) || !checked_add(rest.arena_bytes, rest.length_bytes)) {
      throw error(errc::internal, {}, "a span to be read ends beyond 64 bits");
    }
    while (rest.length_bytes > 0) {
      const bool joins = !made.blocks.empty() && made.blocks.back().room(slot_bytes) > 0 &&
                         made.blocks.back().arena_bytes + made.blocks.back().length_bytes == rest.arena_bytes;
      if (!joins) made.blocks.push_back({rest.arena_bytes, offset_like(arena, rest.arena_bytes, slot_bytes), 0, 0});
      block& copied = made.blocks.back();
      if (!joins || made.parts.back().length_bytes >= part_bytes) {
        made.parts.push_back(
            {made.segments.size(), 0, made.blocks.size() - 1, copied.slot_offset_bytes + copied.length_bytes, 0});
        ++copied.parts;
      }
      part& open = made.parts.back();
      const std::size_t room = std::min(copied.room(slot_bytes), part_bytes - open.length_bytes);
      const std::uint64_t taken = std::min<std::uint64_t>(rest.length_bytes, room);
      made.segments.push_back({rest.offset_bytes, taken, rest.arena_bytes});
      ++open.count;
      open.length_bytes += static_cast<std::size_t>(taken);
      copied.length_bytes += static_cast<std::size_t>(taken);
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

/// The slots of the blocks that are being filled. They are acquired in the order of the blocks: a thread that waits for
/// a slot then knows that every part of every block that holds one has been taken and will end, whether it fails or
/// not, so the slot comes. (A block that nobody waits behind may stay unfinished after an error; its slot goes back
/// when this ends.)
class block_filler {
 public:
  block_filler(const cut& work, std::uint8_t* arena, device::device_context& context, device::stream_handle stream)
      : work_(work), arena_(arena), context_(context), stream_(stream), states_(work.blocks.size()) {
    for (std::size_t index = 0; index < states_.size(); ++index) states_[index].missing = work.blocks[index].parts;
  }

  /// Memory of the block's slot. Throws what the ring throws.
  std::uint8_t* enter(std::size_t index) {
    // Whoever holds the gate may wait for this thread's part, so nobody waits for the gate itself.
    for (int turn = 0; acquired_.load(std::memory_order_acquire) <= index; ++turn) {
      const std::unique_lock one_at_a_time(acquiring_, std::try_to_lock);
      const std::size_t next = acquired_.load(std::memory_order_relaxed);
      if (!one_at_a_time || next > index) {
        spin(turn);
        continue;
      }
      states_[next].slot.emplace(context_.ring().acquire());
      acquired_.store(next + 1, std::memory_order_release);
    }
    return states_[index].slot->data();
  }

  /// Called once for each part that was taken. The last one enqueues the copy, or gives the slot back where a part
  /// failed. Throws error{device_failed, device_lost}.
  void leave(std::size_t index, bool filled) {
    state& mine = states_[index];
    if (!filled) mine.broken.store(true, std::memory_order_relaxed);
    if (mine.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (!mine.slot) return;                          // the ring failed
    device::ring_slot last = std::move(*mine.slot);  // goes back here whatever happens: others may wait for it
    if (!mine.broken.load(std::memory_order_relaxed)) copy(work_.blocks[index], last);
  }

 private:
  struct state {
    std::optional<device::ring_slot> slot;
    std::atomic<std::size_t> missing{0};
    std::atomic<bool> broken{false};
  };

  void copy(const block& filled, device::ring_slot& slot) {
    const device::current_device guard(context_.device());
    // One thread at a time, and without sleeping: the driver's own lock would put the others to sleep, and waking them
    // costs more than the few microseconds that the two calls take.
    const spin_guard alone(context_.copy_gate());
    slot.copy_to(arena_ + filled.arena_bytes, filled.slot_offset_bytes, filled.length_bytes, stream_);
    slot.release();
  }

  const cut& work_;
  std::uint8_t* arena_;
  device::device_context& context_;
  device::stream_handle stream_;
  spin_gate acquiring_;
  std::atomic<std::size_t> acquired_{0};  // blocks that hold a slot, or held one
  std::vector<state> states_;
};

/// Runs work(item) for 0 <= item < count. On an error nothing new is begun and the copy stream is drained before the
/// error of the lowest item goes on.
template <class Work>
void run_items(std::size_t count, device::work_slot& slot, unsigned threads, thread_pool& workers, Work work) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw error(errc::internal, {}, "more than 2^31 pieces to be copied at once");  // 512 TiB in parts of 256 KiB
  }
  const unsigned wanted = threads != 0 ? threads : device::reader_threads();
  const int most = static_cast<int>(std::min<unsigned>(wanted, 1024));
  try {
    workers.parallel_for(static_cast<int>(count), most, [&](int index, int) { work(static_cast<std::size_t>(index)); });
  } catch (...) {
    device::drain(slot.copy.get());
    throw;
  }
}

}  // namespace

void read_to_device(const byte_source& source, std::span<const device_span> spans, std::uint8_t* arena,
                    device::device_context& context, device::work_slot& slot, unsigned threads, thread_pool& workers) {
  const cut made = cut_spans(spans, arena, context.ring().slot_bytes(), context.part_bytes());
  if (made.parts.empty()) return;
  const device::current_device guard(context.device());
  // The arena may come into being on the work stream, and earlier work may still use its memory.
  slot.arena_ready.record(slot.work.get());
  slot.copy.wait(slot.arena_ready);
  block_filler filler(made, arena, context, slot.copy.get());
  run_items(made.parts.size(), slot, threads, workers, [&](std::size_t index) {
    const part& mine = made.parts[index];
    try {
      std::uint8_t* out = filler.enter(mine.block) + mine.slot_offset_bytes;
      for (std::size_t segment = mine.first; segment < mine.first + mine.count; ++segment) {
        fill(source, made.segments[segment], out);
        out += made.segments[segment].length_bytes;
      }
    } catch (...) {
      filler.leave(mine.block, false);
      throw;
    }
    filler.leave(mine.block, true);
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
  run_items(divide_up(out.size(), slot_bytes), slot, threads, workers, [&](std::size_t index) {
    const device::current_device on_this_thread(context.device());
    const std::size_t offset = index * slot_bytes;
    const std::size_t length_bytes = std::min(slot_bytes, out.size() - offset);
    device::ring_slot held = context.ring().acquire();
    held.copy_from(memory + offset, length_bytes, slot.copy.get());
    held.wait();
    std::memcpy(out.data() + offset, held.data(), length_bytes);
  });
}

}  // namespace cuphoton::xdr
