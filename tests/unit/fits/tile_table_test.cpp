// tile_table_test.cpp: TFORM, columns in any order, heap bounds: fits-semantics 2.3 and 6.
#include "fits/tile_table.hpp"

#include <gtest/gtest.h>

#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

using test::card;
using test::compressed_image;
using test::sample_image;
using test::table_cell;
using test::table_column;

const std::vector<table_cell> three_empty(3);
const std::vector<table_cell> three_numbers{1.0, 2.0, 3.0};

tile_table table_of(const compressed_image& image) {
  const hdu found = scan_compressed(image);
  EXPECT_FALSE(found.problem) << found.problem->what();
  return found.image ? found.image->tiles : tile_table{};
}
std::optional<error> problem_of(const compressed_image& image) {
  return scan_compressed(image).problem;
}
compressed_image with_columns(const std::vector<table_column>& columns, const std::string& codec = "GZIP_1") {
  compressed_image image = sample_image();
  image.columns = columns;
  image.codec = codec;
  image.bitpix = -32;
  return image;
}

TEST(ParseTform, Widths) {
  const std::vector<std::pair<std::string, std::uint64_t>> forms{
      {"B", 1},   {"1B", 1},     {"I", 2},       {"J", 4},     {"K", 8},      {"E", 4},   {"D", 8},     {"C", 8},
      {"M", 16},  {"L", 1},      {"20A", 20},    {"20A8", 20}, {"X", 1},      {"9X", 2},  {"0X", 0},    {"0J", 0},
      {"1PB", 8}, {"PB(99)", 8}, {"1PB(99)", 8}, {"1QB", 16},  {"QE(5)", 16}, {"0PB", 0}, {" 3J ", 12}, {"1pb", 8}};
  for (const auto& [text, width] : forms) {
    const auto form = parse_tform(text);
    ASSERT_TRUE(form) << text;
    EXPECT_EQ(form->width_bytes, width) << text;
  }
  EXPECT_EQ(parse_tform("1QE(5)")->element, 'E');
  EXPECT_EQ(parse_tform("1qe")->letter, 'Q');
}

TEST(ParseTform, Refusals) {
  for (const char* text : {"", "1", "5", "Z", "1Z", "P", "1P", "1PP", "1PZ", "2PB", "1P(5)", "-1J", "1 J", "+1J",
                           "99999999999999999999J", "9223372036854775807J", "9223372036854775808B"}) {
    EXPECT_FALSE(parse_tform(text)) << text;
  }
}

compressed_image full_table() {
  // Widths: 4 + 4 + 16 + 4 + 8 + 8 + 8 + 8 = 60.
  return with_columns({{"user", "J", three_numbers},
                       {"zzero", "1E", three_numbers},
                       {"GZIP_COMPRESSED_DATA", "1QB(7)", three_empty},
                       {"ZBlank", "J", three_numbers},
                       {"UNCOMPRESSED_DATA", "PE", three_empty},
                       {"ZSCALE", "D", three_numbers},
                       {"Null_Pixel_Mask", "1PB", three_empty},
                       {"Compressed_Data", "1PB(99)", three_empty}});
}

TEST(TileTable, ColumnsInAnyOrderAndCase) {
  const tile_table table = table_of(full_table());
  EXPECT_EQ(table.row_bytes, 60u);
  EXPECT_EQ(table.row_count, 3u);
  ASSERT_TRUE(table.compressed && table.gzip_fallback && table.plain_fallback && table.null_mask);
  ASSERT_TRUE(table.quant_scale && table.quant_zero && table.null_value);
  EXPECT_EQ(table.quant_zero->offset_bytes, 4u);
  EXPECT_EQ(table.quant_zero->type, 'E');
  EXPECT_EQ(table.gzip_fallback->offset_bytes, 8u);
  EXPECT_EQ(table.gzip_fallback->descriptor_bytes, 16);
  EXPECT_EQ(table.null_value->offset_bytes, 24u);
  EXPECT_EQ(table.null_value->type, 'J');
  EXPECT_EQ(table.plain_fallback->offset_bytes, 28u);
  EXPECT_EQ(table.plain_fallback->element, 'E');
  EXPECT_EQ(table.plain_fallback->element_bytes, 4);
  EXPECT_EQ(table.quant_scale->offset_bytes, 36u);
  EXPECT_EQ(table.null_mask->offset_bytes, 44u);
  EXPECT_EQ(table.compressed->offset_bytes, 52u);
  EXPECT_EQ(table.compressed->descriptor_bytes, 8);
  EXPECT_EQ(table.compressed->element, 'B');
}

