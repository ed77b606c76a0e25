// hostile_descriptors_test.cpp: columns of tables that point anywhere, and formats of columns that nobody expects.
#include <algorithm>

#include "hostile_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

const std::vector<std::int16_t> six{1, 2, 3, 4, 5, 6};

/// Two tiles of three pixels.
compressed_image two_tiles(const std::string& form = "1PB") {
  compressed_image image =
      stacked({"GZIP_1", 16, 1, 3, {}}, {gzip_by_libdeflate(big_endian<std::int16_t>({1, 2, 3}), 6),
                                         gzip_by_libdeflate(big_endian<std::int16_t>({4, 5, 6}), 6)});
  image.columns[0].form = form;
  return image;
}

TEST(hostile_descriptors, a_column_that_no_image_needs_is_passed_over_whatever_it_points_at) {
  constexpr std::uint64_t all_ones = ~std::uint64_t{0};
  const raw_descriptor huge[] = {
      {28801, 0}, {0x7fffffff, 0}, {0xffffffff, 0xffffffff}, {all_ones, all_ones}, {all_ones / 2 + 1, 8}};
  for (const char* form : {"1PA", "PA(4)", "1PA(28800)", "1PA(99999999999999999999)", "1QA", "1PJ", "QE(0)"}) {
    for (const raw_descriptor& descriptor : huge) {
      for (const bool behind : {false, true}) {
        compressed_image image = two_tiles();
        image.columns.insert(behind ? image.columns.end() : image.columns.begin(),
                             {"HISTORY", form, {descriptor, descriptor}});
        expect_pixels(load_both(compressed_file(image), 1), six);
      }
    }
  }
}

TEST(hostile_descriptors, tiles_are_no_text) {
  for (const char* name : {"COMPRESSED_DATA", "GZIP_COMPRESSED_DATA", "UNCOMPRESSED_DATA"}) {
    for (const char* form : {"1PA", "1PA(100)", "1QA", "1PX", "1PL", "1PC"}) {
      compressed_image image = two_tiles();
      image.columns.push_back({name, form, image.columns[0].cells});
      if (image.columns[1].name == image.columns[0].name) image.columns.erase(image.columns.begin());
      expect_error(error_of(compressed_file(image), 1), errc::tile_table_invalid, {"made.fits", 1},
                   {name, "expected elements of type"});
    }
  }
}

TEST(hostile_descriptors, a_tile_lies_inside_the_file_or_is_refused) {
  constexpr std::uint64_t blanks32 = 0x20202020;
  constexpr std::uint64_t blanks64 = 0x2020202020202020;
  constexpr std::uint64_t top = std::uint64_t{1} << 63;
  const std::vector<raw_descriptor> narrow{{blanks32, blanks32}, {1, blanks32},   {blanks32, 0},     {0xffffffff, 1},
                                           {1, 0xffffffff},      {0x80000000, 0}, {0xfffffff0, 0x10}};
  std::vector<raw_descriptor> wide = narrow;
  for (const raw_descriptor& more : std::vector<raw_descriptor>{{blanks64, blanks64},
                                                                {1, blanks64},
                                                                {~0ULL, 1},
                                                                {1, ~0ULL},
                                                                {top, top},
                                                                {top, 0},
                                                                {1, top},
                                                                {~0ULL - 15, 16}}) {
    wide.push_back(more);
  }
  for (const char* column : {"COMPRESSED_DATA", "GZIP_COMPRESSED_DATA", "UNCOMPRESSED_DATA"}) {
    for (const std::string form : {"1PB", "1QB"}) {
      for (const raw_descriptor& descriptor : form == "1PB" ? narrow : wide) {
        compressed_image image = two_tiles();
        image.columns[0].cells[1] = std::monostate{};
        image.columns.push_back({column, form, {std::monostate{}, descriptor}});
        if (image.columns[1].name == image.columns[0].name) {
          image.columns[1].cells[0] = image.columns[0].cells[0];
          image.columns.erase(image.columns.begin());
        }
        SCOPED_TRACE(column + (" " + form) + " " + std::to_string(descriptor.elements) + " at " +
                     std::to_string(descriptor.offset_bytes));
        const byte_vector file = compressed_file(image);
        expect_error(error_of(file, 1), errc::tile_table_invalid, {"made.fits", 1, 1},
                     {"the descriptor points outside the file of " + std::to_string(file.size()) + " bytes"});
        expect_pixels<std::int16_t>(load_both(file, 1, only_tile({"GZIP_1", 16, 1, 3, {}}, 0)), {1, 2, 3});
      }
    }
  }
}

