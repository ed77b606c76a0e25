// nvcomp_test.cpp: nvCOMP without nvCOMP: libraries that have its names (tests/fakes/fake_nvcomp.cpp), which requests
// name it, what keeps it from being used, the memory of a batch.
#include <dlfcn.h>

#include <gtest/gtest.h>

#include <cuphoton/xdr/error.hpp>

#include "codecs/gzip/gzip_nvcomp.hpp"
#include "codecs/gzip/nvcomp_batch.hpp"
#include "support/fake_device.hpp"

namespace cuphoton::xdr {
namespace {

const std::string fakes = XDR_FAKE_NVCOMP;

/// What a fake remembers; its library must be open.
class memory_of_fake {
 public:
  explicit memory_of_fake(const std::string& file) : handle_(dlopen((fakes + file).c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    EXPECT_NE(handle_, nullptr) << file;
  }
  ~memory_of_fake() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  memory_of_fake(const memory_of_fake&) = delete;
  memory_of_fake& operator=(const memory_of_fake&) = delete;

  template <class Value>
  Value& get(const char* name) const {
    return *static_cast<Value*>(dlsym(handle_, name));
  }
  const unsigned char* options() const { return &get<unsigned char>("fake_options"); }
  std::size_t number(int which) const { return (&get<std::size_t>("fake_numbers"))[which]; }
  const void* pointer(int which) const { return (&get<const void*>("fake_pointers"))[which]; }

 private:
  void* handle_;
};

/// The process forgets its library around each test.
class nvcomp : public testing::Test {
 protected:
  nvcomp() { forget_nvcomp(); }
  ~nvcomp() override { forget_nvcomp(); }
};

TEST_F(nvcomp, opens_5_and_6_and_calls_each_by_its_names) {
  struct version_case {
    const char* folder;
    const char* file;
    const char* version;
  };
  for (const version_case& row : {version_case{"five", "five/libnvcomp.so.5", "5.2.3"},
                                  version_case{"six", "six/lib64/libnvcomp.so.6", "6.0.0"}}) {
    std::string why;
    const std::optional<nvcomp_library> library = nvcomp_library::open(fakes + row.folder, why);
    ASSERT_TRUE(library.has_value()) << why;
    EXPECT_EQ(library->version(), row.version);
    const memory_of_fake fake(row.file);
    for (const auto backend : {nvcomp_backend::automatic, nvcomp_backend::hardware, nvcomp_backend::cuda}) {
      std::size_t bytes = 0;
      EXPECT_EQ(library->scratch_bytes(nvcomp_format::gzip, backend, 7, 100, bytes), 0);
      EXPECT_EQ(bytes, 1007U);
      EXPECT_EQ(fake.number(0), 7U);
      EXPECT_EQ(fake.number(1), 100U);
      EXPECT_EQ(fake.number(2), 700U);
      EXPECT_EQ(fake.options()[0], static_cast<unsigned char>(backend));
      // Look-ahead (byte 4) is never asked for, and what is reserved is 0.
      for (int byte = 1; byte < 64; ++byte) EXPECT_EQ(fake.options()[byte], 0) << byte;
    }
  }
}

TEST_F(nvcomp, passes_the_tables_in_order) {
  std::string why;
  const std::optional<nvcomp_library> library = nvcomp_library::open(fakes + "six", why);
  ASSERT_TRUE(library.has_value()) << why;
  const memory_of_fake fake("six/lib64/libnvcomp.so.6");
  char places[8];
  nvcomp_tables tables;
  tables.inputs = reinterpret_cast<const void**>(&places[0]);
  tables.input_bytes = reinterpret_cast<std::size_t*>(&places[1]);
  tables.capacities = reinterpret_cast<std::size_t*>(&places[2]);
  tables.written = reinterpret_cast<std::size_t*>(&places[3]);
  tables.outputs = reinterpret_cast<void**>(&places[5]);
  tables.statuses = reinterpret_cast<int*>(&places[6]);
  auto* const stream = reinterpret_cast<CUstream_st*>(&places[7]);
  for (const auto format : {nvcomp_format::gzip, nvcomp_format::deflate}) {
    EXPECT_EQ(library->decompress(format, nvcomp_backend::cuda, tables, 9, &places[4], 77, stream), 0);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(fake.pointer(i), &places[i]) << i;
    EXPECT_EQ(fake.number(0), 9U);
    EXPECT_EQ(fake.number(1), 77U);
    EXPECT_EQ(fake.number(3), format == nvcomp_format::gzip ? sizeof "Gzip" : sizeof "Deflate");
    EXPECT_EQ(fake.options()[0], 2);
    for (int byte = 1; byte < 64; ++byte) EXPECT_EQ(fake.options()[byte], 0) << byte;
  }
}

TEST_F(nvcomp, what_is_no_nvcomp_is_a_reason) {
  std::string why;
  EXPECT_FALSE(nvcomp_library::open(fakes + "nowhere", why).has_value());
  for (const char* const tried : {"/nowhere/libnvcomp.so.5", "/nowhere/lib64/libnvcomp.so.5", "/nowhere/libnvcomp.so.6",
                                  "/nowhere/lib64/libnvcomp.so.6"}) {
    EXPECT_NE(why.find(tried), std::string::npos) << tried << " in " << why;
  }
  EXPECT_FALSE(nvcomp_library::open(fakes + "seven", why).has_value());
  EXPECT_NE(why.find("it says that it is version 7.0.0"), std::string::npos) << why;
  EXPECT_FALSE(nvcomp_library::open(fakes + "incomplete", why).has_value());
  EXPECT_NE(why.find("nvcompBatchedGzipDecompressGetTempSize"), std::string::npos) << why;
}

TEST_F(nvcomp, a_failed_search_is_repeated_and_a_found_library_stays) {
  std::string why;
  EXPECT_EQ(find_nvcomp(fakes + "nowhere", why), nullptr);
  const nvcomp_library* const five = find_nvcomp(fakes + "five", why);
  ASSERT_NE(five, nullptr) << why;
  EXPECT_EQ(find_nvcomp(fakes + "nowhere", why), five);
  EXPECT_EQ(find_nvcomp(fakes + "six", why), five);
  EXPECT_EQ(&nvcomp_in_use(), five);
}

TEST_F(nvcomp, requests_that_name_it) {
  using decoder = gzip_decoder_choice;
  using backend = decompression_backend_choice;
  struct request_case {
    decoder wanted;
    backend runs_on;
    const char* name;  // nullptr: the row's own decoder
    bool alone;
    const char* note;
  };
  const request_case cases[] = {
      {decoder::automatic, backend::automatic, nullptr, false, ""},
      {decoder::automatic, backend::cuda, nullptr, false, ""},
      {decoder::builtin, backend::automatic, nullptr, false, ""},
      {decoder::builtin, backend::cuda, nullptr, false, ""},
      {decoder::automatic, backend::hardware, "nvcomp gzip", true, "(gzip, engine: hardware)"},
      {decoder::gzip, backend::hardware, "nvcomp gzip", true, "(gzip, engine: hardware)"},
      {decoder::gzip, backend::automatic, "nvcomp gzip", false, "(gzip, engine: unknown, nvCOMP chose)"},
      {decoder::gzip, backend::cuda, "nvcomp gzip", false, "(gzip, engine: CUDA)"},
      {decoder::deflate, backend::automatic, "nvcomp deflate", false, "(deflate, engine: CUDA)"},
      {decoder::deflate, backend::cuda, "nvcomp deflate", false, "(deflate, engine: CUDA)"},
  };
  std::string why;
  ASSERT_NE(find_nvcomp(fakes + "six", why), nullptr) << why;
  for (const request_case& row : cases) {
    read_options options;
    options.gzip_decoder = row.wanted;
    options.decompression_backend = row.runs_on;
    const std::string what = std::string(name(row.wanted)) + " " + std::string(name(row.runs_on));
    for (const char* const codec : {"GZIP_1", "GZIP_2"}) {
      const device_alternative* const named = find_codec(codec)->alternative(options);
      ASSERT_EQ(named != nullptr, row.name != nullptr) << what;
      if (named == nullptr) continue;
      EXPECT_EQ(named->name, row.name) << what;
      EXPECT_EQ(named->alone, row.alone) << what;
      EXPECT_EQ(named->note(), "nvCOMP 6.0.0 inflated the tiles " + std::string(row.note) + ": for trusted files only");
    }
  }
  for (const char* const codec : {"NOCOMPRESS", "RICE_1", "HCOMPRESS_1", "PLIO_1"}) {
    EXPECT_EQ(find_codec(codec)->alternative, nullptr) << codec;
  }
}

TEST_F(nvcomp, its_absence_names_the_wheel) {
  for (const auto wanted : {gzip_decoder_choice::gzip, gzip_decoder_choice::deflate}) {
    read_options options;
    options.gzip_decoder = wanted;
    options.nvcomp_folder = fakes + "nowhere";
    const std::optional<reason> why = choose_nvcomp(options)->obstacle(options, 1000);
    ASSERT_TRUE(why.has_value());
    EXPECT_EQ(why->code, reason_code::nvcomp_unavailable);
    EXPECT_NE(why->detail.find("pip install nvidia-libnvcomp-cu13"), std::string::npos) << why->detail;
    EXPECT_NE(why->detail.find("nowhere/lib64/libnvcomp.so.6"), std::string::npos) << why->detail;
    options.nvcomp_folder = fakes + "five";
    EXPECT_EQ(choose_nvcomp(options)->obstacle(options, 0xffffffffU), std::nullopt);
    EXPECT_EQ(choose_nvcomp(options)->obstacle(options, 0x100000000U)->code, reason_code::nvcomp_unavailable);
    forget_nvcomp();
  }
}

TEST_F(nvcomp, hardware_without_an_engine_is_refused) {
  test::fake_device gpu;
  read_options options;
  options.decompression_backend = decompression_backend_choice::hardware;
  options.nvcomp_folder = fakes + "six";
  const device_alternative& hardware = *choose_nvcomp(options);
  const std::optional<reason> none = hardware.obstacle(options, 1000);
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->code, reason_code::hardware_unavailable);
  EXPECT_NE(none->detail.find("has no decompression engine"), std::string::npos) << none->detail;
  EXPECT_THROW(require_reach(nvcomp_backend::hardware, &options), error);
  EXPECT_NO_THROW(require_reach(nvcomp_backend::cuda, &options));
  gpu.set_engine({true, 4096});
  EXPECT_EQ(hardware.obstacle(options, 4096), std::nullopt);
  EXPECT_NO_THROW(require_reach(nvcomp_backend::hardware, &options));
  const std::optional<reason> large = hardware.obstacle(options, 4097);
  ASSERT_TRUE(large.has_value());
  EXPECT_EQ(large->code, reason_code::hardware_unavailable);
  EXPECT_NE(large->detail.find("streams of up to 4096 bytes, a tile may have 4097"), std::string::npos);
  forget_nvcomp();
  options.nvcomp_folder = fakes + "nowhere";
  EXPECT_EQ(hardware.obstacle(options, 4096)->code, reason_code::nvcomp_unavailable);
}

/// Every part in its place, none over another, slack between the slots and a tail behind the last.
TEST_F(nvcomp, a_batch_has_slack_between_slots_and_tables_in_front) {
  std::string why;
  const nvcomp_library* const library = find_nvcomp(fakes + "five", why);
  ASSERT_NE(library, nullptr) << why;
  const memory_of_fake fake("five/libnvcomp.so.5");
  for (const std::size_t alignment : {1U, 4U, 8U}) {
    fake.get<std::size_t>("fake_input_alignment") = alignment;
    for (const std::uint64_t raw : {1U, 4096U, 65536U, 0x7fffffffU}) {
      for (const std::uint32_t tiles : {1U, 33U, 100000U}) {
        const nvcomp_task task{nvcomp_format::gzip, nvcomp_backend::cuda, tiles, raw + 5, raw};
        const nvcomp_layout layout = lay_out(*library, task);
        const std::uint64_t count = layout.batch_tiles;
        ASSERT_GE(count, 1U);
        ASSERT_LE(count, tiles);
        EXPECT_TRUE(count == 1 || count * (layout.slot_stride + layout.staging_stride) <= nvcomp_most_batch_bytes);
        EXPECT_GE(layout.table_stride, 8 * count);
        EXPECT_GE(layout.stand_in_at, 7 * layout.table_stride);
        EXPECT_GE(layout.scratch_at, layout.stand_in_at + nvcomp_stand_in_bytes);
        EXPECT_EQ(layout.scratch_bytes, count + 1000);
        EXPECT_GE(layout.staging_at, layout.scratch_at + layout.scratch_bytes);
        EXPECT_EQ(layout.staging_stride != 0, alignment > 1);
        if (alignment > 1) {
          EXPECT_GE(layout.staging_stride, task.largest_compressed_bytes);
        }
        EXPECT_GE(layout.slots_at, layout.staging_at + count * layout.staging_stride);
        EXPECT_GE(layout.slot_stride, raw + nvcomp_slack_bytes);
        EXPECT_GE(layout.total_bytes - (layout.slots_at + count * layout.slot_stride),
                  std::min(3 * layout.slot_stride, nvcomp_most_tail_bytes));
        for (const std::uint64_t part : {layout.table_stride, layout.stand_in_at, layout.scratch_at, layout.staging_at,
                                         layout.staging_stride, layout.slots_at, layout.slot_stride}) {
          EXPECT_EQ(part % nvcomp_part_alignment, 0U);
        }
      }
    }
  }
  fake.get<std::size_t>("fake_input_alignment") = 512;
  EXPECT_THROW(lay_out(*library, {nvcomp_format::gzip, nvcomp_backend::cuda, 1, 10, 10}), error);
  fake.get<std::size_t>("fake_input_alignment") = 1;
  fake.get<int>("fake_status") = 11;
  try {
    lay_out(*library, {nvcomp_format::gzip, nvcomp_backend::cuda, 1, 10, 10});
    FAIL() << "a refusal must be an error";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::unsupported);
    EXPECT_NE(problem.message().find("not supported (nvCOMP status 11)"), std::string::npos) << problem.message();
  }
}

TEST_F(nvcomp, the_last_batch_is_what_is_left) {
  std::string why;
  const nvcomp_library* const library = find_nvcomp(fakes + "six", why);
  ASSERT_NE(library, nullptr) << why;
  const memory_of_fake fake("six/lib64/libnvcomp.so.6");
  const nvcomp_task task{nvcomp_format::deflate, nvcomp_backend::cuda, 100000, 70000, 65536};
  const nvcomp_layout layout = lay_out(*library, task);
  ASSERT_LT(layout.batch_tiles, task.tiles);
  std::uint32_t done = 0;
  std::uint8_t memory = 0;  // nothing is written: only addresses are made
  while (done < task.tiles) {
    const nvcomp_batch batch = place_batch(layout, task, &memory, done);
    EXPECT_EQ(batch.first, done);
    EXPECT_GT(batch.count, 0U);
    EXPECT_LE(batch.count, layout.batch_tiles);
    EXPECT_TRUE(batch.strips_frame);
    EXPECT_EQ(batch.staging, nullptr);
    EXPECT_EQ(batch.slots, &memory + layout.slots_at);
    done += batch.count;
  }
  EXPECT_EQ(done, task.tiles);

  test::fake_device gpu;
  const nvcomp_batch batch = place_batch(layout, task, &memory, 0);
  run_batch(*library, layout, task, batch, &memory, nullptr);
  EXPECT_EQ(fake.number(0), layout.batch_tiles);
  EXPECT_EQ(fake.number(1), layout.scratch_bytes);
  EXPECT_EQ(fake.pointer(4), &memory + layout.scratch_at);
  EXPECT_EQ(fake.number(3), sizeof "Deflate");
  fake.get<int>("fake_status") = 10;
  EXPECT_THROW(run_batch(*library, layout, task, batch, &memory, nullptr), error);
}

TEST_F(nvcomp, statuses_have_words) {
  EXPECT_EQ(nvcomp_status_text(0), "success (nvCOMP status 0)");
  EXPECT_EQ(nvcomp_status_text(18), "chunk too large (nvCOMP status 18)");
  EXPECT_EQ(nvcomp_status_text(4711), "nvCOMP status 4711");
}

}  // namespace
}  // namespace cuphoton::xdr
