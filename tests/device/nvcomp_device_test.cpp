// nvCOMP's decoders of gzip tiles on the device against our own on the same device: same verdicts, same pixels, for
// whole tiles of every kind and for damaged ones between whole ones. What a caller sees: receipts, refusals, errors.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cuphoton/xdr/reader.hpp>

#include "codecs/codec.hpp"
#include "engine/resident.hpp"
#include "io/device_read.hpp"
#include "io/memory.hpp"
#include "support/encoders.hpp"
#include "support/made_images.hpp"
#include "support/need_nvcomp.hpp"

namespace cuphoton::xdr {
namespace {

using bytes = std::vector<std::uint8_t>;

struct decoder_case {
  gzip_decoder_choice decoder;
  decompression_backend_choice backend;
  const char* name;  // in receipts
};
constexpr decoder_case decoders[] = {
    {gzip_decoder_choice::gzip, decompression_backend_choice::automatic, "nvcomp gzip"},
    {gzip_decoder_choice::gzip, decompression_backend_choice::cuda, "nvcomp gzip"},
    {gzip_decoder_choice::deflate, decompression_backend_choice::automatic, "nvcomp deflate"},
};

read_options options_of(const decoder_case& decoder) {
  read_options options;
  options.engine = engine_choice::gpu;
  options.gzip_decoder = decoder.decoder;
  options.decompression_backend = decoder.backend;
  options.nvcomp_folder = test::nvcomp_folder();
  return options;
}

/// Tiles of equal shape, one row each.
struct batch {
  codec_id codec = codec_id::gzip_1;
  std::uint64_t pixels = 0;
  std::uint32_t element_bytes = 1;
  std::vector<bytes> tiles;
};

pixel_type integer_of(std::uint32_t width) {
  return width == 1 ? pixel_type::u8 : width == 2 ? pixel_type::i16 : width == 4 ? pixel_type::i32 : pixel_type::i64;
}

image_plan plan_of(const batch& made, bytes& file) {
  image_plan plan;
  plan.file = "batch";
  const auto width = static_cast<std::int64_t>(made.pixels);
  plan.image_shape = {2, {static_cast<std::int64_t>(made.tiles.size()), width}};
  plan.section = whole(plan.image_shape);
  plan.grid = {bounds_of(plan.section), {2, {1, width}}};
  plan.stored_type = plan.output_type = integer_of(made.element_bytes);
  tile_group group;
  group.codec = made.codec;
  group.recipe.stored_type = group.recipe.output_type = plan.output_type;
  group.capacity_bytes_per_pixel = 8;
  for (std::uint32_t index = 0; index < made.tiles.size(); ++index) {
    const bytes& tile = made.tiles[index];
    group.tiles.push_back({file.size(), static_cast<std::uint32_t>(tile.size()), index, 0, 0});
    file.insert(file.end(), tile.begin(), tile.end());
  }
  file.resize(std::max<std::size_t>(file.size(), 1));
  plan.file_bytes = file.size();
  plan.groups.push_back(std::move(group));
  return plan;
}

struct decoded_batch {
  std::vector<tile_result> results;
  bytes pixels;                    // with 256 bytes of canary
  std::vector<std::string> notes;  // empty where a tile was bad
};

decoded_batch decode(const image_plan& plan, const bytes& file, const read_options& options, bool verify_crc32 = true) {
  const auto source = io::open_memory(file, "tiles");
  device::device_context& context = device::context_for(0);
  const device::current_device guard(0);
  const device::work_lease slot = context.acquire_slot();
  const auto length =
      static_cast<std::size_t>(pixel_count(plan.section)) * static_cast<std::size_t>(size_bytes(plan.output_type));
  const device::buffer out(context.memory(), length + 256, slot->work.get());
  device::check(device::api().fill(out.data(), 0xA5, out.size_bytes(), slot->work.get()), "poison");
  resident_image image(plan, *source, context, *slot, 2, options);
  image.decode(out.data(), verify_crc32, options.restore);
  decoded_batch made;
  made.results = image.copy_results();
  made.pixels.resize(out.size_bytes());
  copy_to_host(out.data(), made.pixels, context, *slot, 2);
  try {
    made.notes = image.finish().notes;
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::tile_corrupt) << problem.what();
  }
  return made;
}

bool mentions_second_decoder(const std::vector<std::string>& notes) {
  return std::any_of(notes.begin(), notes.end(),
                     [](const std::string& note) { return note.find("built-in decoder") != std::string::npos; });
}

/// Every decoder of nvCOMP against ours. `all_by_nvcomp`: no tile may have needed our own.
void compare(const batch& made, const std::string& what, bool all_by_nvcomp, restore_variant variant = {},
             bool verify_crc32 = true) {
  bytes file;
  const image_plan plan = plan_of(made, file);
  read_options own;
  own.restore = variant;
  const decoded_batch wanted = decode(plan, file, own);
  const std::size_t row_bytes = made.pixels * made.element_bytes;
  for (const decoder_case& decoder : decoders) {
    read_options options = options_of(decoder);
    options.restore = variant;
    const std::string which = what + ", " + decoder.name;
    const decoded_batch got = decode(plan, file, options, verify_crc32);
    for (std::size_t i = 0; i < made.tiles.size(); ++i) {
      if (!all_by_nvcomp && got.results[i].status == tile_status::ok && wanted.results[i].status != tile_status::ok) {
        // nvCOMP makes more of some damaged streams than we do: right by CRC32 and length, so the whole tile's pixels.
        ASSERT_EQ(std::memcmp(&got.pixels[i * row_bytes], &wanted.pixels[0], row_bytes), 0) << which << " tile " << i;
        continue;
      }
      ASSERT_EQ(name(got.results[i].status), name(wanted.results[i].status)) << which << " tile " << i;
      ASSERT_EQ(got.results[i], wanted.results[i]) << which << " tile " << i;
      if (wanted.results[i].status != tile_status::ok) continue;
      ASSERT_EQ(std::memcmp(&got.pixels[i * row_bytes], &wanted.pixels[i * row_bytes], row_bytes), 0)
          << which << " tile " << i << ": pixels differ";
    }
    for (std::size_t i = made.tiles.size() * row_bytes; i < got.pixels.size(); ++i) {
      ASSERT_EQ(got.pixels[i], 0xA5) << which;
    }
    if (all_by_nvcomp) {
      ASSERT_EQ(got.notes.size(), 1U) << which;
      EXPECT_NE(got.notes[0].find("trusted files only"), std::string::npos) << got.notes[0];
    }
  }
}

/// Tiles of every kind that can be written here; the same tile at every alignment.
TEST(nvcomp_device, whole_tiles_of_every_kind) {
  XDR_NEED_NVCOMP();
  for (const char* const codec : {"GZIP_1", "GZIP_2"}) {
    for (const std::uint64_t pixels : {1U, 2U, 33U, 1000U, 4096U, 20011U}) {
      for (const test::encoded_tile& tile : test::make_tiles(*find_codec(codec), pixels, 3)) {
        const batch made{find_codec(codec)->id, pixels, tile.element_bytes, std::vector<bytes>(35, tile.bytes)};
        const std::string what = std::string(codec) + " " + tile.name + " " + std::to_string(pixels);
        ASSERT_NO_FATAL_FAILURE(compare(made, what, pixels >= 1000));
      }
    }
  }
}

TEST(nvcomp_device, surplus_and_empty_tiles_are_ours) {
  XDR_NEED_NVCOMP();
  for (const test::encoded_tile& tile : test::make_tiles(*find_codec("GZIP_2"), 333, 4)) {
    batch made{codec_id::gzip_2, 333, tile.element_bytes, std::vector<bytes>(20, tile.bytes)};
    for (std::size_t i = 0; i < made.tiles.size(); i += 3) made.tiles[i].resize(tile.bytes.size() + 1 + i, 0x5A);
    ASSERT_NO_FATAL_FAILURE(compare(made, "surplus " + tile.name, false));
    bytes file;
    const image_plan plan = plan_of(made, file);
    EXPECT_TRUE(mentions_second_decoder(decode(plan, file, options_of(decoders[0])).notes)) << tile.name;
    made.tiles[5].clear();
    ASSERT_NO_FATAL_FAILURE(compare(made, "empty " + tile.name, false));
  }
}

constexpr int device_lost_exit = 3;

/// nvCOMP 6.0.0 was seen to reach outside of every memory of ours on a cut stream (illegal memory access on an H200):
/// then the process has lost the device, and says so. So damaged tiles are decoded in a process of their own, which
/// ends well, or with that error, and never otherwise.
void expect_good_end(const std::function<void()>& work) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto ends_well = [](int status) {
    return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == device_lost_exit);
  };
  EXPECT_EXIT(
      {
        try {
          work();
        } catch (const error& problem) {
          if (problem.code() == errc::device_lost || problem.code() == errc::device_failed)
            std::_Exit(device_lost_exit);
          std::_Exit(4);
        }
        std::_Exit(::testing::Test::HasFailure() ? 5 : 0);
      },
      ends_well, "");
}

