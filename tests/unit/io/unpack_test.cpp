// unpack_test.cpp: whole-file compression: what is recognised, what may follow, every cut, every flipped bit, the
// limit.
#include "io/unpack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>

#include "io/gunzip.hpp"
#include "io/memory.hpp"
#include "support/encode_bzip2.hpp"
#include "support/encoders.hpp"
#include "support/guarded_buffer.hpp"

namespace cuphoton::xdr::io {
namespace {

using bytes = std::vector<std::uint8_t>;

std::shared_ptr<const byte_source> unpack_bytes(std::span<const std::uint8_t> packed, const limits& caps = {}) {
  return unpack(open_memory(packed, "packed"), caps);
}

bytes content_of(const byte_source& source) {
  bytes all(source.size_bytes());
  source.read(0, all);
  return all;
}

std::optional<error> error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& thrown) {
    return thrown;
  }
  return std::nullopt;
}

bytes joined(std::initializer_list<bytes> parts) {
  bytes all;
  for (const bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

bytes text(const std::string& words) {
  return {words.begin(), words.end()};
}

/// Runs and noise, so that streams hold matches, literals and more than one kind of block.
bytes sample(std::size_t length_bytes) {
  bytes made(length_bytes);
  std::uint32_t state = 7;
  for (std::size_t at = 0; at < length_bytes; ++at) {
    state = state * 1664525u + 1013904223u;
    made[at] = static_cast<std::uint8_t>(at % 5 == 0 ? state >> 24 : at / 40);
  }
  return made;
}

/// RFC 1952 by hand: every optional field, then one stored block with "abc".
bytes member_by_hand() {
  return joined({{0x1f, 0x8b, 8, 31, 1, 2, 3, 4, 0, 255},  // FTEXT, FHCRC, FEXTRA, FNAME, FCOMMENT
                 {2, 0, 'x', 'y'},
                 {'a', '.', 'f', 0},
                 {'c', 0},
                 {0xaa, 0xbb},                            // of the header; nobody judges it
                 {1, 3, 0, 0xfc, 0xff, 'a', 'b', 'c'},    // last, stored, LEN, NLEN
                 {0xc2, 0x41, 0x24, 0x35, 3, 0, 0, 0}});  // CRC32 0x352441c2, ISIZE
}
/// A bzip2 stream without a block: "BZh9", the end's magic (the square root of pi) and a CRC of nothing.
bytes empty_stream_by_hand() {
  return {'B', 'Z', 'h', '9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0};
}

struct packed_case {
  std::string name;
  std::string packer;
  bytes packed;
  bytes raw;
};

/// Small files of one member each.
std::vector<packed_case> single_members() {
  const bytes raw = sample(700);
  std::vector<packed_case> cases{
      {"by hand", "gzip", member_by_hand(), text("abc")},
      {"libdeflate 0", "gzip", test::gzip_by_libdeflate(raw, 0), raw},
      {"libdeflate 6", "gzip", test::gzip_by_libdeflate(raw, 6), raw},
      {"fixed codes", "gzip", test::gzip_by_libdeflate(text("abcabcabc"), 9), text("abcabcabc")},
      {"nothing", "gzip", test::gzip_by_libdeflate({}, 6), {}},
      {"empty bzip2 by hand", "bzip2", empty_stream_by_hand(), {}},
      {"bzip2", "bzip2", test::bzip2_by_libbz2(raw, 9), raw}};
#if defined(XDR_HAVE_ZLIB)
  cases.push_back({"zlib 6", "gzip", test::gzip_by_zlib(raw, 6), raw});
#endif
  return cases;
}

TEST(unpack, takes_off_what_the_first_bytes_say) {
  for (const packed_case& one : single_members()) {
    const auto source = unpack_bytes(one.packed);
    EXPECT_EQ(content_of(*source), one.raw) << one.name;
    ASSERT_NE(source->unpacked(), nullptr) << one.name;
    EXPECT_EQ(source->unpacked()->packer, one.packer);
    EXPECT_EQ(source->unpacked()->packed_bytes, one.packed.size());
    EXPECT_EQ(source->unpacked()->unpacked_bytes, one.raw.size());
    EXPECT_TRUE(source->unpacked()->notes.empty()) << one.name;
    EXPECT_EQ(source->name(), "packed");
    EXPECT_STREQ(source->backend(), "memory");
    EXPECT_NE(source->view(0, one.raw.size()), nullptr);
  }
}

TEST(unpack, leaves_everything_else_alone) {
  for (const bytes& plain : {bytes{}, bytes{0x1f}, bytes{'B', 'Z'}, text("SIMPLE  ="), bytes{0x1f, 0x9d, 0x90}}) {
    const auto packed = open_memory(plain, "plain");
    EXPECT_EQ(unpack(packed, {}), packed);
    EXPECT_EQ(packed->unpacked(), nullptr);
  }
}

TEST(unpack, the_public_doors_do_it_whatever_the_name_and_let_go_of_the_packed_bytes) {
  const bytes raw = sample(100000);
  auto packed = std::make_unique<bytes>(test::gzip_by_libdeflate(raw, 6));
  const auto from_memory = memory_source(*packed, "x");
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "xdr-unpack-test.fits";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(packed->data()), static_cast<std::streamsize>(packed->size()));
  packed.reset();
  const auto from_file = open_source(path.string());
  std::filesystem::remove(path);
  EXPECT_EQ(content_of(*from_memory), raw);
  EXPECT_EQ(content_of(*from_file), raw);
  EXPECT_EQ(from_file->name(), path.string());
  const bytes again = test::bzip2_by_libbz2(raw, 1);
  auto inner = open_memory(again, "again");
  const std::weak_ptr<const byte_source> watched = inner;
  const auto outer = unpack(std::move(inner), {});
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(content_of(*outer), raw);
}

TEST(unpack, members_one_behind_the_other) {
  const bytes raw = sample(3000);
  const bytes more = sample(100);
  const bytes gz = test::gzip_by_libdeflate(raw, 6);
  const bytes bz = test::bzip2_by_libbz2(raw, 1);
  const bytes zeros(513, 0);
  for (const bytes& packed :
       {joined({gz, test::gzip_by_libdeflate(more, 9)}), joined({gz, zeros, test::gzip_by_libdeflate(more, 0), zeros}),
        joined(
            {test::gzip_by_libdeflate({}, 6), gz, test::gzip_by_libdeflate({}, 6), test::gzip_by_libdeflate(more, 1)}),
        joined({bz, test::bzip2_by_libbz2(more, 9)}), joined({bz, zeros, test::bzip2_by_libbz2(more, 9), {0}}),
        joined({empty_stream_by_hand(), bz, empty_stream_by_hand(), test::bzip2_by_libbz2(more, 5)})}) {
    const auto source = unpack_bytes(packed);
    EXPECT_EQ(content_of(*source), joined({raw, more}));
    EXPECT_TRUE(source->unpacked()->notes.empty());
  }
  bytes many;
  for (int member = 0; member < 2000; ++member) many = joined({std::move(many), member_by_hand()});
  EXPECT_EQ(unpack_bytes(many)->size_bytes(), 6000u);
}

TEST(unpack, other_bytes_behind_the_last_member_are_noted) {
  const bytes raw = sample(300);
  for (const bytes& packed : {test::gzip_by_libdeflate(raw, 6), test::bzip2_by_libbz2(raw, 1)}) {
    const std::string other = packed[0] == 'B' ? "\x1f" : "B";  // the begin of the other packer's magic
    for (const bytes& tail : {text("garbage"), text(other), joined({{0, 0, 0}, text("garbage")})}) {
      const auto source = unpack_bytes(joined({packed, tail}));
      EXPECT_EQ(content_of(*source), raw);
      ASSERT_EQ(source->unpacked()->notes.size(), 1u);
      const std::size_t ignored = tail[0] == 0 ? 7 : tail.size();
      EXPECT_NE(source->unpacked()->notes[0].find("last " + std::to_string(ignored) + " bytes"), std::string::npos);
    }
    // What begins like a member is one.
    const bytes cut = joined({packed, {packed[0]}});
    const auto problem = error_of([&] { unpack_bytes(cut); });
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code(), errc::file_truncated);
  }
}

TEST(unpack, every_cut_is_an_early_end) {
  for (const packed_case& one : single_members()) {
    for (std::size_t length = one.packer == "gzip" ? 2 : 3; length < one.packed.size(); ++length) {
      test::guarded_buffer room(length);
      const auto held = room.hold(std::span(one.packed).first(length), test::placement::at_end);
      const auto problem = error_of([&] { unpack_bytes(held); });
      ASSERT_TRUE(problem) << one.name << " cut to " << length;
      EXPECT_EQ(problem->code(), errc::file_truncated) << one.name << " cut to " << length << ": " << problem->what();
      EXPECT_EQ(problem->place().file, "packed");
      EXPECT_NE(problem->message().find(one.packer), std::string::npos);
      EXPECT_NE(problem->message().find("get the whole file"), std::string::npos);
    }
  }
}

TEST(unpack, every_flipped_bit_is_an_error_or_changes_nothing) {
  int harmless = 0;
  for (const packed_case& one : single_members()) {
    test::guarded_buffer room(one.packed.size());
    const auto held = room.hold(one.packed, test::placement::at_end);
    for (std::size_t bit = one.packer == "gzip" ? 16 : 24; bit < 8 * held.size(); ++bit) {
      const auto mask = static_cast<std::uint8_t>(1u << bit % 8);
      held[bit / 8] ^= mask;
      bytes found;
      const auto problem = error_of([&] { found = content_of(*unpack_bytes(held)); });
      held[bit / 8] ^= mask;
      if (problem) {
        EXPECT_TRUE(problem->code() == errc::tile_corrupt || problem->code() == errc::file_truncated)
            << one.name << " bit " << bit << ": " << problem->what();
        EXPECT_EQ(problem->place().file, "packed");
      } else {
        EXPECT_EQ(found, one.raw) << one.name << " bit " << bit;
        ++harmless;
      }
    }
  }
  EXPECT_GT(harmless, 100);  // times, names and extra fields of gzip's header
}

TEST(unpack, damage_is_named_by_kind) {
  const bytes raw = sample(700);
  const bytes gz = test::gzip_by_libdeflate(raw, 6);
  const auto problem_with = [&](std::size_t from_end, std::uint8_t mask) {
    bytes damaged = joined({gz, gz});
    damaged[damaged.size() - from_end] ^= mask;
    return error_of([&] { unpack_bytes(damaged); });
  };
  for (const std::size_t at : {1u, 4u, 5u, 8u}) {  // ISIZE, then CRC32
    const auto problem = problem_with(at, 0x80);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code(), errc::tile_corrupt);
    EXPECT_NE(problem->message().find("CRC32 or ISIZE"), std::string::npos) << problem->message();
  }
  const auto problem = problem_with(gz.size() - 2, 1);  // the method, in the second member
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->code(), errc::tile_corrupt);
  EXPECT_NE(problem->message().find("damaged before byte " + std::to_string(gz.size())), std::string::npos)
      << problem->message();
}

