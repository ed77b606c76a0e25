// hostile_rice_test.cpp: streams of RICE_1 without the ones that end a code, cut inside a block, or with more behind
// them.
#include "hostile_tiles.hpp"
#include "support/bit_writer.hpp"

namespace cuphoton::xdr::test {
namespace {

constexpr std::int64_t tile_pixels = 40;  // a block of 32 and one of 8

/// Bits of the field in front of a block: 3, 4 or 5.
int field_bits(std::uint32_t width) {
  return width == 1 ? 3 : width == 2 ? 4 : 5;
}
stack_of_tiles kind_of_width(std::uint32_t width) {
  return {"RICE_1", 8 * static_cast<int>(width), 1, tile_pixels, {card("ZNAME1", "BYTEPIX"), card("ZVAL1", width)}};
}
codec_parameters parameters_of(std::uint32_t width) {
  codec_parameters parameters;
  parameters.rice_pixel_bytes = width;
  return parameters;
}
/// 40 pixels of 7: two blocks that say "all equal".
byte_vector sevens(std::uint32_t width) {
  msb_bit_writer bits;
  bits.put(7, 8 * static_cast<int>(width)).zeros(2 * field_bits(width));
  return bits.bytes();
}
/// 7, then 39 differences of +1 or 0 in turn, coded with f low bits: mapped 2 and 0.
byte_vector rising(std::uint32_t width, int f) {
  msb_bit_writer bits;
  bits.put(7, 8 * static_cast<int>(width));
  for (int i = 0; i < tile_pixels; ++i) {
    if (i % 32 == 0) bits.put(static_cast<std::uint64_t>(f + 1), field_bits(width));
    const unsigned mapped = i % 2 == 1 ? 2 : 0;
    bits.zeros(static_cast<int>(mapped >> f)).put(1, 1).put(mapped, f);
  }
  return bits.bytes();
}

template <class T>
void expect_bad(const byte_vector& bad, tile_status status) {
  expect_one_bad_tile(kind_of_width(sizeof(T)), sevens(sizeof(T)), std::vector<T>(tile_pixels, 7), bad, status);
}
void expect_bad_in(std::uint32_t width, const byte_vector& bad, tile_status status) {
  if (width == 1) return expect_bad<std::uint8_t>(bad, status);
  width == 2 ? expect_bad<std::int16_t>(bad, status) : expect_bad<std::int32_t>(bad, status);
}

class hostile_rice : public judged_tiles {};

TEST_F(hostile_rice, zeros_without_an_end_are_truncated) {
  for (const std::uint32_t width : {1U, 2U, 4U}) {
    for (int f = 0; f <= 2; ++f) {
      for (const std::size_t zeros : {0U, 1U, 7U, 8U, 63U, 5000U, 300000U}) {
        msb_bit_writer bits;
        bits.put(7, 8 * static_cast<int>(width)).put(static_cast<std::uint64_t>(f + 1), field_bits(width));
        byte_vector tile = bits.bytes();
        tile.resize(tile.size() + zeros);
        SCOPED_TRACE(std::to_string(width) + " bytes, f " + std::to_string(f) + ", " + std::to_string(zeros));
        const auto pixels = static_cast<std::uint64_t>(tile_pixels);
        const tile_result result = judge(codec_id::rice_1, tile, pixels, width, parameters_of(width));
        ASSERT_EQ(name(result.status), name(tile_status::truncated));
        ASSERT_EQ(result.bytes_written, 0U);
        if (zeros < 400) expect_bad_in(width, tile, tile_status::truncated);
      }
    }
  }
}

TEST_F(hostile_rice, a_stream_cut_anywhere_is_truncated) {
  for (const std::uint32_t width : {1U, 2U, 4U}) {
    for (int f = 0; f <= 5; ++f) {
      const byte_vector whole = rising(width, f);
      const auto pixels = static_cast<std::uint64_t>(tile_pixels);
      ASSERT_EQ(name(judge(codec_id::rice_1, whole, pixels, width, parameters_of(width)).status),
                name(tile_status::ok));
      for (std::size_t length = 0; length < whole.size(); ++length) {
        const byte_vector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        ASSERT_EQ(name(judge(codec_id::rice_1, cut, pixels, width, parameters_of(width)).status),
                  name(tile_status::truncated))
            << width << " bytes, f " << f << ", cut to " << length;
      }
      expect_bad_in(width, {whole.begin(), whole.end() - 1}, tile_status::truncated);
    }
  }
}

TEST_F(hostile_rice, a_tile_shorter_than_its_first_pixel_is_truncated) {
  for (const std::uint32_t width : {1U, 2U, 4U}) {
    for (std::uint32_t length = 1; length <= width; ++length) {  // no bytes: no tile, the table says so
      expect_bad_in(width, byte_vector(length, 0xff), tile_status::truncated);
    }
  }
}

TEST(hostile_surplus, bytes_behind_a_stream_change_nothing_however_often_it_is_read) {
  for (const codec_row& row : codec_table()) {
    if (row.id == codec_id::none) continue;  // no stream: the length of the tile decides how wide its pixels are
    int kinds = 0;
    for (const encoded_tile& tile : make_tiles(row, 20, 3)) {
      const auto kind = kind_of(row, tile);
      if (!kind) continue;
      if (++kinds % 3 != 1) continue;
      SCOPED_TRACE(kind->codec + " " + tile.name);
      const byte_vector expected = native_pixels(row, tile);
      for (const std::size_t surplus : {2U, 8U, 64U}) {
        byte_vector bytes = tile.bytes;
        bytes.resize(bytes.size() + surplus, 0x5a);
        if (row.id == codec_id::plio_1 && bytes.size() > 2 * (3 * 20 + 8)) continue;  // refused as a whole
        const byte_vector file = compressed_file(stacked(*kind, {bytes}));
        for (int round = 0; round < 2; ++round) {
          const image pixels = load_both(file, 1);
          ASSERT_NO_FATAL_FAILURE(expect_bytes(pixels, expected));
          EXPECT_TRUE(has_note(pixels, "1 tiles had bytes after the end of their stream"));
        }
      }
    }
#if defined(XDR_HAVE_CFITSIO)
    EXPECT_GT(kinds, 0) << row.fits_name;
#endif
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
