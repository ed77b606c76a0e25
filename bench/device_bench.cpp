// device_bench.cpp: the GPU engine on data that lie on the device, and whole loads from the page cache, each beside the
// copy rates of the same run. Every output is poisoned and compared with the host engine, bit for bit, before a time
// counts; inputs rotate and the second-level cache is flushed. device_bench RESULT.json COMMIT [CASE...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include <nlohmann/json.hpp>

#include <cuphoton/xdr/xdr.hpp>

#include "datasets.hpp"
#include "device_cases.hpp"
#include "device_timer.hpp"
#include "engine/resident.hpp"
#include "io/device_read.hpp"
#include "io/memory.hpp"

namespace {

using namespace cuphoton::xdr;
using bench::case_key;
using bench::pixel_kind;

constexpr std::int64_t side = 4096;
constexpr int images = 8;
constexpr int rounds = 9;
constexpr std::size_t flush_bytes = std::size_t{160} << 20;

struct setup {
  device::device_context& context = device::context_for(0);
  device::current_device guard{0};
  device::work_lease slot = context.acquire_slot();
  device::buffer flush{context.memory(), flush_bytes, slot->work.get()};
  double pinned = bench::pinned_copy_rate(slot->work.get());
  double device = bench::device_copy_rate(slot->work.get());
  nlohmann::json rows = nlohmann::json::array();
  bool met = true;
};

std::size_t output_bytes(const image_plan& plan) {
  return static_cast<std::size_t>(pixel_count(plan.section)) * static_cast<std::size_t>(size_bytes(plan.output_type));
}

/// Decodes once into poisoned memory and compares every byte with the host engine's.
void compare_with_host(setup& here, const bench::made_case& made, resident_image& resident, std::uint8_t* out) {
  const auto source = io::open_memory(made.bytes, "tiles");
  read_options options;
  options.engine = engine_choice::host;
  const image wanted = read(*source, made.plan, options);
  device::check(device::api().fill(out, 0xA5, wanted.size_bytes(), here.slot->work.get()), "poison");
  resident.decode(out, true);
  resident.finish();
  std::vector<std::uint8_t> got(wanted.size_bytes());
  copy_to_host(out, got, here.context, *here.slot, 12);
  if (std::memcmp(got.data(), wanted.data(), got.size()) != 0) {
    std::cerr << "device_bench: the pixels differ from the host engine's\n";
    std::exit(1);
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void add_row(setup& here, nlohmann::json row, double seconds, double bytes, double moved_bytes, double must,
             const char* binds) {
  const double rate = bytes / seconds / 1e9;
  const double floor =
      bytes / (moved_bytes / here.device / 1e9) / 1e9;  // all bytes over memory once, at the copy's rate
  row["gb_s"] = rate;
  row["must_gb_s"] = must;
  row["percent_of_floor"] = 100 * rate / floor;
  row["binds"] = binds;
  here.met = here.met && rate >= must;
  std::printf("%-34s %-9s %9.1f GB/s  must %7.1f  %5.1f %% of floor%s\n", row["case"].get<std::string>().c_str(),
              row["amount"].get<std::string>().c_str(), rate, must, 100 * rate / floor, rate < must ? "  MISSED" : "");
  std::fflush(stdout);
  here.rows.push_back(std::move(row));
}

/// Median seconds of decoding, several resident inputs in turn, each compared with the host engine before.
double time_inputs(setup& here, const std::vector<bench::made_case>& made) {
  const device::buffer out(here.context.memory(), output_bytes(made[0].plan), here.slot->work.get());
  std::vector<std::unique_ptr<resident_image>> resident;
  for (const bench::made_case& input : made) {
    resident.push_back(std::make_unique<resident_image>(input.plan, *io::open_memory(input.bytes, "tiles"),
                                                        here.context, *here.slot, 12));
    compare_with_host(here, input, *resident.back(), out.data());
  }
  std::vector<double> seconds;
  for (int round = 0; round < rounds + 2; ++round) {
    resident_image& input = *resident[static_cast<std::size_t>(round) % resident.size()];
    const float ms = bench::time_on_device(here.slot->work.get(), here.flush.data(), flush_bytes,
                                           [&] { input.decode(out.data(), true); });
    if (round >= 2) seconds.push_back(ms / 1e3);
  }
  return median(seconds);
}

void time_case(setup& here, const std::string& name, const case_key& key, int images_at_once, double must,
               const char* binds) {
  std::vector<bench::made_case> made;
  for (std::uint64_t seed = 1; seed <= (images_at_once == 1 ? 4U : 2U); ++seed) {
    made.push_back(bench::make_case(key, side, images_at_once, seed));
  }
  const double seconds = time_inputs(here, made);
  const auto compressed = static_cast<double>(made[0].compressed_bytes);
  const auto decoded = static_cast<double>(output_bytes(made[0].plan));
  const char* const tiles = key.codec == codec_id::none ? "pieces"
                            : key.rows_per_tile == 1    ? "row tiles"
                            : key.rows_per_tile == 16   ? "16-row tiles"
                                                        : "64 KiB tiles";
  add_row(here,
          {{"case", name + ", " + tiles},
           {"amount", std::to_string(images_at_once) + (images_at_once == 1 ? " image" : " images")},
           {"compression_ratio", decoded / compressed}},
          seconds, decoded, decoded + compressed, must, binds);
}

std::vector<std::uint8_t> raw_file(std::uint64_t seed, bool scaled) {
  std::string header;
  const auto card = [&header](const std::string& text) { header += text + std::string(80 - text.size(), ' '); };
  card("SIMPLE  =                    T");
  card("BITPIX  =                   16");
  card("NAXIS   =                    2");
  card("NAXIS1  =                 4096");
  card("NAXIS2  =                 4096");
  card(scaled ? "BSCALE  =                  0.1" : "BZERO   =                32768");
  card("END");
  header.resize(2880, ' ');
  std::vector<std::uint8_t> file(header.begin(), header.end());
  const bench::made_case made = bench::make_case({codec_id::none, pixel_kind::u16, 15, 1}, side, 1, seed);
  file.insert(file.end(), made.bytes.begin(), made.bytes.end());
  file.resize((file.size() + 2879) / 2880 * 2880);
  return file;
}

void time_raw(setup& here, bool scaled) {
  std::vector<bench::made_case> made(4);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i].bytes = raw_file(i + 1, scaled);
    made[i].plan = plan(*memory_source(made[i].bytes));
  }
  const double seconds = time_inputs(here, made);
  const auto decoded = static_cast<double>(output_bytes(made[0].plan));
  add_row(here,
          {{"case", scaled ? "raw i16: swap, scale, store f32" : "raw u16: swap, store"},
           {"amount", "1 image"},
           {"compression_ratio", scaled ? 2.0 : 1.0}},
          seconds, decoded, decoded + static_cast<double>(side * side) * 2, scaled ? 1000 : 0,
          "HBM, and about 20 us of launches and of the flush written back");
}

/// 16 files of 33 MB that lie in the page cache.
struct load_files {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "xdr-device-bench";
  std::vector<std::string> paths;

