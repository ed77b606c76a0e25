// Sections mean what slices mean in NumPy, on plain and compressed images alike: what start, stop and step give, an
// empty slice, and a refusal of what the image does not have. Stored pixels can be asked for too.
#include <gtest/gtest.h>

#include "support/regression_read.hpp"

namespace cuphoton::xdr {
namespace {

using test::byte_vector;
using test::card;

const shape extents{2, {30, 14}};

/// The same pixels, plain in HDU 0, compressed in HDU 1.
byte_vector both_files(const std::vector<std::string>& extra = {}) {
  byte_vector file = test::plain_file(extents, extra);
  test::compressed_image tiled = test::gzip_image(extents, {2, {7, 5}});
  tiled.extra = extra;
  test::append(file, test::compressed_hdu(tiled));
  return file;
}

/// start:stop:step along an axis as NumPy counts, once both ends are inside.
struct slice {
  std::int64_t start, stop, step;
  std::int64_t count() const { return stop <= start ? 0 : (stop - start + step - 1) / step; }
};

strided_box box_of(const slice& rows, const slice& columns) {
  strided_box section;
  section.rank = 2;
  section.start = {rows.start, columns.start};
  section.extent = {rows.count(), columns.count()};
  section.step = {rows.step, columns.step};
  return section;
}

std::vector<std::int16_t> sliced(const slice& rows, const slice& columns) {
  std::vector<std::int16_t> values;
  for (std::int64_t y = rows.start; y < rows.stop; y += rows.step) {
    for (std::int64_t x = columns.start; x < columns.stop; x += columns.step) {
      values.push_back(test::made_pixel(static_cast<std::uint64_t>(y * extents[1] + x)));
    }
  }
  return values;
}

TEST(sections, equal_the_slice_and_have_its_shape) {
  const byte_vector file = both_files();
  const slice all_rows{0, 30, 1};
  const slice all_columns{0, 14, 1};
  const std::pair<slice, slice> cases[] = {
      {{2, 20, 2}, all_columns}, {{25, 30, 1}, all_columns},  // [2:20:2, :], [-5:]
      {{10, 5, 1}, all_columns},                              // [10:5] is empty
      {{3, 30, 7}, {1, 14, 5}},  {all_rows, {13, 14, 1}},    {{29, 30, 100}, {0, 14, 13}},
      {{0, 30, 29}, {0, 0, 1}},  {{30, 30, 1}, all_columns}, {all_rows, all_columns}};
  for (const auto& [rows, columns] : cases) {
    read_options options;
    options.section = box_of(rows, columns);
    for (int hdu = 0; hdu < 2; ++hdu) {
      const image pixels = test::load_both(file, hdu, options);
      EXPECT_EQ(pixels.extents(), (shape{2, {rows.count(), columns.count()}}));
      ASSERT_NO_FATAL_FAILURE(test::expect_pixels(pixels, sliced(rows, columns)))
          << "HDU " << hdu << ", " << to_string(*options.section);
    }
  }
}

TEST(sections, outside_the_image_are_refused_with_its_extents) {
  const byte_vector file = both_files();
  strided_box backwards = box_of({0, 30, 1}, {0, 14, 1});
  backwards.step[0] = -1;
  strided_box no_step = backwards;
  no_step.step[0] = 0;
  strided_box negative = box_of({-1, 3, 1}, {0, 14, 1});
  strided_box other_rank{box{3, {0, 0, 0}, {1, 1, 1}}};
  strided_box huge = box_of({0, 30, 1}, {0, 14, 1});
  huge.extent[1] = INT64_MAX;
  strided_box far_step = box_of({29, 30, 1}, {0, 14, 1});
  far_step.extent[0] = 2;
  far_step.step[0] = INT64_MAX;
  for (const strided_box& section :
       {box_of({0, 31, 1}, {0, 14, 1}), box_of({0, 30, 1}, {10, 15, 1}), box_of({31, 32, 1}, {0, 14, 1}),
        box_of({0, 33, 4}, {0, 14, 1}), backwards, no_step, negative, other_rank, huge, far_step}) {
    read_options options;
    options.section = section;
    for (int hdu = 0; hdu < 2; ++hdu) {
      test::expect_error(test::error_of(file, hdu, options), errc::invalid_argument, {"made.fits", hdu},
                         {"section", "30x14"});
    }
  }
}

TEST(sections, of_stored_pixels_are_not_scaled) {
  const byte_vector file = both_files({card("BSCALE", 0.5), card("BZERO", 10.0), card("BLANK", -32760)});
  const slice rows{2, 20, 2};
  const slice columns{3, 9, 1};
  read_options options;
  options.section = box_of(rows, columns);
  std::vector<float> scaled;
  for (const std::int16_t value : sliced(rows, columns)) scaled.push_back(static_cast<float>(value) * 0.5F + 10.0F);
  for (int hdu = 0; hdu < 2; ++hdu) {
    options.values = pixel_values::scaled;
    test::expect_pixels(test::load_both(file, hdu, options), scaled);
    options.values = pixel_values::stored;
    const image stored = test::load_both(file, hdu, options);
    test::expect_pixels(stored, sliced(rows, columns));
    EXPECT_EQ(stored.scale, 0.5);
    EXPECT_EQ(stored.zero, 10.0);
    EXPECT_EQ(stored.null_value, -32760);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
