// hostile_plans_test.cpp: a plan that travelled as text is data of somebody else: numbers in it are checked as those of
// a file are, and it is read for the file it was made for.
#include <functional>

#include <cuphoton/xdr/plan.hpp>

#include "hostile_tiles.hpp"

namespace cuphoton::xdr::test {
namespace {

byte_vector made_file() {
  return compressed_file(gzip_image({2, {4, 3}}, {2, {2, 3}}));
}
std::string plan_text() {
  return to_json(plan(*source_of(made_file()), hdu_selector::number(1)), -1);
}

/// The text with its `occurrence`-th `from` replaced.
std::string changed(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in " << text;
  return text.substr(0, at) + to + text.substr(at + from.size());
}

/// The value of a member, as written.
std::string member_of(const std::string& text, const std::string& key) {
  const std::size_t at = text.find("\"" + key + "\":");
  EXPECT_NE(at, std::string::npos) << key;
  std::size_t end = at + key.size() + 3;
  int depth = 0;
  for (; depth > 0 || (text[end] != ',' && text[end] != '}'); ++end) {
    depth += text[end] == '[' || text[end] == '{' ? 1 : text[end] == ']' || text[end] == '}' ? -1 : 0;
  }
  return text.substr(at, end - at);
}

void expect_refused(const std::string& text, const std::string& what) {
  try {
    plan_from_json(text);
    ADD_FAILURE() << what << " was accepted";
  } catch (const error& problem) {
    EXPECT_TRUE(problem.code() == errc::invalid_argument || problem.code() == errc::tile_table_invalid)
        << problem.what();
    EXPECT_LT(std::string(problem.what()).size(), 500U);
  }
}

TEST(hostile_plans, a_plan_that_travelled_reads_what_it_was_made_for) {
  const image_plan steps = plan_from_json(plan_text());
  for (const engine_choice engine : {engine_choice::host, engine_choice::automatic}) {
    read_options options;
    options.engine = engine;
    std::vector<std::int16_t> expected;
    for (std::uint64_t i = 0; i < 12; ++i) expected.push_back(made_pixel(i));
    expect_pixels(read(*source_of(made_file()), steps, options), expected);
  }
}

TEST(hostile_plans, every_number_is_checked) {
  const std::string good = plan_text();
  const char* const wrong[] = {"-1",
                               "9223372036854775807",
                               "9223372036854775808",
                               "18446744073709551615",
                               "18446744073709551616",
                               "1e300",
                               "4294967296",
                               "0.5",
                               "\"7\"",
                               "null",
                               "[]",
                               "{}",
                               "true"};
  for (const char* key :
       {"file_bytes", "hdu", "capacity_bytes_per_pixel", "dither_seed", "rice_block_pixels", "schema"}) {
    const std::string member = member_of(good, key);
    for (const char* value : wrong) {
      if (std::string(key) == "file_bytes" && std::string(value).size() > 9 && value[0] != '-' && value[1] != 'e' &&
          std::string(value) != "18446744073709551616") {
        continue;  // a plan for a longer file: refused when it is read
      }
      if (std::string(key) == "hdu" && std::string(value) == "-1") continue;  // names no memory; in messages only
      expect_refused(changed(good, member, std::string("\"") + key + "\":" + value), key + std::string(" ") + value);
    }
  }
  const std::string tiles = member_of(good, "tiles");
  for (const char* value :
       {"[[0,10,0],[0,10,0]]", "[[0,10,0]]", "[[0,10,0],[0,10,2]]", "[[0,10,0],[0,10,4294967295]]",
        "[[999999,10,0],[0,10,1]]", "[[18446744073709551615,10,0],[0,10,1]]", "[[18446744073709551610,6,0],[0,10,1]]",
        "[[0,4294967295,0],[0,10,1]]", "[[-1,10,0],[0,10,1]]", "[[0,10,0,1.0,0.0],[0,10,1]]", "[[0,10],[0,10,1]]",
        "[0,1]", "[]", "{}", "[[],[]]"}) {
    expect_refused(changed(good, tiles, std::string("\"tiles\":") + value), value);
  }
  for (const char* key : {"image_shape", "tile_shape"}) {
    for (const char* value : {"[]", "[4]", "[4,3,1]", "[4,-3]", "[4,0]", "[9223372036854775807,9223372036854775807]",
                              "[4,3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[\"4\",3]", "4"}) {
      expect_refused(changed(good, member_of(good, key), std::string("\"") + key + "\":" + value), value);
    }
  }
  for (const char* key : {"codec", "stored_type", "output_type", "dither"}) {
    for (const char* value : {"\"os.system\"", "\"\"", "0", "\"gzip_1\\u0000\"", "null"}) {
      expect_refused(changed(good, member_of(good, key), std::string("\"") + key + "\":" + value), value);
    }
  }
}

TEST(hostile_plans, text_that_is_no_plan_is_refused) {
  const std::string good = plan_text();
  expect_refused("", "nothing");
  expect_refused("\x80\x04\x95", "a pickle");
  expect_refused("__import__('os').system('touch made')", "code");
  for (std::size_t length = 0; length < good.size(); ++length) expect_refused(good.substr(0, length), "a cut plan");
  for (const std::size_t depth : {20U, 1'000'000U}) {
    expect_refused(std::string(depth, '['), "deep lists");
    std::string deep;
    for (std::size_t i = 0; i < depth; ++i) deep += "{\"a\":";
    expect_refused(deep, "deep objects");
    expect_refused(
        changed(good, member_of(good, "notes"), "\"notes\":" + std::string(depth, '[') + std::string(depth, ']')),
        "deep notes");
  }
}

TEST(hostile_plans, a_member_given_twice_counts_once_and_is_checked) {
  const std::string good = plan_text();
  const std::string twice = changed(good, "{", "{\"file_bytes\":18446744073709551615,\"hdu\":-7,\"groups\":[],");
  const image_plan steps = plan_from_json(twice);  // JSON's last one counts, and that one is right
  EXPECT_EQ(steps.file_bytes, made_file().size());
  EXPECT_EQ(steps.hdu_index, 1);
  EXPECT_EQ(steps.groups.size(), 1U);
  const std::string wrong_last = good.substr(0, good.size() - 1) + ",\"file_bytes\":10}";
  expect_refused(wrong_last, "tiles outside the file");
}

TEST(hostile_plans, a_plan_of_another_file_is_refused) {
  const image_plan steps = plan_from_json(plan_text());
  byte_vector longer = made_file();
  longer.resize(longer.size() + 2880);
  byte_vector shorter = made_file();
  shorter.resize(shorter.size() - 2880);
  for (const byte_vector& other : {longer, shorter, byte_vector{}}) {
    std::vector<std::uint8_t> out(24);
    for (const auto& load : std::vector<std::function<void()>>{[&] { read(*source_of(other), steps); },
                                                               [&] { read_into(*source_of(other), steps, out); }}) {
      try {
        load();
        ADD_FAILURE();
      } catch (const error& problem) {
        expect_error(problem, errc::invalid_argument, {"made.fits", 1},
                     {"the plan was made for a file of " + std::to_string(steps.file_bytes) + " bytes"});
      }
    }
  }
  byte_vector same_length(steps.file_bytes, 0xff);  // tiles of something else: the codec says so
  expect_error(
      [&] {
        try {
          read(*source_of(same_length), steps);
        } catch (const error& problem) {
          return problem;
        }
        return error(errc::internal, {}, "no error");
      }(),
      errc::tile_corrupt, {"made.fits", 1, 0}, {"GZIP_1"});
}

}  // namespace
}  // namespace cuphoton::xdr::test