TEST(TileTable, WidthsSumToNaxis1) {
  for (const std::int64_t wrong : {0, 59, 61}) {
    compressed_image image = full_table();
    image.row_bytes = wrong;
    EXPECT_PROBLEM(problem_of(image), errc::tile_table_invalid, "NAXIS1");
  }
  compressed_image image = full_table();
  image.columns[0].form = "4294967296B";
  image.row_bytes = 60;
  EXPECT_PROBLEM(problem_of(image), errc::tile_table_invalid, "wider than NAXIS1");
}

TEST(TileTable, TypesOfNeededColumns) {
  const auto changed = [](std::size_t index, const std::string& form) {
    compressed_image image = full_table();
    image.columns[index].form = form;
    return image;
  };
  for (const char* form : {"J", "2E", "0E", "1PE", "A"}) {
    EXPECT_PROBLEM(problem_of(changed(1, form)), errc::tile_table_invalid, "(ZZERO): expected one number");
  }
  for (const char* form : {"D", "E", "2J", "L"}) {
    EXPECT_PROBLEM(problem_of(changed(3, form)), errc::tile_table_invalid, "(ZBLANK): expected one number");
  }
  EXPECT_PROBLEM(problem_of(changed(2, "1PJ")), errc::tile_table_invalid, "(GZIP_COMPRESSED_DATA): expected elements");
  EXPECT_PROBLEM(problem_of(changed(4, "1PA")), errc::tile_table_invalid, "(UNCOMPRESSED_DATA): expected elements");
  EXPECT_PROBLEM(problem_of(changed(7, "1PI")), errc::tile_table_invalid,
                 "(COMPRESSED_DATA): expected elements of type B");
  EXPECT_PROBLEM(problem_of(changed(7, "B")), errc::tile_table_invalid, "expected TFORM P or Q");
  EXPECT_PROBLEM(problem_of(changed(7, "8Z")), errc::tile_table_invalid, "TFORM8: expected a column format");
  EXPECT_PROBLEM(problem_of(changed(7, "")), errc::tile_table_invalid, "TFORM8");
}

TEST(TileTable, CompressedDataMustExistOnce) {
  EXPECT_PROBLEM(problem_of(with_columns({{"OTHER", "1PB", three_empty}})), errc::tile_table_invalid,
                 "expected a column COMPRESSED_DATA");
  EXPECT_PROBLEM(
      problem_of(with_columns({{"COMPRESSED_DATA", "1PB", three_empty}, {"COMPRESSED_DATA", "1PB", three_empty}})),
      errc::tile_table_invalid, "appears twice");
  EXPECT_PROBLEM(
      problem_of(with_columns(
          {{"COMPRESSED_DATA", "1PB", three_empty}, {"ZSCALE", "D", three_numbers}, {"zscale", "D", three_numbers}})),
      errc::tile_table_invalid, "appears twice");
  compressed_image image = with_columns({{"COMPRESSED_DATA", "1PB", three_empty}});
  image.columns[0].form = "0PB";
  image.row_bytes = 0;
  EXPECT_PROBLEM(problem_of(image), errc::tile_table_invalid, "expected a column COMPRESSED_DATA");
}

TEST(TileTable, ElementsFollowTheCodec) {
  EXPECT_EQ(table_of(with_columns({{"COMPRESSED_DATA", "1PI", three_empty}}, "PLIO_1")).compressed->element_bytes, 2);
  EXPECT_PROBLEM(problem_of(with_columns({{"COMPRESSED_DATA", "1PB", three_empty}}, "PLIO_1")),
                 errc::tile_table_invalid, "expected elements of type I");
  EXPECT_EQ(table_of(with_columns({{"COMPRESSED_DATA", "1PJ", three_empty}}, "NOCOMPRESS")).compressed->element_bytes,
            4);
}

