// hostile_allocation_test.cpp: memory runs out at any place of a load: an error, and the next load is right.
#include <atomic>
#include <cstdlib>
#include <new>

#include "hostile_tiles.hpp"

namespace {

// Allocations until the one that fails; 0: none does.
std::atomic<long> until_failure{0};

bool fails_now() {
  long left = until_failure.load();
  while (left > 0 && !until_failure.compare_exchange_weak(left, left - 1)) {
  }
  return left == 1;
}

}  // namespace

// For the whole binary, so that the library's own allocations are met. Not inlined: gcc would see free() of new memory.
[[gnu::noinline]] void* operator new(std::size_t length) {
  void* const memory = fails_now() ? nullptr : std::malloc(length != 0 ? length : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new[](std::size_t length) {
  return operator new(length);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace cuphoton::xdr::test {
namespace {

/// Reads again and again, each time with another allocation that fails, until all are met.
void expect_right_after_each_failure(const byte_source& source, int hdu, const byte_vector& pixels, unsigned threads) {
  read_options options;
  options.engine = engine_choice::host;
  options.threads = threads;
  long failures = 0;
  for (bool all_met = false; !all_met; ++failures) {
    ASSERT_LT(failures, 5000);
    until_failure = failures + 1;
    try {
      const image found = read(source, hdu_selector::number(hdu), options);
      all_met = until_failure.exchange(0) > 0;  // what failed may be something that a load can do without
      expect_bytes(found, pixels);
    } catch (const std::bad_alloc&) {
    } catch (const error& problem) {
      until_failure = 0;
      EXPECT_EQ(name(problem.code()), name(errc::out_of_memory)) << problem.what();
    }
    until_failure = 0;
    expect_bytes(read(source, hdu_selector::number(hdu), options), pixels);
  }
  EXPECT_GT(failures, 20);
}

TEST(hostile_allocation, a_load_that_finds_no_memory_ends_and_the_next_one_is_right) {
  for (const codec_row& row : codec_table()) {
    for (const encoded_tile& tile : make_tiles(row, 50, 2)) {
      const auto kind = kind_of(row, tile);
      if (!kind) continue;
      SCOPED_TRACE(kind->codec);
      const auto source = source_of(compressed_file(stacked(*kind, {tile.bytes})));
      expect_right_after_each_failure(*source, 1, native_pixels(row, tile), 1);
      break;
    }
  }
  // Several workers, each with a piece of 1 MiB.
  const std::vector<float> values(std::size_t{1} << 20, 1.5F);
  byte_vector pixels(4 * values.size());
  std::memcpy(pixels.data(), values.data(), pixels.size());
  expect_right_after_each_failure(*source_of(plain_image({1 << 20}, values)), 0, pixels, 4);
}

}  // namespace
}  // namespace cuphoton::xdr::test
