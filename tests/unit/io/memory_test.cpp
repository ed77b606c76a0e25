// memory_test.cpp: bounds, views, and that nothing is copied.
#include "io/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

#include <cuphoton/xdr/error.hpp>

namespace cuphoton::xdr::io {
namespace {

TEST(MemorySource, ViewsAndReads) {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
  const auto source = memory_source(bytes, "five");
  EXPECT_EQ(source->size_bytes(), 5u);
  EXPECT_EQ(source->name(), "five");
  EXPECT_STREQ(source->backend(), "memory");
  EXPECT_EQ(source->view(0, 5), bytes.data());
  EXPECT_EQ(source->view(2, 3), bytes.data() + 2);
  EXPECT_EQ(source->view(5, 0), bytes.data() + 5);
  EXPECT_EQ(source->view(3, 3), nullptr);
  EXPECT_EQ(source->view(6, 0), nullptr);
  EXPECT_EQ(source->view(1, ~std::uint64_t{0}), nullptr);
  std::vector<std::uint8_t> out(3);
  source->read(1, out);
  EXPECT_EQ(out, (std::vector<std::uint8_t>{2, 3, 4}));
  source->read(99, {});
  EXPECT_EQ(memory_source(bytes)->name(), "<memory>");
}

TEST(MemorySource, PastTheEndIsTruncation) {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5};
  const auto source = memory_source(bytes, "five");
  std::vector<std::uint8_t> out(3);
  for (const std::uint64_t offset : {std::uint64_t{3}, std::uint64_t{5}, std::uint64_t{6}, ~std::uint64_t{0}}) {
    try {
      source->read(offset, out);
      ADD_FAILURE() << offset;
    } catch (const error& problem) {
      EXPECT_EQ(problem.code(), errc::file_truncated);
      EXPECT_EQ(problem.place().file, "five");
      EXPECT_NE(problem.message().find("expected 3 bytes"), std::string::npos);
    }
  }
}

TEST(MemorySource, MayBeEmpty) {
  const auto source = memory_source({});
  EXPECT_EQ(source->size_bytes(), 0u);
  source->read(0, {});
}

}  // namespace
}  // namespace cuphoton::xdr::io