TEST(TileTable, OneRowForEachTile) {
  compressed_image image = sample_image(8, 3);
  for (const std::int64_t rows : {2, 4}) {
    image.axes = {8, rows};
    EXPECT_PROBLEM(problem_of(image), errc::tile_table_invalid, "NAXIS2: expected " + std::to_string(rows) + " rows");
  }
}

TEST(TileTable, HeapFollowsRowsOrTheap) {
  compressed_image image = sample_image();
  image.columns[0].cells[1] = test::byte_vector{1, 2, 3};
  tile_table table = table_of(image);
  EXPECT_EQ(table.heap_offset_bytes, table.table_offset_bytes + 24);
  EXPECT_EQ(table.heap_bytes, 3u);
  EXPECT_EQ(table.table_offset_bytes, 2 * 2880u);
  image.gap_bytes = 5000;
  table = table_of(image);
  EXPECT_EQ(table.heap_offset_bytes, table.table_offset_bytes + 24 + 5000);
  EXPECT_EQ(table.heap_bytes, 3u);
  image.gap_bytes = 0;
  for (const auto& [theap, good] : std::vector<std::pair<std::int64_t, bool>>{
           {24, true}, {27, true}, {23, false}, {28, false}, {-1, false}, {0, false}}) {
    image.extra = {card("THEAP", theap)};
    if (good) {
      EXPECT_EQ(table_of(image).heap_bytes, static_cast<std::uint64_t>(27 - theap));
    } else {
      EXPECT_PROBLEM(problem_of(image), errc::tile_table_invalid, "THEAP: expected 24 to 27");
    }
  }
}

TEST(TileTable, MandatoryKeywordsOfTables) {
  const auto problem_with = [](const std::string& from, const std::string& to) {
    test::byte_vector bytes = test::compressed_file(sample_image());
    const std::string text(bytes.begin(), bytes.end());
    std::copy(to.begin(), to.end(), bytes.begin() + static_cast<std::ptrdiff_t>(text.rfind(from)));
    test::pad_data(bytes);
    bytes.resize(bytes.size() + 5 * 2880);
    const file_structure file = scan_bytes(bytes);
    return file.hdus.size() > 1 ? file.hdus[1].problem : file.problem;
  };
  EXPECT_PROBLEM(problem_with("BITPIX  =                    8", "BITPIX  =                   16"),
                 errc::tile_table_invalid, "BITPIX = 8");
  EXPECT_PROBLEM(problem_with("GCOUNT  =                    1", "GCOUNT  =                    2"),
                 errc::tile_table_invalid, "GCOUNT = 1");
  EXPECT_PROBLEM(problem_with("NAXIS   =                    2", "NAXIS   =                    1"),
                 errc::tile_table_invalid, "NAXIS = 2");
  EXPECT_PROBLEM(problem_with("TFIELDS =                    1", "TFIELDS =                 1000"), errc::header_invalid,
                 "TFIELDS: expected 0 to 999");
  EXPECT_PROBLEM(problem_with("TFIELDS =                    1", "TFIELDS =                   -1"), errc::header_invalid,
                 "TFIELDS: expected 0 to 999");
  EXPECT_PROBLEM(problem_with("PCOUNT  =                    0", "PCOUNT  =                   -1"), errc::header_invalid,
                 "PCOUNT: expected");
}

TEST(TileTable, KeywordsBetweenTfieldsAndTtype) {
  compressed_image image = sample_image();
  image.early = {card("BSCALE", 2.0), card("BZERO", 32768)};
  const hdu found = scan_compressed(image);
  ASSERT_TRUE(found.image);
  EXPECT_EQ(found.image->scale, 2.0);
  EXPECT_EQ(found.image->zero, 32768.0);
}

}  // namespace
}  // namespace cuphoton::xdr::fits