  load_files() {
    std::filesystem::create_directories(folder);
    for (std::uint64_t i = 0; i < 16; ++i) {
      paths.push_back(folder / (std::to_string(i) + ".fits"));
      const std::vector<std::uint8_t> file = raw_file(100 + i, false);
      std::ofstream(paths.back(), std::ios::binary)
          .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    }
  }
  ~load_files() { std::filesystem::remove_all(folder); }
  load_files(const load_files&) = delete;
  load_files& operator=(const load_files&) = delete;
};

/// Whole loads into device arrays, one after another.
void time_loads(setup& here) {
  const load_files files;
  warm_up(0, std::uint64_t{1} << 30);
  read_options options;
  options.engine = engine_choice::gpu;
  options.space = memory_space::device;
  std::vector<double> seconds;
  std::uint64_t bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    bytes = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& path : files.paths) {
      const auto source = open_source(path);
      const image pixels = read(*source, hdu_selector{}, options);
      bytes += pixels.size_bytes();
    }
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  // Where the time of one file goes, for people; not kept.
  double parts[4] = {};
  for (const std::string& path : files.paths) {
    auto last = std::chrono::steady_clock::now();
    const auto lap = [&last] {
      const auto now = std::chrono::steady_clock::now();
      return std::chrono::duration<double>(now - std::exchange(last, now)).count();
    };
    const auto source = open_source(path);
    const image_plan steps = plan(*source);
    parts[0] += lap();
    const device::buffer out(here.context.memory(), output_bytes(steps), here.slot->work.get());
    resident_image resident(steps, *source, here.context, *here.slot, device::reader_threads());
    parts[1] += lap();
    here.slot->work.synchronize();
    parts[2] += lap();
    resident.decode(out.data(), true);
    resident.finish();
    parts[3] += lap();
  }
  std::printf("  one file in us: open and plan %.0f, read and enqueue %.0f, last copies %.0f, decode and judge %.0f\n",
              parts[0] * 1e6 / 16, parts[1] * 1e6 / 16, parts[2] * 1e6 / 16, parts[3] * 1e6 / 16);
  const double rate = static_cast<double>(bytes) / median(seconds) / 1e9;
  const double percent = 100 * rate / here.pinned;
  std::printf("%-34s %-9s %9.1f GB/s  %5.1f %% of the pinned copy (must 60)%s\n", "page cache to GPU array, raw u16",
              "16 files", rate, percent, percent < 60 ? "  MISSED" : "");
  here.met = here.met && percent >= 60;
  here.rows.push_back({{"case", "page cache to GPU array, raw u16"},
                       {"amount", "16 files"},
                       {"compression_ratio", 1.0},
                       {"gb_s", rate},
                       {"must_gb_s", 0.6 * here.pinned},
                       {"percent_of_floor", percent},
                       {"binds", "PCIe; floor: the pinned copy"}});
}

