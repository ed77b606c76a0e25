// bounds_test.cpp: the small languages of the command line: HDUs, sections, bytes, shapes.
#include "cli/bounds.hpp"

#include <gtest/gtest.h>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::cli {
namespace {

shape extents_of(std::initializer_list<std::int64_t> extents) {
  shape result;
  for (const std::int64_t extent : extents) result[result.rank++] = extent;
  return result;
}

template <class Work>
void expect_usage_error(Work&& work, std::string_view text) {
  try {
    work();
    ADD_FAILURE() << "'" << text << "' was accepted";
  } catch (const error& fault) {
    EXPECT_EQ(exit_code(fault.code()), 2) << text;
  }
}

TEST(parse_hdu, numbers_names_versions) {
  EXPECT_EQ(parse_hdu("0").index, 0);
  EXPECT_EQ(parse_hdu("12").index, 12);
  EXPECT_EQ(parse_hdu("SCI").name, "SCI");
  EXPECT_FALSE(parse_hdu("SCI").version);
  EXPECT_EQ(parse_hdu("SCI,2").name, "SCI");
  EXPECT_EQ(parse_hdu("SCI,2").version, 2);
  EXPECT_EQ(parse_hdu("A,B,3").name, "A,B");
  EXPECT_EQ(parse_hdu("1a").name, "1a");
  for (const char* text : {"", "-1", "SCI,", "SCI,x", ",2", "SCI,2.0"}) {
    expect_usage_error([&] { parse_hdu(text); }, text);
  }
}

TEST(section, resolves_like_numpy) {
  const shape image = extents_of({10, 20});
  const auto resolved = [&](std::string_view text) { return to_string(resolve(parse_section(text), image)); };
  EXPECT_EQ(resolved("0:10,5:20"), "0:10,5:20");
  EXPECT_EQ(resolved(":,:"), "0:10,0:20");
  EXPECT_EQ(resolved("3:,:4"), "3:10,0:4");
  EXPECT_EQ(resolved("-3:,-5:-1"), "7:10,15:19");
  EXPECT_EQ(resolved("4:4,:"), "4:4,0:20");
  EXPECT_EQ(resolved("::3,-5::4"), "0:10:3,15:20:4");
  EXPECT_EQ(resolved("1:8:3,:20:7"), "1:8:3,0:15:7");
  EXPECT_EQ(resolved("0:10:1,5:5:2"), "0:10,5:5:2");
}

TEST(section, refuses_what_it_cannot_mean) {
  for (const char* text : {"", "5", "0:10:0,:", "0:10:-1,:", "0:10:2:1,:", "0:1:x,:", "a:b,:", "0:1,,:", "0x1:2,:",
                           "1.5:2,:", "99999999999999999999:,:"}) {
    expect_usage_error([&] { parse_section(text); }, text);
  }
  const shape image = extents_of({10, 20});
  for (const char* text :
       {"0:11,:", "-11:,:", "5:4,:", ":", ":,:,:", "0:10,0:9223372036854775807", "-9223372036854775808:,:"}) {
    expect_usage_error([&] { resolve(parse_section(text), image); }, text);
  }
}

TEST(parse_bytes, suffixes_and_overflow) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("1500"), 1500U);
  EXPECT_EQ(parse_bytes("2K"), 2048U);
  EXPECT_EQ(parse_bytes("3m"), 3U << 20);
  EXPECT_EQ(parse_bytes("17179869183G"), 17179869183U * (std::uint64_t{1} << 30));
  for (const char* text : {"", "K", "-1", "1T", "1.5G", "17179869184G", "18446744073709551616", " 1"}) {
    expect_usage_error([&] { parse_bytes(text); }, text);
  }
}

TEST(parse_shape, slowest_first) {
  EXPECT_EQ(parse_shape("1000x1200"), extents_of({1000, 1200}));
  EXPECT_EQ(parse_shape("7"), extents_of({7}));
  for (const char* text : {"", "0x1", "1x", "x1", "-1x2", "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", "1X2"}) {
    expect_usage_error([&] { parse_shape(text); }, text);
  }
}

}  // namespace
}  // namespace cuphoton::xdr::cli
