// host_bench.cpp: whole reads on one core, ours and CFITSIO's in turn in the same process: path -> pixels in memory
// that exists. Every image is compared with CFITSIO's before a time counts. Prints a table and writes JSON
// (bench/README.md says how).
#include <fitsio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include <cuphoton/xdr/xdr.hpp>

#include "datasets.hpp"

namespace {

using namespace cuphoton::xdr;
using clock_type = std::chrono::steady_clock;

constexpr long side = 2048;
constexpr int images = 4;  // rotated: 4 x 8 to 16 MB are more than the last-level cache's share of one image
constexpr int rounds = 7;  // each reads all images once; the median counts
constexpr double sigma = 15.0;

struct kind {
  const char* codec;  // as ZCMPTYPE, or "raw"
  int compression;    // CFITSIO's number, 0: none
  int bitpix;         // as CFITSIO has it
  bool quantized;     // RICE_1 takes floats only quantised
  bool mask = false;  // i32: PLIO_1 is made for nothing else
};
constexpr kind kinds[] = {
    {"raw", 0, USHORT_IMG, false},
    {"raw", 0, FLOAT_IMG, false},
    {"GZIP_1", GZIP_1, USHORT_IMG, false},
    {"GZIP_1", GZIP_1, FLOAT_IMG, false},
    {"GZIP_2", GZIP_2, USHORT_IMG, false},
    {"GZIP_2", GZIP_2, FLOAT_IMG, false},
    {"RICE_1", RICE_1, USHORT_IMG, false},
    {"RICE_1", RICE_1, FLOAT_IMG, true},
    {"HCOMPRESS_1", HCOMPRESS_1, SHORT_IMG, false},  // tiles of 16 rows, as CFITSIO likes them
    {"HCOMPRESS_1", HCOMPRESS_1, LONG_IMG, false},
    {"PLIO_1", PLIO_1, LONG_IMG, false, true},
};

/// A type of pixels: CFITSIO's number of it in memory, its width, our name and NumPy's.
struct pixel_facts {
  int memory_type;
  std::size_t bytes;
  const char* shortly;
  const char* name;
};
pixel_facts facts_of(int bitpix) {
  switch (bitpix) {
    case USHORT_IMG: return {TUSHORT, 2, "u16", "uint16"};
    case SHORT_IMG: return {TSHORT, 2, "i16", "int16"};
    case LONG_IMG: return {TINT, 4, "i32", "int32"};
    default: return {TFLOAT, 4, "f32", "float32"};
  }
}

/// The sky as stored: native pixels of the type.
std::vector<std::uint8_t> to_pixels(const std::vector<float>& sky, int bitpix) {
  std::vector<std::uint8_t> bytes(sky.size() * facts_of(bitpix).bytes);
  const std::vector<std::uint16_t> counts = bench::to_u16(sky);
  for (std::size_t i = 0; i < sky.size(); ++i) {
    const auto count = static_cast<std::int32_t>(counts[i]);
    switch (bitpix) {
      case USHORT_IMG: std::memcpy(bytes.data() + 2 * i, &counts[i], 2); break;
      case SHORT_IMG: {
        const auto pixel = static_cast<std::int16_t>(std::min(count, 32767));
        std::memcpy(bytes.data() + 2 * i, &pixel, 2);
        break;
      }
      case LONG_IMG: std::memcpy(bytes.data() + 4 * i, &count, 4); break;
      default: std::memcpy(bytes.data() + 4 * i, &sky[i], 4);
    }
  }
  return bytes;
}

void require(int status, const char* what) {
  if (status == 0) return;
  char text[FLEN_STATUS];
  fits_get_errstatus(status, text);
  std::cerr << "CFITSIO: " << what << ": " << text << '\n';
  std::exit(1);
}

void write_image(const std::string& path, const kind& what, std::uint64_t seed) {
  const std::vector<std::int32_t> mask = bench::make_mask(side, side, seed);
  std::vector<std::uint8_t> pixels = to_pixels(bench::make_sky(side, side, sigma, seed), what.bitpix);
  if (what.mask) std::memcpy(pixels.data(), mask.data(), pixels.size());
  fitsfile* file = nullptr;
  int status = 0;
  std::filesystem::remove(path);
  fits_create_diskfile(&file, path.c_str(), &status);
  if (what.compression != 0) {
    fits_set_compression_type(file, what.compression, &status);
    fits_set_quantize_level(file, what.quantized ? 4.0F : 0.0F, &status);
    fits_set_quantize_method(file, what.quantized ? SUBTRACTIVE_DITHER_1 : NO_DITHER, &status);
    fits_set_dither_seed(file, 1, &status);
  }
  long axes[] = {side, side};
  fits_create_img(file, what.bitpix, 2, axes, &status);
  fits_write_img(file, facts_of(what.bitpix).memory_type, 1, side * side, pixels.data(), &status);
  fits_close_file(file, &status);
  require(status, "write");
}

void read_cfitsio(const std::string& path, const kind& what, std::vector<std::uint8_t>& out) {
  fitsfile* file = nullptr;
  int status = 0;
  fits_open_diskfile(&file, path.c_str(), READONLY, &status);
  if (what.compression != 0) fits_movabs_hdu(file, 2, nullptr, &status);
  float nan = std::numeric_limits<float>::quiet_NaN();
  fits_read_img(file, facts_of(what.bitpix).memory_type, 1, side * side, what.quantized ? &nan : nullptr, out.data(),
                nullptr, &status);
  fits_close_file(file, &status);
  require(status, "read");
}

void read_ours(const std::string& path, const kind& what, std::vector<std::uint8_t>& out) {
  read_options options;
  options.engine = engine_choice::host;
  options.threads = 1;
  const auto source = open_source(path);
  const image_plan steps = plan(*source, hdu_selector::number(what.compression == 0 ? 0 : 1), options);
  read_into(*source, steps, out, options);
}

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::json measure(const kind& what, const std::string& folder) {
  std::vector<std::string> paths;
  std::uint64_t file_bytes = 0;
  for (int i = 0; i < images; ++i) {
    paths.push_back(folder + "/image" + std::to_string(i) + ".fits");
    write_image(paths.back(), what, static_cast<std::uint64_t>(i));
    file_bytes += std::filesystem::file_size(paths.back());
  }
  const std::size_t bytes = static_cast<std::size_t>(side * side) * facts_of(what.bitpix).bytes;
  std::vector<std::uint8_t> ours(bytes);
  std::vector<std::uint8_t> theirs(bytes);
  for (const std::string& path : paths) {  // warms the page cache too
    std::fill(ours.begin(), ours.end(), std::uint8_t{0xA5});
    read_ours(path, what, ours);
    read_cfitsio(path, what, theirs);
    if (ours != theirs) {
      std::cerr << what.codec << ": the pixels differ from CFITSIO's\n";
      std::exit(1);
    }
  }
  std::vector<double> our_times;
  std::vector<double> their_times;
  for (int round = 0; round < rounds; ++round) {
    auto begin = clock_type::now();
    for (const std::string& path : paths) read_ours(path, what, ours);
    our_times.push_back(seconds_since(begin));
    begin = clock_type::now();
    for (const std::string& path : paths) read_cfitsio(path, what, theirs);
    their_times.push_back(seconds_since(begin));
  }
  const double total = static_cast<double>(bytes) * images;
  const double our_rate = total / median(our_times) / 1e9;
  const double their_rate = total / median(their_times) / 1e9;
  std::printf("%-11s %-4s %8.3f %8.3f %6.2f  ratio %.2f\n", what.codec, facts_of(what.bitpix).shortly, our_rate,
              their_rate, our_rate / their_rate, total / static_cast<double>(file_bytes));
  return {{"codec", what.codec},
          {"type", facts_of(what.bitpix).name},
          {"quantized", what.quantized},
          {"xdr_gb_s", our_rate},
          {"cfitsio_gb_s", their_rate},
          {"speedup", our_rate / their_rate},
          {"compression_ratio", total / static_cast<double>(file_bytes)}};
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

int main(int argc, char** argv) {
  char folder[] = "/tmp/xdr-bench-XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  float version = 0;
  fits_get_version(&version);
  std::printf("%-11s %-4s %8s %8s %6s\n", "codec", "type", "xDR", "CFITSIO", "times");
  nlohmann::json rows = nlohmann::json::array();
  bool faster = true;
  for (const kind& what : kinds) {
    rows.push_back(measure(what, folder));
    faster = faster && rows.back()["speedup"].get<double>() > 1.0;
  }
  std::filesystem::remove_all(folder);
  const nlohmann::json report = {
      {"schema", 1},
      {"bench", "host"},
      {"machine", {{"processor", processor()}, {"cores", std::thread::hardware_concurrency()}}},
      {"commit", argc > 2 ? argv[2] : "unknown"},
      {"cfitsio", static_cast<double>(version)},
      {"method",
       "one core; open, headers, plan and pixels of a file in the page cache into memory that exists; 2048 x 2048 sky, "
       "noise "
       "15, stars, row tiles (HCOMPRESS_1: 16 rows), masks for PLIO_1, written by CFITSIO; 4 images in turn, median of "
       "7 rounds, ours "
       "and CFITSIO's "
       "alternating; "
       "pixels compared first; GB/s of decoded bytes"},
      {"rows", rows}};
  if (argc > 1) std::ofstream(argv[1]) << report.dump(2) << '\n';
  return faster ? 0 : 1;
}
