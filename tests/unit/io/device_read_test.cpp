// device_read_test.cpp: every byte reaches the device and comes back, in whatever order the device works; whatever
// fails, the right error is thrown, nothing is in flight and no slot is missing.
#include "io/device_read.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "io/posix.hpp"
#include "support/device_checks.hpp"

namespace cuphoton::xdr {
namespace {

using device::buffer;
using device::device_context;
using device::work_lease;

constexpr std::size_t slot_bytes = 64;

thread_pool& eight_threads() {
  static thread_pool pool(7);  // more than the machine has: what counts is their order
  return pool;
}

/// Random spans of a source of `source_bytes` bytes, some one behind the other in the arena, some with gaps; and what
/// the arena then holds.
struct job {
  std::vector<device_span> spans;
  std::vector<std::uint8_t> arena;  // 0 where no span is
};
job random_job(const std::vector<std::uint8_t>& bytes, std::uint32_t seed) {
  std::mt19937 random(seed);
  job made;
  std::uint64_t at = random() % 5;
  const std::size_t count = random() % 12;
  for (std::size_t index = 0; index < count; ++index) {
    device_span span;
    span.length_bytes = random() % (random() % 3 == 0 ? 400 : 40);
    span.offset_bytes = random() % (bytes.size() - span.length_bytes + 1);
    span.arena_bytes = at;
    at += span.length_bytes + (random() % 2 == 0 ? 0 : random() % 30);
    made.spans.push_back(span);
  }
  made.arena.resize(static_cast<std::size_t>(at) + 3);
  for (const device_span& span : made.spans) {
    std::copy_n(bytes.data() + span.offset_bytes, span.length_bytes, made.arena.data() + span.arena_bytes);
  }
  return made;
}

/// A file with the bytes, for the posix source.
class file_of {
 public:
  explicit file_of(const std::vector<std::uint8_t>& bytes) {
    std::string pattern = (std::filesystem::temp_directory_path() / "xdr-device-read-XXXXXX").string();
    const int file = ::mkstemp(pattern.data());
    if (file >= 0) ::close(file);
    path_ = pattern;
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  ~file_of() { std::filesystem::remove(path_); }
  file_of(const file_of&) = delete;
  file_of& operator=(const file_of&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Reads a job, then lets the work stream overwrite nothing: the arena is compared after the work stream alone was
/// waited for. An earlier fill on the work stream must not come after the copies.
void expect_job(const byte_source& source, const job& wanted, std::size_t ring_slots, unsigned threads,
                std::uint32_t seed) {
  const std::size_t part_bytes = std::size_t{1} + seed * 7 % 80;  // one byte up to more than a slot
  const test::fake_device fake(seed);
  {
    device_context context(
        1, {.ring_slots = ring_slots, .slot_bytes = slot_bytes, .part_bytes = part_bytes, .work_slots = 1});
    const device::current_device guard(1);
    const work_lease slot = context.acquire_slot();
    const buffer arena(context.memory(), wanted.arena.size(), slot->work.get());
    device::check(device::api().fill(arena.data(), 0, arena.size_bytes(), slot->work.get()), "fill");
    read_to_device(source, wanted.spans, arena.data(), context, *slot, threads, eight_threads());
    slot->work.synchronize();
    EXPECT_TRUE(std::equal(wanted.arena.begin(), wanted.arena.end(), arena.data()))
        << ring_slots << " slots, " << threads << " threads, seed " << seed;
    EXPECT_EQ(context.ring().returned(), ring_slots);
  }
  test::expect_clean(fake);
}

TEST(ReadToDevice, EveryByteArrives) {
  const std::vector<std::uint8_t> bytes = test::random_bytes(5000, 1);
  const file_of file(bytes);
  const auto memory = memory_source(bytes);
  const auto posix = open_source(file.path());
  std::uint32_t seed = 0;
  for (std::size_t ring_slots = 1; ring_slots <= 4; ++ring_slots) {
    for (const unsigned threads : {1u, 2u, 3u, 5u, 8u}) {
      for (int round = 0; round < 4; ++round, ++seed) {
        const job wanted = random_job(bytes, seed);
        expect_job(*memory, wanted, ring_slots, threads, seed);
        expect_job(*posix, wanted, ring_slots, threads, seed + 1);
      }
    }
  }
}

TEST(ReadToDevice, ShortAndInterruptedReadsAreContinued) {
  const std::vector<std::uint8_t> bytes = test::random_bytes(5000, 2);
  const file_of file(bytes);
  const auto source = io::open_posix(file.path(), [](int number, void* out, std::size_t wanted, off_t offset) {
    static thread_local unsigned calls = 0;
    if (++calls % 5 == 0) return errno = EINTR, ssize_t{-1};
    return ::pread(number, out, std::min<std::size_t>(wanted, calls % 7 + 1), offset);
  });
  for (std::uint32_t seed = 0; seed < 10; ++seed) expect_job(*source, random_job(bytes, seed), 2, 3, seed);
}

TEST(ReadToDevice, NeighboursShareCopies) {
  const test::fake_device fake;
  const std::vector<std::uint8_t> bytes = test::random_bytes(1000, 3);
  device_context context(0, {.ring_slots = 2, .slot_bytes = 112, .work_slots = 1});
  const work_lease slot = context.acquire_slot();
  const buffer arena(context.memory(), 1000, slot->work.get());
  std::vector<device_span> tiles;  // 50 tiles of 10 bytes, each second one of the source
  for (std::uint64_t tile = 0; tile < 50; ++tile) tiles.push_back({20 * tile, 10, 10 * tile});
  read_to_device(*memory_source(bytes), tiles, arena.data(), context, *slot, 1);
  EXPECT_EQ(fake.calls("copy"), 5u);
  read_to_device(*memory_source(bytes), {}, arena.data(), context, *slot, 1);
  EXPECT_EQ(fake.calls("copy"), 5u);
  slot->work.synchronize();
  for (std::size_t tile = 0; tile < 50; ++tile) EXPECT_EQ(arena.data()[10 * tile + 9], bytes[20 * tile + 9]);
}

/// A source that notes how much was asked for at once.
class noting_source final : public byte_source {
 public:
  explicit noting_source(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t size_bytes() const noexcept override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    lengths.push_back(out.size());
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "noting"; }
  mutable std::vector<std::size_t> lengths;

 private:
  std::span<const std::uint8_t> bytes_;
  std::string name_ = "noting.fits";
};

TEST(ReadToDevice, ASlotIsFilledInPartsAndCopiedOnce) {
  const test::fake_device fake;
  const std::vector<std::uint8_t> bytes = test::random_bytes(250, 7);
  device_context context(0, {.ring_slots = 2, .slot_bytes = 96, .part_bytes = 40, .work_slots = 1});
  const work_lease slot = context.acquire_slot();
  const buffer arena(context.memory(), bytes.size(), slot->work.get());
  const noting_source source(bytes);
  const device_span all{0, bytes.size(), 0};
  read_to_device(source, {&all, 1}, arena.data(), context, *slot, 1);
  EXPECT_EQ(source.lengths, (std::vector<std::size_t>{40, 40, 16, 40, 40, 16, 40, 18}));
  EXPECT_EQ(fake.calls("copy"), 3u);
}

TEST(ReadToDevice, CopiesAreAlignedAlikeOnBothSides) {
  const test::fake_device fake;
  const std::vector<std::uint8_t> bytes = test::random_bytes(1000, 8);
  device_context context(0, {.ring_slots = 2, .slot_bytes = 128, .work_slots = 1});
  const work_lease slot = context.acquire_slot();
  const buffer arena(context.memory(), bytes.size() + 16, slot->work.get());
  for (std::uint64_t shift = 0; shift < 16; ++shift) {
    const device_span all{0, 300, shift};  // 128 - shift bytes, 128 bytes, the rest
    const std::uint64_t before = fake.calls("copy");
    read_to_device(*memory_source(bytes), {&all, 1}, arena.data(), context, *slot, 1);
    slot->work.synchronize();
    EXPECT_EQ(fake.calls("copy") - before, 3u) << shift;
    EXPECT_EQ(fake.calls("slow copy"), 0u) << shift;
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 300, arena.data() + shift)) << shift;
  }
}

TEST(ReadToDevice, RefusesSpansBeyond64Bits) {
  const test::fake_device fake;
  const std::vector<std::uint8_t> bytes(10);
  device_context context(0, {.ring_slots = 1, .slot_bytes = 16, .work_slots = 1});
  const work_lease slot = context.acquire_slot();
  const device_span wraps{~std::uint64_t{0} - 3, 8, 0};
  EXPECT_EQ(test::code_of([&] {
              read_to_device(*memory_source(bytes), {&wraps, 1}, nullptr, context, *slot, 1);
            }),
            errc::internal);
  EXPECT_EQ(fake.calls("copy"), 0u);
}

/// A source whose bytes from `bad_from` on cannot be read; the error names the offset.
class broken_source final : public byte_source {
 public:
  broken_source(std::span<const std::uint8_t> bytes, std::uint64_t bad_from, errc code)
      : bytes_(bytes), bad_from_(bad_from), code_(code) {}
  std::uint64_t size_bytes() const noexcept override { return bytes_.size(); }
  void read(std::uint64_t offset, std::span<std::uint8_t> out) const override {
    if (offset + out.size() > bad_from_) throw error(code_, where{name_}, std::to_string(offset), {}, EIO);
    std::copy_n(bytes_.data() + offset, out.size(), out.data());
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "broken"; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t bad_from_;
  errc code_;
  std::string name_ = "broken.fits";
};

TEST(ReadToDevice, AFailingSourceGivesItsLowestErrorAndNothingStaysInFlight) {
  const std::vector<std::uint8_t> bytes = test::random_bytes(40 * slot_bytes, 4);
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const test::fake_device fake(seed);
    {
      device_context context(0,
                             {.ring_slots = 1 + seed % 4, .slot_bytes = slot_bytes, .part_bytes = 32, .work_slots = 1});
      const work_lease slot = context.acquire_slot();
      const errc code = seed % 2 == 0 ? errc::io_failed : errc::file_truncated;
      const std::uint64_t bad_from =
          ((seed * 7 + seed / 8) % 80) * slot_bytes / 2;  // the first part of a slot, or its second
      const broken_source source(bytes, bad_from, code);
      {
        const buffer arena(context.memory(), bytes.size(), slot->work.get());
        const device_span all{0, bytes.size(), 0};
        try {
          read_to_device(source, {&all, 1}, arena.data(), context, *slot, 1 + seed % 8, eight_threads());
          ADD_FAILURE() << "no error";
        } catch (const error& thrown) {
          EXPECT_EQ(thrown.code(), code);
          EXPECT_EQ(thrown.os_error(), EIO);
          EXPECT_EQ(thrown.place().file, "broken.fits");
          EXPECT_EQ(thrown.message(), std::to_string(bad_from));
        }
        // With one thread: the whole slots before the bad part, and no half-filled one.
        if (seed % 8 == 0) {
          EXPECT_EQ(fake.calls("copy"), bad_from / slot_bytes);
        }
      }  // freed on the work stream, which no event orders: a copy still in flight would be a violation
      slot->work.synchronize();
      EXPECT_EQ(context.ring().returned(), context.ring().slots());
    }
    test::expect_clean(fake);
  }
}

TEST(CopyToHost, EveryByteComesBack) {
  const std::vector<std::uint8_t> bytes = test::random_bytes(1000, 5);
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const test::fake_device fake(seed);
    {
      device_context context(1,
                             {.ring_slots = 1 + seed % 4, .slot_bytes = slot_bytes, .part_bytes = 32, .work_slots = 1});
      const work_lease slot = context.acquire_slot();
      const buffer arena(context.memory(), bytes.size(), slot->work.get());
      const device_span all{0, bytes.size(), 0};
      read_to_device(*memory_source(bytes), {&all, 1}, arena.data(), context, *slot, 2, eight_threads());
      device::check(device::api().fill(arena.data() + 10, 9, 5, slot->work.get()), "fill");  // as a kernel would
      std::vector<std::uint8_t> out(seed % 5 == 0 ? 0 : bytes.size() - seed);
      copy_to_host(arena.data(), out, context, *slot, 1 + seed % 8, eight_threads());
      std::vector<std::uint8_t> wanted = bytes;
      for (std::size_t i = 10; i < 15; ++i) wanted.at(i) = 9;
      EXPECT_TRUE(std::equal(out.begin(), out.end(), wanted.begin())) << seed;
    }
    test::expect_clean(fake);
  }
}

/// A load: arena, read, copy back. 9 pieces through `ring_slots` slots.
std::vector<std::uint8_t> load(device_context& context, const std::vector<std::uint8_t>& bytes, unsigned threads) {
  const work_lease slot = context.acquire_slot();
  const buffer arena(context.memory(), bytes.size(), slot->work.get());
  const device_span all{0, bytes.size(), 0};
  read_to_device(*memory_source(bytes), {&all, 1}, arena.data(), context, *slot, threads, eight_threads());
  std::vector<std::uint8_t> out(bytes.size());
  copy_to_host(arena.data(), out, context, *slot, threads, eight_threads());
  return out;
}

struct faulty {
  const char* name;
  test::device_fault fault;
  errc code;
};
void PrintTo(const faulty& each, std::ostream* out) {
  *out << each.name;
}

class DeviceFaults : public ::testing::TestWithParam<faulty> {};

TEST_P(DeviceFaults, EachCallOfALoad) {
  const std::vector<std::uint8_t> bytes = test::random_bytes(9 * slot_bytes - 5, 6);
  for (const unsigned threads : {1u, 4u}) {
    bool fired = true;
    std::uint64_t nth = 1;
    for (; fired; ++nth) {
      test::fake_device fake(static_cast<std::uint32_t>(nth));
      test::device_fault fault = GetParam().fault;
      fault.first = nth;
      {
        device_context context(1, {.ring_slots = 2, .slot_bytes = slot_bytes, .part_bytes = 24, .work_slots = 1});
        const std::uint64_t before = fake.calls();
        fake.plant(fault);
        std::vector<std::uint8_t> out;
        const auto code = test::code_of([&] { out = load(context, bytes, threads); });
        fired = fake.calls() - before >= nth;
        fake.clear_faults();
        if (code) {
          EXPECT_EQ(*code, GetParam().code) << nth;
        } else {
          EXPECT_EQ(out, bytes) << nth;
        }
        EXPECT_EQ(context.ring().returned(), 2u) << nth;
        if (!device::is_lost()) {
          EXPECT_EQ(test::code_of([&] { EXPECT_EQ(load(context, bytes, threads), bytes); }), std::nullopt) << nth;
        } else {
          EXPECT_EQ(test::code_of([&] { load(context, bytes, threads); }), errc::device_lost) << nth;
        }
      }
      test::expect_correct(fake, threads == 1);
      // The one free of a load is that of its arena; where it was refused, the block stays.
      if (!device::is_lost()) {
        EXPECT_EQ(device::leaked_objects(), 0u) << nth;
      }
      if (!device::is_lost() && device::failed_frees() == 0) {
        EXPECT_EQ(fake.live(), test::live_objects{}) << nth;
      }
      EXPECT_LE(device::failed_frees(), 1u);
    }
    EXPECT_GT(nth, 50u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DeviceFaults,
    ::testing::Values(faulty{"Once", {.error = 98}, errc::device_failed},
                      faulty{"OutOfMemory", {.error = 2}, errc::out_of_memory},
                      faulty{"SaidLate", {.error = 98, .effect = true}, errc::device_failed},
                      faulty{"IllegalAddress", {.error = 700, .sticky = true}, errc::device_lost},
                      faulty{"EccSaidLate", {.error = 214, .effect = true, .sticky = true}, errc::device_lost}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace cuphoton::xdr