/// Whole tiles stand between damaged ones, in front and behind: their pixels and verdicts stay.
void compare_damaged(const test::encoded_tile& tile, const std::vector<bytes>& damaged, const std::string& what,
                     bool verify_crc32 = true) {
  batch made{codec_id::gzip_1, tile.pixels, tile.element_bytes, {tile.bytes, tile.bytes}};
  for (const bytes& one : damaged) {
    made.tiles.push_back(one);
    made.tiles.push_back(tile.bytes);
  }
  ASSERT_NO_FATAL_FAILURE(compare(made, what + " " + tile.name, false, restore_variant::fused, verify_crc32));
}

TEST(nvcomp_device, cut_tiles) {
  XDR_NEED_NVCOMP();
  for (const test::encoded_tile& tile : test::make_tiles(*find_codec("GZIP_1"), 700, 5)) {
    std::vector<bytes> damaged;
    for (std::size_t cut = 1; cut <= tile.bytes.size(); cut += 1 + tile.bytes.size() / 60) {
      damaged.emplace_back(tile.bytes.begin(), tile.bytes.end() - static_cast<long>(cut));
      // The trailer of the whole tile behind a cut payload: the framing promises what the payload does not hold.
      damaged.push_back(damaged.back());
      damaged.back().insert(damaged.back().end(), tile.bytes.end() - 8, tile.bytes.end());
    }
    expect_good_end([&] { compare_damaged(tile, damaged, "cut"); });
  }
}

