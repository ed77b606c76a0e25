// keywords_test.cpp: types, ranges, conflicts, and that every refusal names keyword, expectation and finding.
#include "fits/keywords.hpp"

#include <gtest/gtest.h>

#include "scan_support.hpp"

namespace cuphoton::xdr::fits {
namespace {

/// Cards with notes, as a judge sees them.
class keywords_test : public ::testing::Test {
 protected:
  keywords make(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += test::card_of(text);
    cards_ = card_list(all);
    return {cards_, where{"test.fits", 3}, notes_};
  }
  card_list cards_;
  std::vector<std::string> notes_;
};

TEST_F(keywords_test, Integer) {
  const keywords header = make({"A       = 5", "B       = 5.5", "C       = '5'", "D       = 99999999999999999999",
                                "E       =", "F       = 1", "F       = 2", "G       = 3", "G       = 3"});
  EXPECT_EQ(header.integer("A"), 5);
  EXPECT_EQ(header.integer("G"), 3);
  EXPECT_FALSE(header.integer("E"));
  EXPECT_FALSE(header.integer("NONE"));
  EXPECT_PROBLEM(error_of([&] { header.integer("B"); }), errc::header_invalid, "found 5.5");
  EXPECT_PROBLEM(error_of([&] { header.integer("C"); }), errc::header_invalid, "found '5'");
  EXPECT_PROBLEM(error_of([&] { header.integer("D"); }), errc::header_invalid, "at most 64 bits");
  EXPECT_PROBLEM(error_of([&] { header.integer("F"); }), errc::header_invalid, "F appears more than once");
  EXPECT_EQ(error_of([&] { header.integer("F"); })->place().hdu, 3);
}

TEST_F(keywords_test, RequiredInteger) {
  const keywords header = make({"A       = 5", "E       ="});
  EXPECT_EQ(header.required_integer("A", 5, 5), 5);
  EXPECT_PROBLEM(error_of([&] { header.required_integer("A", 6, 9); }), errc::header_invalid,
                 "expected 6 to 9, found 5");
  EXPECT_PROBLEM(error_of([&] { header.required_integer("A", 0, 4); }), errc::header_invalid,
                 "expected 0 to 4, found 5");
  EXPECT_PROBLEM(error_of([&] { header.required_integer("E", 0, 4); }), errc::header_invalid, "found no value");
  EXPECT_PROBLEM(error_of([&] { header.required_integer("X", 0, 4); }), errc::header_invalid, "found no card");
}

TEST_F(keywords_test, StringAndLogical) {
  const keywords header = make({"A       = ' x '", "B       = 5", "T       = T", "F       = F", "Q       = 'T'"});
  EXPECT_EQ(header.string("A"), "x");
  EXPECT_FALSE(header.string("NONE"));
  EXPECT_PROBLEM(error_of([&] { header.string("B"); }), errc::header_invalid, "string in quotes");
  EXPECT_TRUE(header.is_true("T"));
  EXPECT_FALSE(header.is_true("F"));
  EXPECT_FALSE(header.is_true("Q"));
  EXPECT_FALSE(header.is_true("NONE"));
}

TEST_F(keywords_test, LenientNumber) {
  const keywords header = make({"A       = 1.5D1", "B       = '32768'", "C       = 'x'", "D       =", "E       = 1,",
                                "F       = 1", "F       = 2"});
  EXPECT_EQ(header.lenient("A")->value, 15.0);
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(header.lenient("B")->value, 32768.0);
  EXPECT_TRUE(header.lenient("B")->integer_literal);
  EXPECT_TRUE(has_note(notes_, "quoted"));
  EXPECT_FALSE(header.lenient("D"));
  EXPECT_TRUE(has_note(notes_, "D has no value"));
  EXPECT_FALSE(header.lenient("NONE"));
  EXPECT_EQ(header.lenient("F")->value, 2.0);
  EXPECT_TRUE(has_note(notes_, "F appears more than once"));
  EXPECT_PROBLEM(error_of([&] { header.lenient("C"); }), errc::header_invalid, "expected a number, found 'x'");
  EXPECT_PROBLEM(error_of([&] { header.lenient("E"); }), errc::header_invalid, "found 1,");
}

}  // namespace
}  // namespace cuphoton::xdr::fits
