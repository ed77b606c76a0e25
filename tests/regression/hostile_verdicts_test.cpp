// hostile_verdicts_test.cpp: what a decoder says against a tile reaches the caller, whichever codec, and no pixel of
// it; what it says against one tile takes nothing from the others.
#include <algorithm>
#include <new>

#include "hostile_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

/// One tile of each kind that a codec has here.
std::vector<encoded_tile> some_tiles(const codec_row& row, std::uint64_t pixels) {
  std::vector<encoded_tile> some;
  std::size_t count = 0;
  for (encoded_tile& tile : make_tiles(row, pixels, 11)) {
    if (kind_of(row, tile) && ++count % 5 == 1) some.push_back(std::move(tile));
  }
  return some;
}

TEST(hostile_verdicts, an_error_of_a_decoder_is_an_error_of_the_load) {
  for (const codec_row& row : codec_table()) {
    for (const encoded_tile& tile : some_tiles(row, 33)) {
      SCOPED_TRACE(std::string(row.fits_name) + " " + tile.name);
      const stack_of_tiles kind = *kind_of(row, tile);
      byte_vector cut = tile.bytes;
      cut.resize(cut.size() > 3 ? cut.size() - 3 : 1);
      if (row.id == codec_id::plio_1) cut.resize(cut.size() / 2 * 2);
      const byte_vector file = compressed_file(stacked(kind, {tile.bytes, cut}));
      const error found = error_of(file, 1);
      expect_error(found, errc::tile_corrupt, {"made.fits", 1, 1}, {kind.codec});

      const auto source = source_of(file);
      const image_plan steps = plan(*source, hdu_selector::number(1));
      std::vector<std::uint64_t> out(tile.raw.size() / 4 + 1);
      const std::span<std::uint8_t> room(reinterpret_cast<std::uint8_t*>(out.data()), 2 * tile.raw.size());
      EXPECT_THROW(read_into(*source, steps, room), error);
    }
  }
}

TEST(hostile_verdicts, one_bad_tile_among_many_is_named_and_costs_no_other) {
  for (const codec_row& row : codec_table()) {
    const std::vector<encoded_tile> tiles = some_tiles(row, 21);
    if (tiles.empty()) continue;  // no encoder in this build
    const encoded_tile& tile = tiles.front();
    const stack_of_tiles kind = *kind_of(row, tile);
    const byte_vector pixels = native_pixels(row, tile);
    byte_vector cut = tile.bytes;
    cut.resize(row.id == codec_id::plio_1 ? 4 : 1);
    std::vector<byte_vector> column(100, tile.bytes);  // more than a warp
    column[71] = column[38] = column[37] = cut;
    const byte_vector file = compressed_file(stacked(kind, column));
    for (const unsigned threads : {1U, 4U}) {
      read_options options;
      options.threads = threads;
      expect_error(error_of(file, 1, options), errc::tile_corrupt, {"made.fits", 1, 37}, {kind.codec});
      for (const auto& [first, count] : {std::pair{0, 37}, std::pair{39, 32}, std::pair{72, 28}}) {
        options.section = box{2, {first * kind.rows, 0}, {count * kind.rows, kind.columns}};
        byte_vector expected;
        for (int i = 0; i < count; ++i) append(expected, pixels);
        ASSERT_NO_FATAL_FAILURE(expect_bytes(load_both(file, 1, options), expected)) << kind.codec << " from " << first;
      }
      options.section.reset();
    }
  }
}

TEST(hostile_verdicts, a_tile_of_one_byte_gets_a_verdict) {
  for (const codec_row& row : codec_table()) {
    for (const int byte : {0, 1, 0x1f, 0x7f, 0x80, 0xdd, 0xff}) {
      for (const std::size_t length : {1U, 2U, 3U}) {
        byte_vector tile(length, static_cast<std::uint8_t>(byte));
        std::vector<std::uint8_t> room(8 + raw_slack_bytes);
        const tile_result result = row.decode_tile({}, {tile.data(), tile.size()}, {1, 1}, room).result;
        EXPECT_NE(name(result.status), name(tile_status::not_run)) << row.fits_name;
        if (row.id == codec_id::plio_1 && length % 2 != 0) continue;
        const stack_of_tiles kind{std::string(row.fits_name), 8, 1, 1, {card("ZNAME1", "BYTEPIX"), card("ZVAL1", 1)}};
        const read_outcome outcome =
            outcome_of(compressed_file(stacked(kind, {tile, tile})), hdu_selector::number(1), {});
        const auto* problem = std::get_if<error>(&outcome);
        EXPECT_TRUE(problem == nullptr || problem->code() == errc::tile_corrupt) << describe(outcome);
      }
    }
  }
}

class hostile_bytes : public judged_tiles {};

TEST_F(hostile_bytes, random_ones_end_in_the_same_verdict_on_every_engine) {
  std::uint32_t state = 1;
  for (const codec_row& row : codec_table()) {
    const encoded_tile plain{"", {}, 60, 2, {}, {}, 6};
    stack_of_tiles kind = *kind_of(row, plain);
    if (row.id == codec_id::rice_1) kind.extra = {card("ZNAME1", "BYTEPIX"), card("ZVAL1", 2)};
    codec_parameters parameters;
    parameters.rice_pixel_bytes = 2;
    for (int round = 0; round < 40; ++round) {
      std::vector<byte_vector> tiles(7, byte_vector(2 * (1 + static_cast<std::size_t>(round) * 3)));
      for (byte_vector& tile : tiles) {
        for (std::uint8_t& byte : tile) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
        if (row.id == codec_id::gzip_1 && tile.size() > 10) std::copy_n("\x1f\x8b\x08\0\0\0\0\0\0\0", 10, tile.begin());
      }
      for (const byte_vector& tile : tiles) judge(row.id, tile, plain.extents(), 8, parameters);
      outcome_of(compressed_file(stacked(kind, tiles)), hdu_selector::number(1), {});  // ends; engines agree
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
