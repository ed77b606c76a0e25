// Every codec of the table on the device against the host's shared core, tile by tile: valid tiles of every kind, every
// truncation and every single-bit flip of small ones, all in one batch. Same status, position and pixels; canaries
// between the outputs stay whole.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include <cuphoton/xdr/reader.hpp>

#include "codecs/codec.hpp"
#include "engine/resident.hpp"
#include "restore/restore.hpp"
#include "io/device_read.hpp"
#include "io/memory.hpp"
#include "support/codec_cores.hpp"
#include "support/encoders.hpp"
#include "support/need_device.hpp"

namespace cuphoton::xdr {
namespace {

using bytes = std::vector<std::uint8_t>;

/// Tiles of equal shape that are decoded together, one below the other.
struct batch {
  codec_id codec;
  codec_parameters parameters;
  std::uint64_t pixels = 0;
  std::uint64_t rows = 1;            // of a tile
  pixel_type type = pixel_type::u8;  // stored and delivered
  std::vector<bytes> tiles;
};

pixel_recipe plain_recipe(pixel_type type) {
  pixel_recipe recipe;
  recipe.stored_type = recipe.output_type = type;
  return recipe;
}

image_plan plan_of(const batch& made, bytes& file) {
  image_plan plan;
  plan.file = "batch";
  const auto rows = static_cast<std::int64_t>(made.rows);
  const auto width = static_cast<std::int64_t>(made.pixels / made.rows);
  plan.image_shape = {2, {static_cast<std::int64_t>(made.tiles.size()) * rows, width}};
  plan.section = whole(plan.image_shape);
  plan.grid = {bounds_of(plan.section), {2, {rows, width}}};
  plan.stored_type = plan.output_type = made.type;
  tile_group group;
  group.codec = made.codec;
  group.parameters = made.parameters;
  group.recipe = plain_recipe(made.type);
  group.capacity_bytes_per_pixel = made.codec == codec_id::rice_1 ? made.parameters.rice_pixel_bytes : 8;
  for (std::uint32_t index = 0; index < made.tiles.size(); ++index) {
    const bytes& tile = made.tiles[index];
    group.tiles.push_back({file.size(), static_cast<std::uint32_t>(tile.size()), index, 0, 0});
    file.insert(file.end(), tile.begin(), tile.end());
  }
  plan.file_bytes = file.size();
  plan.groups.push_back(std::move(group));
  return plan;
}

/// The host core's verdict and, where ok, the restored pixels.
struct expectation {
  tile_result result;
  bytes pixels;
};

expectation expect(const batch& made, const bytes& tile) {
  const codec_row& row = *find_codec(made.codec);
  bytes room(made.pixels * 8);
  const std::uint32_t capacity = made.codec == codec_id::rice_1 ? made.parameters.rice_pixel_bytes : 8;
  const decoded_tile decoded =
      test::find_core(made.codec)
          ->decode(0, made.parameters, {tile.data(), tile.size()}, {made.rows, made.pixels / made.rows},
                   {room.data(), made.pixels * capacity});
  expectation wanted{decoded.result, {}};
  const pixel_recipe recipe = plain_recipe(made.type);
  if (wanted.result.status == tile_status::ok) {
    wanted.result.status = check_element_width(recipe, wanted.result.element_bytes);
  }
  if (wanted.result.status != tile_status::ok) return wanted;
  raw_tile raw;
  raw.raw = decoded.raw;
  raw.pixels = made.pixels;
  raw.layout = row.layout;
  raw.element_bytes = wanted.result.element_bytes;
  std::vector<double> aligned(made.pixels + 1);
  auto* const out = reinterpret_cast<std::uint8_t*>(aligned.data());
  wanted.result.status = restore_run(recipe, raw, 0, made.pixels, out).status;
  wanted.pixels.assign(out, out + made.pixels * static_cast<std::uint64_t>(size_bytes(made.type)));
  return wanted;
}

void compare(const batch& made, const std::string& what) {
  if (made.tiles.empty()) return;
  bytes file;
  const image_plan plan = plan_of(made, file);
  file.resize(std::max<std::size_t>(file.size(), 1));
  const auto source = io::open_memory(file, "tiles");
  device::device_context& context = device::context_for(0);
  const device::current_device guard(0);
  const device::work_lease slot = context.acquire_slot();
  const std::size_t row_bytes = made.pixels * static_cast<std::size_t>(size_bytes(made.type));
  const device::buffer out(context.memory(), made.tiles.size() * row_bytes + 256, slot->work.get());
  device::check(device::api().fill(out.data(), 0xA5, out.size_bytes(), slot->work.get()), "poison");
  resident_image image(plan, *source, context, *slot, 2);
  image.decode(out.data(), true);
  const std::vector<tile_result> results = image.copy_results();
  bytes pixels(out.size_bytes());
  copy_to_host(out.data(), pixels, context, *slot, 2);
  for (std::size_t i = 0; i < made.tiles.size(); ++i) {
    const expectation wanted = expect(made, made.tiles[i]);
    const tile_result& got = results[i];
    ASSERT_EQ(name(got.status), name(wanted.result.status))
        << what << " tile " << i << " check " << got.check.file << ':' << got.check.line << " host "
        << wanted.result.check.file << ':' << wanted.result.check.line;
    ASSERT_EQ(got.bits_used, wanted.result.bits_used) << what << " tile " << i;
    ASSERT_EQ(got.bytes_written, wanted.result.bytes_written) << what << " tile " << i;
    ASSERT_EQ(got.check, wanted.result.check) << what << " tile " << i;
    if (wanted.result.status != tile_status::ok) continue;
    ASSERT_EQ(got.element_bytes, wanted.result.element_bytes) << what << " tile " << i;
    ASSERT_EQ(got.surplus_input, wanted.result.surplus_input) << what << " tile " << i;
    ASSERT_TRUE(
        std::equal(wanted.pixels.begin(), wanted.pixels.end(), pixels.begin() + static_cast<long>(i * row_bytes)))
        << what << " tile " << i << ": pixels differ";
  }
  for (std::size_t i = made.tiles.size() * row_bytes; i < pixels.size(); ++i) ASSERT_EQ(pixels[i], 0xA5) << what;
}

pixel_type integer_of(std::uint32_t width) {
  return width == 1 ? pixel_type::u8 : width == 2 ? pixel_type::i16 : width == 4 ? pixel_type::i32 : pixel_type::i64;
}

batch batch_of(const codec_row& row, const test::encoded_tile& tile) {
  return {row.id, tile.parameters, tile.pixels, tile.rows, integer_of(tile.element_bytes), {}};
}

/// compute-sanitizer makes everything 10 to 100 times slower: XDR_SMALL=1 keeps one of each kind.
bool small_set() {
  const char* const wanted = std::getenv("XDR_SMALL");
  return wanted != nullptr && std::string(wanted) == "1";
}
std::vector<std::uint64_t> sizes(std::vector<std::uint64_t> all, std::vector<std::uint64_t> few) {
  return small_set() ? few : all;
}

class codec_device : public testing::TestWithParam<codec_row> {};

TEST_P(codec_device, valid_tiles) {
  XDR_NEED_DEVICE();
  for (const std::uint64_t pixels : sizes({1, 2, 31, 32, 33, 100, 1000, 4096, 20011}, {1, 700})) {
    for (std::uint32_t seed = 1; seed <= (small_set() ? 1U : 3U); ++seed) {
      for (const test::encoded_tile& tile : test::make_tiles(GetParam(), pixels, seed)) {
        batch made = batch_of(GetParam(), tile);
        for (int copy = 0; copy < 35; ++copy) {  // more than a warp; offsets of every alignment
          made.tiles.push_back(tile.bytes);
          if (copy % 3 == 0)
            made.tiles.back().resize(made.tiles.back().size() + 1 + static_cast<std::size_t>(copy % 7),
                                     0x5A);  // surplus
        }
        compare(made, tile.name + " " + std::to_string(pixels));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(codec_device, every_truncation) {
  XDR_NEED_DEVICE();
  for (const std::uint64_t pixels : sizes({3, 70}, {70})) {
    for (const test::encoded_tile& tile : test::make_tiles(GetParam(), pixels, 5)) {
      batch made = batch_of(GetParam(), tile);
      // The shortest last: what reads on behind them leaves the arena.
      for (std::size_t cut = 0; cut <= tile.bytes.size(); cut += small_set() ? 7U : 1U) {
        made.tiles.emplace_back(tile.bytes.begin(), tile.bytes.end() - static_cast<long>(cut));
      }
      made.tiles.emplace_back();
      compare(made, "cut " + tile.name);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(codec_device, every_single_bit_flip) {
  XDR_NEED_DEVICE();
  for (const std::uint64_t pixels : sizes({3, 70}, {70})) {
    for (const test::encoded_tile& tile : test::make_tiles(GetParam(), pixels, 6)) {
      batch made = batch_of(GetParam(), tile);
      for (std::size_t bit = 0; bit < tile.bytes.size() * 8; bit += small_set() ? 11U : 1U) {
        made.tiles.push_back(tile.bytes);
        made.tiles.back()[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
      }
      compare(made, "flipped " + tile.name);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(codec_device, other_stored_types) {
  XDR_NEED_DEVICE();
  for (const test::encoded_tile& tile : test::make_tiles(GetParam(), 333, 7)) {
    for (const pixel_type type : {pixel_type::u8, pixel_type::i16, pixel_type::i32, pixel_type::i64, pixel_type::f32}) {
      if (small_set() && type != pixel_type::i16 && type != pixel_type::f32) continue;
      batch made = batch_of(GetParam(), tile);
      if (type == pixel_type::f32 && GetParam().layout == raw_layout::native_int) continue;  // no such plan
      made.type = type;
      made.tiles.assign(5, tile.bytes);
      compare(made, std::string(name(type)) + " from " + tile.name);
      if (HasFatalFailure()) return;
    }
  }
}

std::string test_name(const testing::TestParamInfo<codec_row>& row) {
  return std::string(row.param.fits_name);
}

INSTANTIATE_TEST_SUITE_P(table, codec_device, testing::ValuesIn(codec_table().begin(), codec_table().end()), test_name);

}  // namespace
}  // namespace cuphoton::xdr
