// The 10,000 numbers and the walk through them, against the checks that FITS 4.0 Appendix I and fits-semantics 4.2
// give.
#include "restore/dither_table.hpp"

#include <gtest/gtest.h>

#if defined(XDR_HAVE_CFITSIO)
extern "C" {
int fits_init_randoms(void);
extern float* fits_rand_value;
}
#endif

namespace cuphoton::xdr {
namespace {

TEST(dither_table, has_the_published_values) {
  EXPECT_EQ(dither_table[0], 7.82636926e-06F);
  EXPECT_EQ(dither_table[1], 0.131537795F);
  EXPECT_EQ(dither_table[2], 0.75560534F);
  EXPECT_EQ(dither_table[3], 0.458650142F);
  EXPECT_EQ(dither_table[9999], 0.485972524F);
  EXPECT_EQ(dither_start(0), 0);
  EXPECT_EQ(dither_start(1), 65);
  EXPECT_EQ(dither_start(2), 377);
  EXPECT_EQ(dither_start(3), 229);
}

#if defined(XDR_HAVE_CFITSIO)
TEST(dither_table, equals_cfitsio) {
  ASSERT_EQ(fits_init_randoms(), 0);
  for (std::size_t i = 0; i < dither_table.size(); ++i) ASSERT_EQ(dither_table[i], fits_rand_value[i]) << i;
}
#endif

TEST(dither_position, seeking_equals_walking) {
  for (const std::uint32_t seed : {1U, 42U, 9999U, 10000U}) {
    for (const std::uint64_t row : {0ULL, 1ULL, 10049ULL}) {
      dither_position walked = seek_dither(host_dither, seed, row, 0);
      EXPECT_EQ(walked.segment, static_cast<int>((row + seed - 1) % 10000));
      EXPECT_EQ(walked.index, dither_start(walked.segment));
      for (std::uint64_t pixel = 0; pixel < 45000; ++pixel) {
        if (pixel % 997 == 0 || walked.left() < 3) {
          const dither_position found = seek_dither(host_dither, seed, row, pixel);
          ASSERT_EQ(found.segment, walked.segment) << pixel;
          ASSERT_EQ(found.index, walked.index) << pixel;
        }
        if (++walked.index == dither_count) walked.next_segment(host_dither);
      }
    }
  }
}

TEST(dither_position, goes_round_the_whole_table) {
  const auto cycle = static_cast<std::uint64_t>(dither_prefix[dither_count]);
  const dither_position here = seek_dither(host_dither, 7777, 3, 123456);
  const dither_position later = seek_dither(host_dither, 7777, 3, 123456 + 3 * cycle);
  EXPECT_EQ(here.segment, later.segment);
  EXPECT_EQ(here.index, later.index);
}

}  // namespace
}  // namespace cuphoton::xdr
