// inflate_output_core.hpp: where a DEFLATE decoder puts its bytes: one by one on the host, literals of a warp up to 32
// at a time on the device.
#pragma once

#include <cstdint>

#include "base/hd.hpp"
#include "base/lanes.hpp"

namespace cuphoton::xdr {

/// Where the bytes go. `written` <= `capacity` always.
struct inflate_output {
  std::uint8_t* bytes = nullptr;
  std::uint64_t capacity = 0;
  std::uint64_t written = 0;

  /// Appends a literal; false where there is no room.
  template <class Lanes>
  XDR_HD bool put(Lanes& lanes, std::uint32_t literal) {
    if (written >= capacity) return false;
    lanes.phase(1, [&](int) { bytes[written] = static_cast<std::uint8_t>(literal); });
    ++written;
    return true;
  }
  /// Afterwards every literal is in memory and counted in `written`. Before anything but `put` may use this.
  template <class Lanes>
  XDR_HD void flush(Lanes&) {}
};

inline constexpr std::uint32_t held_literals = 32;

/// A byte for each of 32 lanes.
template <class Lanes>
class lane_bytes {
 public:
  XDR_HD void set(std::uint32_t lane, std::uint32_t value) { value_[lane] = static_cast<std::uint8_t>(value); }
  XDR_HD std::uint8_t get(int lane) const { return value_[lane]; }

 private:
  std::uint8_t value_[held_literals] = {};
};

#if defined(__CUDACC__)
/// warp_lanes for phases that rarely have more than 32 items: not unrolled, which would cost each literal run and each
/// match ten instructions, and all phases together the instruction cache.
struct short_warp_lanes {
  template <class Work>
  __device__ void phase(int count, Work work) const {
#pragma unroll 1
    for (int item = static_cast<int>(threadIdx.x & 31U); item < count; item += 32) work(item);
    __syncwarp();
  }
};

/// In a register of the lane; a lane may get no byte but its own.
template <>
class lane_bytes<short_warp_lanes> {
 public:
  __device__ void set(std::uint32_t lane, std::uint32_t value) {
    if ((threadIdx.x & 31U) == lane) value_ = value;
  }
  __device__ std::uint8_t get(int) const { return static_cast<std::uint8_t>(value_); }

 private:
  std::uint32_t value_ = 0;
};
#endif

/// Holds literals back until 32 can be stored at once: no store and no barrier for each.
template <class Lanes>
struct held_output : inflate_output {
  XDR_HD bool put(Lanes& lanes, std::uint32_t literal) {
    if (held == room) [[unlikely]] {  // one test for "all lanes hold one" and "no capacity left"
      flush(lanes);
      const std::uint64_t left = capacity - written;
      room = left < held_literals ? static_cast<std::uint32_t>(left) : held_literals;
      if (room == 0) return false;
    }
    literals.set(held, literal);
    ++held;
    return true;
  }
  XDR_HD void flush(Lanes& lanes) {
    if (held != 0) {
      std::uint8_t* const target = bytes + written;
      lanes.phase(static_cast<int>(held), [&](int item) { target[item] = literals.get(item); });
      written += held;
    }
    held = 0;
    room = 0;  // `written` may move on before the next literal
  }

  lane_bytes<Lanes> literals;
  std::uint32_t held = 0;  // <= room
  std::uint32_t room = 0;  // literals that may be held before the next flush; capacity has room for them
};

}  // namespace cuphoton::xdr