TEST(unpack, the_limit_is_exact_and_named) {
  const bytes raw = sample(200000);
  for (const bytes& packed : {test::gzip_by_libdeflate(raw, 6), test::bzip2_by_libbz2(raw, 1),
                              joined({test::gzip_by_libdeflate(std::span(raw).first(77777), 6),
                                      test::gzip_by_libdeflate(std::span(raw).subspan(77777), 0)})}) {
    limits caps;
    caps.max_unpacked_bytes = raw.size();
    EXPECT_EQ(content_of(*unpack_bytes(packed, caps)), raw);
    for (const std::uint64_t limit : {raw.size() - 1, raw.size() / 2 + 50000, std::size_t{160000}}) {
      caps.max_unpacked_bytes = limit;
      const auto problem = error_of([&] { unpack_bytes(packed, caps); });
      ASSERT_TRUE(problem) << limit;
      EXPECT_EQ(problem->code(), errc::unsupported);
      ASSERT_EQ(problem->reasons().size(), 1u);
      EXPECT_EQ(problem->reasons()[0].code, reason_code::memory_limit);
      EXPECT_NE(problem->message().find("more than " + std::to_string(limit) + " bytes"), std::string::npos);
      EXPECT_NE(problem->message().find("max_unpacked_bytes"), std::string::npos);
    }
  }
  for (const bytes& nothing : {test::gzip_by_libdeflate({}, 6), empty_stream_by_hand()}) {
    limits caps;
    caps.max_unpacked_bytes = 0;
    EXPECT_EQ(unpack_bytes(nothing, caps)->size_bytes(), 0u);
  }
}