/// Reads alone, over slots, parts, rings and threads, and whole loads as they are set: device_bench sweep. For people
/// who tune a host; nothing is kept. The files are more than a last-level cache holds.
void sweep_reads() {
  const load_files files;
  const image_plan steps = plan(*open_source(files.paths[0]));
  for (const std::size_t slot_kib : {1024U, 2048U, 4096U}) {
    for (const std::size_t part_kib : {128U, 256U, 512U}) {
      for (const std::size_t ring_mib : {8U, 16U, 24U}) {
        for (const unsigned threads : {6U, 8U, 10U, 12U, 14U}) {
          device::context_options options;
          options.slot_bytes = slot_kib << 10;
          options.part_bytes = part_kib << 10;
          options.ring_slots = (ring_mib << 10) / slot_kib;
          device::device_context context(0, options);
          const device::current_device guard(0);
          const device::work_lease slot = context.acquire_slot();
          std::vector<double> seconds;
          for (int round = 0; round < 2; ++round) {
            for (const std::string& path : files.paths) {
              const auto source = open_source(path);
              const auto begin = std::chrono::steady_clock::now();
              const resident_image resident(steps, *source, context, *slot, threads);
              slot->work.synchronize();
              seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            }
          }
          std::printf("%5.1f GB/s: slot %4zu KiB, part %4zu KiB, ring %2zu MiB, %2u threads\n",
                      static_cast<double>(side * side * 2) / median(seconds) / 1e9, slot_kib, part_kib, ring_mib,
                      threads);
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "sweep") {
    sweep_reads();
    setup here;
    time_loads(here);
    return 0;
  }
  if (const auto why = probe_capabilities().device) {
    std::cerr << "device_bench: " << why->detail << '\n';
    return 1;
  }
  setup here;
  std::printf("%s: pinned copy %.1f GB/s, device copy %.0f GB/s (read and written)\n",
              here.context.about().name.c_str(), here.pinned, here.device);
  time_raw(here, false);
  time_raw(here, true);
  for (const std::int64_t rows : {1, 8}) {
    time_case(here, "GZIP_2 u16 noise 15", {codec_id::gzip_2, pixel_kind::u16, 15, rows}, images, 18,
              "warp instructions");
    time_case(here, "GZIP_1 u16 noise 60", {codec_id::gzip_1, pixel_kind::u16, 60, rows}, images, 13,
              "warp instructions");
  }
  for (const double sigma : {5.0, 15.0, 60.0, 400.0}) {
    const std::string name = "RICE_1 u16 noise " + std::to_string(static_cast<int>(sigma));
    time_case(here, name, {codec_id::rice_1, pixel_kind::u16, sigma, 1}, 1, 100, "latency of one code after another");
    time_case(here, name, {codec_id::rice_1, pixel_kind::u16, sigma, 1}, images, 500,
              "warp instructions and L2 stores");
  }
  time_case(here, "RICE_1 u16 noise 15", {codec_id::rice_1, pixel_kind::u16, 15, 8}, 1, 0, "latency: 512 tiles");
  time_case(here, "RICE_1 u16 noise 15", {codec_id::rice_1, pixel_kind::u16, 15, 8}, images, 0, "latency: 4096 tiles");
  const case_key dithered{codec_id::rice_1, pixel_kind::i32_dithered, 4, 1};
  time_case(here, "RICE_1 i32 to dithered f32", dithered, 1, 120, "latency of one code after another");
  time_case(here, "RICE_1 i32 to dithered f32", dithered, images, 600, "warp instructions");
  const case_key mask{codec_id::plio_1, pixel_kind::i32_mask, 0, 1};
  time_case(here, "PLIO_1 mask", mask, 1, 0, "not examined yet");
  time_case(here, "PLIO_1 mask", mask, images, 200, "not examined yet");
  const case_key hcompress{codec_id::hcompress_1, pixel_kind::i32, 15, 16};
  time_case(here, "HCOMPRESS_1 i32 noise 15", hcompress, 1, 0, "256 warps, one code after another; not examined yet");
  time_case(here, "HCOMPRESS_1 i32 noise 15", hcompress, images, 5, "one code after another; not examined yet");
  time_loads(here);
  const nlohmann::json report = {
      {"schema", 1},
      {"bench", "device"},
      {"machine",
       {{"gpu", here.context.about().name}, {"pinned_copy_gb_s", here.pinned}, {"device_copy_gb_s", here.device}}},
      {"commit", argc > 2 ? argv[2] : "unknown"},
      {"method",
       "4096 x 4096 sky with stars; compressed bytes, tile tables and output on the device, except in the last row; "
       "CUDA events "
       "around all launches of a load, statuses and CRC32 included; output poisoned and compared with the host engine "
       "first; "
       "inputs rotated, L2 flushed by 160 MB of writes; median of 9"},
      {"rows", here.rows}};
  if (argc > 1) std::ofstream(argv[1]) << report.dump(2) << '\n';
  return here.met ? 0 : 3;
}
