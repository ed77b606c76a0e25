// Whole reads by the GPU engine against the host engine, bit for bit: sections of plain and compressed images of 1 to 4
// axes, every recipe, fallback columns; delivery to host and device memory; errors with the same words; nothing leaks.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include <cuphoton/xdr/device.hpp>
#include <cuphoton/xdr/reader.hpp>

#include "base/checked.hpp"
#include "device/context.hpp"
#include "engine/engine.hpp"
#include "engine/resident.hpp"
#include "io/device_read.hpp"
#include "support/encoders.hpp"
#include "support/made_images.hpp"
#include "support/need_device.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

/// Pixels or, where a read fails, code and text.
std::string outcome(const byte_source& source, int hdu, read_options options, engine_choice engine) {
  options.engine = engine;
  try {
    const image pixels = read(source, hdu_selector::number(hdu), options);
    return std::string(name(pixels.type())) + to_string(pixels.extents()) +
           std::string(reinterpret_cast<const char*>(pixels.data()), pixels.size_bytes());
  } catch (const error& problem) {
    return std::string(name(problem.code())) + ": " + problem.what();
  }
}

void expect_same(const byte_source& source, int hdu, read_options options, const std::string& what) {
  const std::string host = outcome(source, hdu, options, engine_choice::host);
  for (const restore_variant variant : {restore_variant::fused, restore_variant::separate}) {
    options.restore = variant;
    const std::string gpu = outcome(source, hdu, options, engine_choice::gpu);
    if (host == gpu) continue;
    std::size_t at = 0;
    while (at < std::min(host.size(), gpu.size()) && host[at] == gpu[at]) ++at;
    FAIL() << what << (variant == restore_variant::fused ? ", fused" : ", separate") << ": differ at byte " << at
           << " of " << host.size() << "/" << gpu.size() << "\nhost " << host.substr(0, 300) << "\ngpu "
           << gpu.substr(0, 300);
  }
}

std::int64_t random_in(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

TEST(engine_device, sections_of_images_of_any_rank) {
  XDR_NEED_DEVICE();
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    shape extents;
    shape tile;
    extents.rank = tile.rank = 1 + round % 4;
    for (int axis = 0; axis < extents.rank; ++axis) {
      extents[axis] = random_in(random, 1, axis == extents.rank - 1 ? 70 : 9);
      tile[axis] = random() % 2 ? extents[axis] : random_in(random, 1, extents[axis]);
    }
    const auto plain = test::source_of(test::plain_file(extents));
    const auto scaled =
        test::source_of(test::plain_file(extents, {card("BSCALE", 0.1), card("BZERO", 3.3), card("BLANK", -32760)}));
    const auto tiled = test::source_of(test::compressed_file(test::gzip_image(extents, tile)));
    for (int i = 0; i < 4; ++i) {
      read_options options;
      if (i > 0) {
        strided_box section = whole(extents);
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(extents.rank); ++axis) {
          if (random() % 3 == 0) continue;
          section.start[axis] = random_in(random, 0, extents.extent[axis] - 1);
          section.extent[axis] = random_in(random, 1, extents.extent[axis] - section.start[axis]);
          if (random() % 2 == 0) continue;
          section.step[axis] = random_in(random, 2, 5);
          section.extent[axis] = divide_up(section.extent[axis], section.step[axis]);
        }
        options.section = section;
      }
      const std::string what = to_string(extents) + " tile " + to_string(tile);
      ASSERT_NO_FATAL_FAILURE(expect_same(*plain, 0, options, "plain " + what));
      ASSERT_NO_FATAL_FAILURE(expect_same(*scaled, 0, options, "scaled " + what));
      ASSERT_NO_FATAL_FAILURE(expect_same(*tiled, 1, options, "tiled " + what));
    }
  }
}

TEST(engine_device, the_separate_variant_shows_raw_elements_between) {
  XDR_NEED_DEVICE();
  const shape extents{2, {30, 50}};
  const auto source =
      test::source_of(test::plain_file(extents, {card("BSCALE", 0.1), card("BZERO", 3.3), card("BLANK", -32760)}));
  const image_plan steps = plan(*source);
  device::device_context& context = device::context_for(0);
  const device::current_device guard(0);
  const device::work_lease slot = context.acquire_slot();
  const device::buffer out(context.memory(), 1500 * sizeof(float), slot->work.get());
  resident_image resident(steps, *source, context, *slot, 2);
  EXPECT_EQ(resident.intermediate(), nullptr);
  resident.decode(out.data(), true, restore_variant::separate);
  resident.finish();
  std::vector<std::int32_t> raw(1500);
  copy_to_host(resident.intermediate(), {reinterpret_cast<std::uint8_t*>(raw.data()), raw.size() * sizeof raw[0]},
               context, *slot, 2);
  for (std::size_t i = 0; i < raw.size(); ++i) ASSERT_EQ(raw[i], test::made_pixel(i)) << i;
}

TEST(engine_device, every_seed_image) {
  XDR_NEED_DEVICE();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(XDR_SOURCE_DIR) + "/fuzz/seeds/image")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const byte_vector bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const auto source = test::source_of(bytes, entry.path().filename().string());
    const int count = static_cast<int>(inspect(*source).hdus.size());
    for (int hdu = 0; hdu < count; ++hdu) {
      for (const pixel_values values : {pixel_values::scaled, pixel_values::stored}) {
        read_options options;
        options.values = values;
        ASSERT_NO_FATAL_FAILURE(expect_same(*source, hdu, options, entry.path().filename().string()));
      }
    }
    ++files;
  }
  EXPECT_GE(files, 10);
}

/// Quantised rows longer than a segment of the dither table, so that positions wrap on both engines.
TEST(engine_device, long_dithered_rows) {
  XDR_NEED_DEVICE();
  std::mt19937 random(12);
  for (const char* method : {"NO_DITHER", "SUBTRACTIVE_DITHER_1", "SUBTRACTIVE_DITHER_2"}) {
    for (const int bitpix : {-32, -64}) {
      test::compressed_image made;
      made.codec = "GZIP_2";
      made.bitpix = bitpix;
      made.axes = {25001, 3};
      made.tiles = {25001, 1};
      made.extra = {card("ZQUANTIZ", method), card("ZDITHER0", 9999), card("ZBLANK", -2147483647)};
      test::table_column tiles{"COMPRESSED_DATA", "1PB", {}};
      test::table_column scale{"ZSCALE", "1D", {}};
      test::table_column zero{"ZZERO", "1D", {}};
      for (int row = 0; row < 3; ++row) {
        byte_vector planes(4 * 25001);
        for (std::size_t i = 0; i < 25001; ++i) {
          std::uint32_t value = static_cast<std::uint32_t>(random() % 5000);
          if (i % 97 == 0) value = 0x80000001U;  // null
          if (i % 89 == 0) value = 0x80000002U;  // exact zero
          for (std::size_t plane = 0; plane < 4; ++plane)
            planes[plane * 25001 + i] = static_cast<std::uint8_t>(value >> (24 - 8 * plane));
        }
        tiles.cells.emplace_back(test::gzip_by_zlib(planes, 1));
        scale.cells.emplace_back(0.25 + row);
        zero.cells.emplace_back(-100.0);
      }
      made.columns = {tiles, scale, zero};
      const auto source = test::source_of(test::compressed_file(made));
      ASSERT_NO_FATAL_FAILURE(expect_same(*source, 1, {}, method));
      read_options options;
      options.section = box{2, {1, 9400}, {2, 12000}};
      ASSERT_NO_FATAL_FAILURE(expect_same(*source, 1, options, method));
    }
  }
}

TEST(engine_device, damaged_tiles_are_reported_in_the_same_words) {
  XDR_NEED_DEVICE();
  test::compressed_image made = test::gzip_image({2, {200, 300}}, {2, {3, 300}});
  for (const std::size_t bad : {61UL, 7UL, 40UL}) {
    auto& bytes = std::get<byte_vector>(made.columns[0].cells[bad]);
    bytes[bytes.size() / 2] ^= 0x10;
  }
  const auto source = test::source_of(test::compressed_file(made));
  expect_same(*source, 1, {}, "damaged");
  EXPECT_NE(outcome(*source, 1, {}, engine_choice::gpu).find("tile 7"), std::string::npos);
}

TEST(engine_device, delivers_to_device_memory) {
  XDR_NEED_DEVICE();
  warm_up(0, std::uint64_t{64} << 20);
  const shape extents{2, {300, 500}};
  const auto source = test::source_of(test::plain_file(extents));
  for (const engine_choice engine : {engine_choice::gpu, engine_choice::host}) {
    read_options options;
    options.engine = engine;
    options.space = memory_space::device;
    const image pixels = read(*source, hdu_selector::number(0), options);
    ASSERT_EQ(pixels.space(), memory_space::device);
    EXPECT_TRUE(pixels.bytes().empty());
    std::vector<std::uint8_t> copy(pixels.size_bytes());
    device::context_for(0);
    device::stream stream;
    device::check(
        device::api().copy(copy.data(), pixels.data(), copy.size(), device::copy_kind::device_to_host, stream.get()),
        "copy");
    stream.synchronize();
    const image host = read(*source, hdu_selector::number(0));
    EXPECT_TRUE(std::equal(copy.begin(), copy.end(), host.bytes().begin()));
    EXPECT_EQ(pixels.facts().engine, engine == engine_choice::gpu ? "gpu" : "host");
  }
}

TEST(engine_device, the_checksum_can_be_left_out_and_the_receipt_says_so) {
  XDR_NEED_DEVICE();
  test::compressed_image made = test::gzip_image({2, {4, 300}}, {2, {1, 300}});
  auto& bytes = std::get<byte_vector>(made.columns[0].cells[2]);
  bytes[bytes.size() - 7] ^= 1;  // the stored CRC32
  const auto source = test::source_of(test::compressed_file(made));
  read_options options;
  options.engine = engine_choice::gpu;
  EXPECT_THROW(read(*source, hdu_selector::number(1), options), error);
  options.gzip_crc32 = false;
  const receipt facts = read(*source, hdu_selector::number(1), options).facts();
  EXPECT_EQ(facts.checks, std::vector<std::string>{"ISIZE"});
}

TEST(engine_device, loads_leave_nothing_behind) {
  XDR_NEED_DEVICE();
  const auto good = test::source_of(test::compressed_file(test::gzip_image({2, {64, 300}}, {2, {1, 300}})));
  test::compressed_image made = test::gzip_image({2, {64, 300}}, {2, {1, 300}});
  std::get<byte_vector>(made.columns[0].cells[5])[40] ^= 0xFF;
  const auto bad = test::source_of(test::compressed_file(made));
  device::device_context& context = device::context_for(0);
  read_options options;
  options.engine = engine_choice::gpu;
  for (int round = 0; round < 30; ++round) {
    read(*good, hdu_selector::number(1), options);
    EXPECT_THROW(read(*bad, hdu_selector::number(1), options), error);
  }
  EXPECT_EQ(context.memory().counters().bytes_in_use, 0U);
  EXPECT_EQ(context.ring().returned(), context.ring().slots());
}

}  // namespace
}  // namespace cuphoton::xdr
