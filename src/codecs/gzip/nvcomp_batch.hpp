// nvcomp_batch.hpp: the private memory in which nvCOMP inflates a batch of tiles, and the call itself. On damaged
// streams nvCOMP writes past the place it was given, so nothing of value lies behind a place: tables in front, then
// the slots with slack between them, then a tail that nobody uses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/gzip/nvcomp_api.hpp"

namespace cuphoton::xdr {

/// Which streams, how many, how large at most.
struct nvcomp_task {
  nvcomp_format format = nvcomp_format::gzip;
  nvcomp_backend backend = nvcomp_backend::automatic;
  std::uint32_t tiles = 0;
  std::uint64_t largest_compressed_bytes = 0;
  std::uint64_t largest_raw_bytes = 0;
};

/// Between two slots: flipped bits were seen to write 2 to 40 bytes past one.
inline constexpr std::uint64_t nvcomp_slack_bytes = 4096;
/// Behind the last slot: three more of them, but no more than this.
inline constexpr std::uint64_t nvcomp_most_tail_bytes = std::uint64_t{64} << 20;
/// What one batch may take; a single tile may take more.
inline constexpr std::uint64_t nvcomp_most_batch_bytes = std::uint64_t{1} << 30;
/// Of every part of the memory.
inline constexpr std::uint64_t nvcomp_part_alignment = 256;
/// What nvCOMP gets in place of a tile that it must not see: a stream of one zero byte.
inline constexpr std::uint64_t nvcomp_stand_in_bytes = 64;

/// Offsets in the memory of a batch. A function of the task alone, so that asking for the memory and using it agree.
struct nvcomp_layout {
  std::uint32_t batch_tiles = 1;
  std::uint64_t table_stride = 0;  // of the seven tables, which come first
  std::uint64_t stand_in_at = 0;
  std::uint64_t scratch_at = 0;
  std::size_t scratch_bytes = 0;
  std::uint64_t staging_at = 0;
  std::uint64_t staging_stride = 0;  // 0: streams are read where they lie
  std::uint64_t slots_at = 0;
  std::uint64_t slot_stride = 0;
  std::uint64_t total_bytes = 0;
};

/// Throws error{unsupported} where nvCOMP refuses the task.
nvcomp_layout lay_out(const nvcomp_library& library, const nvcomp_task& task);

/// As the kernels take it. All pointers are device memory.
struct nvcomp_batch {
  nvcomp_tables tables;
  std::uint32_t* raw_bytes = nullptr;  // for each tile what its framing promises; 0: not for nvCOMP
  std::uint8_t* stand_in = nullptr;
  std::uint8_t* staging = nullptr;  // aligned copies of the streams; nullptr: read in place
  std::uint64_t staging_stride = 0;
  std::uint8_t* slots = nullptr;
  std::uint64_t slot_stride = 0;
  std::uint32_t first = 0;  // tile of the group
  std::uint32_t count = 0;
  bool strips_frame = false;
};

/// The batch that begins at tile `first` of `tiles`, in `memory` (aligned to nvcomp_part_alignment).
nvcomp_batch place_batch(const nvcomp_layout& layout, const nvcomp_task& task, std::uint8_t* memory,
                         std::uint32_t first);
/// The library that was found; throws error{internal} where none was.
const nvcomp_library& nvcomp_in_use();
/// Throws error{unsupported} where the hardware engine is asked for and cannot reach `memory`.
void require_reach(nvcomp_backend backend, const void* memory);
/// Enqueues the inflating of a batch whose tables are filled on `stream`. Throws error{device_failed, device_lost}.
void run_batch(const nvcomp_library& library, const nvcomp_layout& layout, const nvcomp_task& task,
               const nvcomp_batch& batch, std::uint8_t* memory, CUstream_st* stream);

}  // namespace cuphoton::xdr