TEST(unpack, a_bomb_meets_the_limit) {
  const bytes zeros(std::size_t{64} << 20, 0);
  limits caps;
  caps.max_unpacked_bytes = 1 << 20;
  for (const bytes& bomb : {test::gzip_by_libdeflate(zeros, 9), test::bzip2_by_libbz2(zeros, 9)}) {
    const auto problem = error_of([&] { unpack_bytes(bomb, caps); });
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code(), errc::unsupported);
  }
}

/// Counts what is asked of it.
class counting_source final : public byte_source {
 public:
  explicit counting_source(bytes content, std::uint64_t said_bytes = 0)
      : content_(std::move(content)), said_(said_bytes) {}
  std::uint64_t size_bytes() const noexcept override { return std::max<std::uint64_t>(said_, content_.size()); }
  void read(std::uint64_t offset_bytes, std::span<std::uint8_t> out) const override {
    asked_ += out.size();
    std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(offset_bytes), out.size(), out.begin());
  }
  const std::string& name() const noexcept override { return name_; }
  const char* backend() const noexcept override { return "counting"; }
  std::uint64_t asked() const { return asked_; }

 private:
  bytes content_;
  std::uint64_t said_;
  std::string name_ = "counted";
  mutable std::uint64_t asked_ = 0;
};

