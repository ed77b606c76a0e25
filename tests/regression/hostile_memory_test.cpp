// hostile_memory_test.cpp: words loaded near the end of a tile, memory that is freed while it is still read, and what
// an allocation that fails leaves behind. Where there is a GPU, on it.
#include <algorithm>
#include <optional>
#include <thread>

#include <cuphoton/xdr/device.hpp>

#include "device/context.hpp"
#include "device/stream.hpp"
#include "hostile_tiles.hpp"
#include "io/device_read.hpp"
#include "support/device_checks.hpp"
#include "support/need_device.hpp"

namespace cuphoton::xdr::test {
namespace {

class hostile_memory : public judged_tiles {};

TEST_F(hostile_memory, no_decoder_looks_behind_its_tile) {
  for (const codec_row& row : codec_table()) {
    std::size_t number = 0;
    for (const encoded_tile& tile : make_tiles(row, 37, 5)) {
      if (++number % 4 != 0) continue;
      for (std::size_t length = 0; length <= tile.bytes.size();
           ++length) {  // each ends at an unmapped page in its turn
        const byte_vector cut(tile.bytes.begin(), tile.bytes.begin() + static_cast<std::ptrdiff_t>(length));
        for (int side = 0; side < 2; ++side) {
          const tile_result result = judge(row.id, cut, tile.extents(), 8, tile.parameters);
          if (length == tile.bytes.size()) {
            EXPECT_EQ(name(result.status), name(tile_status::ok));
          }
        }
      }
    }
  }
}

TEST_F(hostile_memory, the_last_tile_of_a_file_is_read_at_every_alignment) {
  for (const codec_row& row : codec_table()) {
    for (const encoded_tile& tile : make_tiles(row, 45, 6)) {
      const auto kind = kind_of(row, tile);
      if (!kind) continue;
      byte_vector expected = native_pixels(row, tile);
      const byte_vector one = expected;
      append(expected, one);
      for (std::size_t shift = 0; shift < 16; ++shift) {
        compressed_image made = stacked(*kind, {tile.bytes, tile.bytes});
        made.heap_start.resize(shift);
        byte_vector file = compressed_file(made);
        while (tile.bytes.back() != 0 && file.back() == 0) file.pop_back();  // no padding behind the tile
        ASSERT_NO_FATAL_FAILURE(expect_bytes(load_both(file, 1), expected)) << kind->codec << " " << shift;
      }
      break;
    }
  }
}

TEST(hostile_streams, device_memory_is_freed_behind_the_copies_that_fill_it) {
  // Without a GPU: streams run in random order where no event holds them, and freed memory is gone.
  const std::vector<std::uint8_t> bytes = random_bytes(3000, 1);
  const auto source = memory_source(bytes);
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const fake_device fake(seed);
    {
      device::device_context context(0, {.ring_slots = 2, .slot_bytes = 256, .part_bytes = 100, .work_slots = 2});
      const device::current_device guard(0);
      for (int load = 0; load < 6; ++load) {
        const device::work_lease slot = context.acquire_slot();
        device::buffer arena(context.memory(), 1000, slot->work.get());
        const std::uint64_t at = 400 * static_cast<std::uint64_t>(load);
        const device_span span{at, 1000, 0};
        read_to_device(*source, {&span, 1}, arena.data(), context, *slot, 1);
        if (load % 2 == 0) continue;  // freed at once: what fills it is still under way
        std::vector<std::uint8_t> back(1000);
        copy_to_host(arena.data(), back, context, *slot, 1);
        EXPECT_TRUE(std::equal(back.begin(), back.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
      }
    }
    expect_clean(fake);
  }
}

TEST(hostile_streams, loads_side_by_side_give_each_its_own_pixels) {
  // Images of one value each, of rows long enough to meet; loaded again and again while others come and go.
  constexpr std::int64_t width = 20000;
  constexpr std::size_t rows = 16;
  std::vector<byte_vector> files;
  std::vector<std::vector<std::int16_t>> values;
  for (std::int16_t number = 0; number < 12; ++number) {
    values.emplace_back(rows * width, static_cast<std::int16_t>(number * 1000 - 6000));
    const bool gzip = number % 2 == 0;
    const std::vector<std::int16_t> row(width, values.back()[0]);
    const byte_vector pixels = big_endian(row);
    byte_vector tile = gzip_by_libdeflate(pixels, 6);
    if (!gzip) {  // the first pixel, then "all equal" in 4 bits for each block of 32
      tile = {pixels[0], pixels[1]};
      tile.resize(2 + (width + 63) / 64);
    }
    const stack_of_tiles kind{gzip ? "GZIP_1" : "RICE_1", 16, 1, width, {card("ZNAME1", "BYTEPIX"), card("ZVAL1", 2)}};
    files.push_back(compressed_file(stacked(kind, std::vector<byte_vector>(rows, tile))));
  }
  std::vector<std::thread> workers;
  for (std::size_t worker = 0; worker < 4; ++worker) {
    workers.emplace_back([&, worker] {
      for (std::size_t round = 0; round < 24; ++round) {
        const std::size_t number = (round * 5 + worker * 7) % files.size();
        expect_pixels(load_both(files[number], 1), values[number]);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

TEST(hostile_streams, device_arrays_hold_their_own_pixels_while_others_are_freed) {
  XDR_NEED_DEVICE();
  std::vector<std::uint8_t> back(50 * 64 * 2);
  for (int round = 0; round < 200; ++round) {
    const auto value = static_cast<std::int16_t>(round);
    const byte_vector file = plain_image({50, 64}, std::vector<std::int16_t>(50 * 64, value));
    read_options options;
    options.engine = round % 3 == 0 ? engine_choice::host : engine_choice::gpu;
    options.space = memory_space::device;
    std::optional<image> freed = read(*source_of(file), hdu_selector::number(0), options);
    const image kept = read(*source_of(file), hdu_selector::number(0), options);
    freed.reset();
    const byte_vector other = plain_image({50, 64}, std::vector<std::int16_t>(50 * 64, -1));
    read(*source_of(other), hdu_selector::number(0), options);
    device::context_for(0);
    device::stream stream;
    device::check(
        device::api().copy(back.data(), kept.data(), back.size(), device::copy_kind::device_to_host, stream.get()),
        "copy");
    stream.synchronize();
    for (std::size_t i = 0; i < back.size(); i += 2) ASSERT_EQ(back[i], static_cast<std::uint8_t>(value)) << round;
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