TEST(hostile_descriptors, the_last_byte_of_the_file_may_be_a_tiles_and_none_behind_it) {
  for (const std::string form : {"1PB", "1QB"}) {
    const auto with_second = [&](std::uint64_t length) {
      compressed_image image = two_tiles(form);
      image.columns[0].cells[1] = raw_descriptor{length, 0};  // from the first tile on
      return compressed_file(image);
    };
    const byte_vector file = with_second(1);
    const byte_vector first = gzip_by_libdeflate(big_endian<std::int16_t>({1, 2, 3}), 6);
    const auto heap = std::search(file.begin(), file.end(), first.begin(), first.end());
    const auto room = static_cast<std::uint64_t>(file.end() - heap);
    const image pixels = load_both(with_second(room), 1);
    expect_pixels<std::int16_t>(pixels, {1, 2, 3, 1, 2, 3});
    EXPECT_TRUE(has_note(pixels, "PCOUNT"));
    expect_error(error_of(with_second(room + 1), 1), errc::tile_table_invalid, {"made.fits", 1, 1}, {"points outside"});
  }
}

TEST(hostile_descriptors, tiles_may_share_their_bytes) {
  compressed_image image = two_tiles();
  const std::uint64_t length = std::get<byte_vector>(image.columns[0].cells[0]).size();
  image.columns[0].cells[1] = raw_descriptor{length, 0};
  expect_pixels<std::int16_t>(load_both(compressed_file(image), 1), {1, 2, 3, 1, 2, 3});
}

byte_vector replaced(const byte_vector& file, const std::string& from, const std::string& to) {
  std::string text(file.begin(), file.end());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return {text.begin(), text.end()};
}

TEST(hostile_descriptors, a_column_of_texts_of_no_length_divides_nothing) {
  for (const char* form : {"8A0", "8A", "8A8", "8A10", "8A99999999999999999999", "8AX", "64X0"}) {  // eight bytes
    compressed_image image = two_tiles();
    image.columns.push_back({"NOTE", "1PB", {raw_descriptor{0x41414141, 0x41414141}, raw_descriptor{0, 0}}});
    const byte_vector file = replaced(compressed_file(image), card("TFORM2", "1PB"), card("TFORM2", form));
    expect_pixels(load_both(file, 1), six);
  }
  for (const char* form : {"0A", "0A0", "0A10", "0J", "0X", "0D", "0PB(0)", "0PA", "0QE"}) {  // none
    compressed_image image = two_tiles();
    image.extra.push_back(card("TFORM2", form));
    expect_pixels(load_both(replaced(compressed_file(image), card("TFIELDS", 1), card("TFIELDS", 2)), 1), six);
  }
}

TEST(hostile_descriptors, the_word_of_an_extension_counts_as_a_whole) {
  for (const char* word : {"BINTABLEX", "BINTABL", "BINTABLE2", "XBINTABLE", "bintable", "IMAGEX", "IMAG", ""}) {
    byte_vector file = replaced(compressed_file(two_tiles()), card("XTENSION", "BINTABLE"), card("XTENSION", word));
    append(file, hdu_bytes(image_cards(16, {6}), big_endian(six)));
    const file_info listing = inspect(*source_of(file));
    ASSERT_EQ(listing.hdus.size(), 3U) << word;
    EXPECT_EQ(name(listing.hdus[1].kind), name(hdu_kind::other)) << word;
    expect_error(error_of(file, 1), errc::unsupported, {"made.fits", 1}, {"holds no image"});
    expect_pixels(load_both(file, 2), six);  // its size is that of any extension
  }
}

}  // namespace
}  // namespace cuphoton::xdr::test