TEST(unpack, a_file_that_cannot_fit_is_not_even_read) {
  for (const bytes& start : {member_by_hand(), empty_stream_by_hand()}) {
    const auto huge = std::make_shared<const counting_source>(start, std::uint64_t{1} << 40);
    const auto problem = error_of([&] { unpack(huge, {}); });
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code(), errc::unsupported);
    EXPECT_EQ(huge->asked(), 3u);
  }
}

TEST(unpack, no_room_is_sized_by_what_the_file_says) {
  bytes liar = test::gzip_by_libdeflate(sample(1000), 6);
  for (const std::uint8_t stated : bytes{0x00, 0x7f, 0xff}) {
    std::fill(liar.end() - 4, liar.end(), stated);
    EXPECT_LE(first_gunzip_bytes({liar.data(), liar.size()}), 1032 * liar.size());
    EXPECT_TRUE(error_of([&] { unpack_bytes(liar); }));
  }
  unpacked_bytes room(std::uint64_t{1} << 40, 1000);
  EXPECT_EQ(room.room().size(), 1000u);
  EXPECT_FALSE(room.grow());
  unpacked_bytes growing(10, 200000);
  growing.room()[0] = 42;
  growing.add(1);
  std::vector<std::size_t> sizes;
  while (growing.grow()) sizes.push_back(growing.room().size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{65535, 131071, 199999}));
  EXPECT_EQ(growing.written().size(), 1u);
  EXPECT_EQ(growing.written()[0], 42);
}

}  // namespace
}  // namespace cuphoton::xdr::io