TEST(nvcomp_device, flipped_bits) {
  XDR_NEED_NVCOMP();
  for (const test::encoded_tile& tile : test::make_tiles(*find_codec("GZIP_1"), 700, 6)) {
    std::vector<bytes> damaged;
    for (std::size_t bit = 0; bit < tile.bytes.size() * 8; bit += 1 + tile.bytes.size() / 40) {
      damaged.push_back(tile.bytes);
      damaged.back()[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
    expect_good_end([&] { compare_damaged(tile, damaged, "flipped"); });
  }
}

/// The fault that was measured: a stream of four times the pixels is written over the neighbours. With an honest ISIZE
/// it never reaches nvCOMP; with a lying one it does, and what it destroyed is decoded again.
TEST(nvcomp_device, a_stream_of_four_times_the_pixels) {
  XDR_NEED_NVCOMP();
  const test::encoded_tile tile = test::make_tiles(*find_codec("GZIP_1"), 4000, 7).front();
  bytes four;
  for (std::size_t i = 0; i < 4 * 8 * tile.pixels; ++i) four.push_back(static_cast<std::uint8_t>(i * i / 7));
  const bytes honest = test::gzip_by_libdeflate(four, 6);
  bytes lying = honest;
  std::copy(tile.bytes.end() - 8, tile.bytes.end(), lying.end() - 8);
  ASSERT_NO_FATAL_FAILURE(compare_damaged(tile, {honest, lying, tile.bytes, tile.bytes, lying}, "four times"));
}

/// gzip_crc32 off spares our own decoder the sum; nvCOMP's bytes are never believed without it.
TEST(nvcomp_device, the_checksum_is_always_compared) {
  XDR_NEED_NVCOMP();
  const test::encoded_tile tile = test::make_tiles(*find_codec("GZIP_1"), 700, 8).front();
  bytes wrong = tile.bytes;
  wrong[wrong.size() - 7] ^= 4;
  ASSERT_NO_FATAL_FAILURE(compare_damaged(tile, {wrong}, "checksum", false));
}

TEST(nvcomp_device, more_tiles_than_one_batch_and_the_separate_variant) {
  XDR_NEED_NVCOMP();
  bytes raw(16384);
  for (std::size_t i = 0; i < raw.size(); ++i) raw[i] = static_cast<std::uint8_t>(i / 64);
  // 128 KiB of room a tile: 1 GiB ends before 9000 of them.
  batch made{codec_id::gzip_1, raw.size(), 1, std::vector<bytes>(9000, test::gzip_by_libdeflate(raw, 6))};
  ASSERT_NO_FATAL_FAILURE(compare(made, "many", true));
  made.tiles.resize(40);
  ASSERT_NO_FATAL_FAILURE(compare(made, "separate", true, restore_variant::separate));
}

TEST(nvcomp_device, receipts_name_the_decoder) {
  XDR_NEED_NVCOMP();
  const auto source = test::source_of(test::compressed_file(test::gzip_image({2, {60, 100}}, {2, {1, 100}})));
  read_options own;
  own.engine = engine_choice::gpu;
  const image wanted = read(*source, hdu_selector::number(1), own);
  EXPECT_EQ(wanted.facts().gzip_decoder, "builtin");
  EXPECT_TRUE(wanted.facts().notes.empty());
  for (const decoder_case& decoder : decoders) {
    const image got = read(*source, hdu_selector::number(1), options_of(decoder));
    EXPECT_TRUE(std::equal(wanted.bytes().begin(), wanted.bytes().end(), got.bytes().begin(), got.bytes().end()));
    EXPECT_EQ(got.facts().gzip_decoder, decoder.name);
    ASSERT_FALSE(got.facts().notes.empty());
    EXPECT_NE(got.facts().notes[0].find("trusted files only"), std::string::npos) << got.facts().notes[0];
    EXPECT_EQ(got.facts().checks, std::vector<std::string>{"CRC32 and ISIZE"});
  }
}

/// The same words as our own decoder's error: file, HDU, tile, position.
TEST(nvcomp_device, a_damaged_tile_is_named) {
  XDR_NEED_NVCOMP();
  test::compressed_image made = test::gzip_image({2, {60, 100}}, {2, {1, 100}});
  bytes file = test::compressed_file(made);
  file[file.size() - 2880 + 40] ^= 0x10;
  const auto source = test::source_of(file);
  const auto outcome = [&](const read_options& options) {
    try {
      read(*source, hdu_selector::number(1), options);
      return std::string("no error");
    } catch (const error& problem) {
      return std::string(problem.what());
    }
  };
  read_options own;
  own.engine = engine_choice::gpu;
  const std::string wanted = outcome(own);
  for (const decoder_case& decoder : decoders) EXPECT_EQ(outcome(options_of(decoder)), wanted);
}

/// Needs a GPU, no nvCOMP: the explicit choice is refused, images without gzip tiles are read all the same.
TEST(nvcomp_device, its_absence_is_refused_only_where_gzip_tiles_are_decoded) {
  XDR_NEED_DEVICE();
  forget_nvcomp();
  const auto tiled = test::source_of(test::compressed_file(test::gzip_image({2, {6, 100}}, {2, {1, 100}})));
  const auto plain = test::source_of(test::plain_file({2, {6, 100}}));
  for (const decoder_case& decoder : decoders) {
    read_options options = options_of(decoder);
    options.nvcomp_folder = "/no/such/folder";
    for (const engine_choice engine : {engine_choice::gpu, engine_choice::automatic}) {
      options.engine = engine;
      try {
        read(*tiled, hdu_selector::number(1), options);
        ADD_FAILURE() << decoder.name;
      } catch (const error& problem) {
        EXPECT_EQ(problem.code(), errc::unsupported);
        ASSERT_EQ(problem.reasons().size(), 1U);
        EXPECT_EQ(problem.reasons()[0].code, reason_code::nvcomp_unavailable);
        EXPECT_NE(std::string(problem.what()).find("nvidia-libnvcomp-cu13"), std::string::npos) << problem.what();
      }
      EXPECT_EQ(read(*plain, hdu_selector{}, options).facts().gzip_decoder, "");
    }
    options.engine = engine_choice::host;
    EXPECT_EQ(read(*tiled, hdu_selector::number(1), options).facts().gzip_decoder, "host");
  }
  forget_nvcomp();
}

TEST(nvcomp_device, hardware_that_is_not_there_is_refused) {
  XDR_NEED_DEVICE();
  device::decompression_engine engine;
  ASSERT_EQ(device::api().find_engine(&engine, 0), 0);
  if (engine.inflates) GTEST_SKIP() << "this GPU has a decompression engine";
  const auto tiled = test::source_of(test::compressed_file(test::gzip_image({2, {6, 100}}, {2, {1, 100}})));
  read_options options;
  options.decompression_backend = decompression_backend_choice::hardware;
  for (const auto decoder : {gzip_decoder_choice::automatic, gzip_decoder_choice::gzip}) {
    options.gzip_decoder = decoder;
    try {
      read(*tiled, hdu_selector::number(1), options);
      ADD_FAILURE();
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::unsupported);
      ASSERT_EQ(problem.reasons().size(), 1U);
      EXPECT_EQ(problem.reasons()[0].code, reason_code::hardware_unavailable);
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr
