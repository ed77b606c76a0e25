// hostile_hcompress_test.cpp: streams of HCOMPRESS_1 that claim another shape than their tile, or end before it does.
#include <limits>

#include "hostile_tiles.hpp"
#include "support/hcompress_reference.hpp"

namespace cuphoton::xdr::test {
namespace {

constexpr std::int32_t int_max = std::numeric_limits<std::int32_t>::max();

/// Four pixels of 3: their sum, and no other coefficient. With another shape in the header where it is given.
byte_vector four_threes(int rows = 2, int columns = 2) {
  hcompress_stream stream;
  stream.rows = rows;
  stream.columns = columns;
  stream.sum = 12;
  msb_bit_writer bits;
  put_hcompress_header(bits, stream);
  return bits.zeros(8).bytes();
}

const stack_of_tiles two_by_two{"HCOMPRESS_1", 16, 2, 2, {}};

class hostile_hcompress : public judged_tiles {};

TEST_F(hostile_hcompress, the_shape_of_a_tile_is_not_taken_from_its_stream) {
  const std::vector<std::int16_t> threes(4, 3);
  expect_pixels<std::int16_t>(load_both(compressed_file(stacked(two_by_two, {four_threes()})), 1), threes);
  // The last ones wrap around to 4 pixels, or to fewer, in 32 bits.
  const std::pair<int, int> larger[] = {{2, 3},
                                        {3, 2},
                                        {2, 4096},
                                        {4096, 2},
                                        {1, int_max},
                                        {int_max, 1},
                                        {1 << 15, 1 << 15},
                                        {int_max, int_max},
                                        {1 << 16, 1 << 16},
                                        {1 << 30, 1 << 3},
                                        {(1 << 30) + 1, 4}};
  for (const auto& [rows, columns] : larger) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    const byte_vector tile = four_threes(rows, columns);
    EXPECT_EQ(name(judge(codec_id::hcompress_1, tile, {2, 2}).status), name(tile_status::output_long));
    expect_one_bad_tile(two_by_two, four_threes(), threes, tile, tile_status::output_long);
  }
  expect_one_bad_tile(two_by_two, four_threes(), threes, four_threes(1, 3), tile_status::output_short);
  expect_one_bad_tile(two_by_two, four_threes(), threes, four_threes(4, 1), tile_status::bad_data);
  for (const int wrong : {0, -1, -int_max - 1}) {
    expect_one_bad_tile(two_by_two, four_threes(), threes, four_threes(wrong, 2), tile_status::bad_data);
    expect_one_bad_tile(two_by_two, four_threes(), threes, four_threes(2, wrong), tile_status::bad_data);
  }
}

TEST_F(hostile_hcompress, a_stream_that_ends_before_its_shape_is_filled_is_truncated) {
  for (const std::uint32_t quadtrees : {0U, ~0U}) {  // planes as bits, planes as Huffman codes of nybbles
    hcompress_stream stream;
    stream.rows = 8;
    stream.columns = 8;
    stream.sum = 640;
    for (int& planes : stream.planes) planes = 9;
    stream.coefficients.assign(64, 0);
    stream.randomize(7, 2);
    const byte_vector whole = write_hcompress(stream, quadtrees);
    EXPECT_EQ(name(judge(codec_id::hcompress_1, whole, {8, 8}).status), name(tile_status::ok));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const byte_vector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
      ASSERT_EQ(name(judge(codec_id::hcompress_1, cut, {8, 8}).status), name(tile_status::truncated)) << length;
    }
    const stack_of_tiles kind{"HCOMPRESS_1", 32, 8, 8, {}};
    const byte_vector cut(whole.begin(), whole.end() - 9);
    expect_one_bad_tile(kind, whole, invert_hcompress(stream, false), cut, tile_status::truncated);
  }
}

TEST_F(hostile_hcompress, working_memory_follows_from_the_tile_not_from_its_bytes) {
  // Planes, sum and scale at both ends make the decoder take its narrow and its wide arithmetic.
  for (const int planes : {0, 1, 29, 30, 62}) {
    for (const std::int64_t sum : {std::int64_t{0}, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min()}) {
      for (const std::int32_t scale : {0, 1, int_max}) {
        hcompress_stream stream;
        stream.rows = 5;
        stream.columns = 3;
        stream.sum = sum;
        stream.scale = scale;
        for (int& each : stream.planes) each = planes;
        msb_bit_writer bits;
        put_hcompress_header(bits, stream);
        byte_vector tile = bits.bytes();
        for (int i = 0; i < 600; ++i) tile.push_back(static_cast<std::uint8_t>(i * 89 + planes));
        judge(codec_id::hcompress_1, tile, {5, 3});  // any verdict, inside its memory, the same in every way
        judge(codec_id::hcompress_1, tile, {6, 3});
        outcome_of(compressed_file(stacked({"HCOMPRESS_1", 32, 5, 3, {}}, {tile, tile})), hdu_selector::number(1), {});
      }
    }
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
