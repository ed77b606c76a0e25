// dynamic_library_test.cpp: a library that exists, one that does not, symbols of both kinds.
#include "base/dynamic_library.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cuphoton::xdr {
namespace {

TEST(dynamic_library, finds_functions) {
  std::string why;
  std::optional<dynamic_library> library = dynamic_library::open("libm.so.6", why);
  ASSERT_TRUE(library.has_value()) << why;
  double (*const square_root)(double) = library->find_function<double(double)>("sqrt", why);
  ASSERT_NE(square_root, nullptr) << why;
  EXPECT_EQ(square_root(81.0), 9.0);
  EXPECT_EQ(why, "");
}

TEST(dynamic_library, says_why_not) {
  std::string why;
  EXPECT_FALSE(dynamic_library::open("libnot_on_this_machine.so.1", why).has_value());
  EXPECT_NE(why.find("libnot_on_this_machine.so.1"), std::string::npos) << why;
  why.clear();
  const std::optional<dynamic_library> library = dynamic_library::open("libm.so.6", why);
  ASSERT_TRUE(library.has_value());
  EXPECT_EQ(library->find("no_such_symbol_in_libm", why), nullptr);
  EXPECT_NE(why.find("no_such_symbol_in_libm"), std::string::npos) << why;
}

TEST(dynamic_library, can_be_moved) {
  std::string why;
  std::optional<dynamic_library> library = dynamic_library::open("libm.so.6", why);
  ASSERT_TRUE(library.has_value());
  dynamic_library moved = std::move(*library);
  library.reset();
  EXPECT_NE(moved.find("cos", why), nullptr);
  std::optional<dynamic_library> other = dynamic_library::open("libc.so.6", why);
  ASSERT_TRUE(other.has_value());
  moved = std::move(*other);
  other.reset();
  EXPECT_NE(moved.find("strlen", why), nullptr);
}

}  // namespace
}  // namespace cuphoton::xdr
