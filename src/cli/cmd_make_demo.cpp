// cmd_make_demo.cpp: `cuphoton xdr make-demo DIR`: FITS files written by CFITSIO; the same seed gives the same bytes.
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/cfitsio_peer.hpp"
#include "cli/commands.hpp"
#include "cli/demo_images.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace cuphoton::xdr::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw error(errc::invalid_argument, {}, message);
}

bool asks_for_one_kind(const demo_request& request) {
  return request.codec || request.type || request.dither || request.extents || request.tile || request.sigma ||
         request.count;
}

std::optional<int> dither_of(const demo_request& request, const std::string& codec, pixel_type type) {
  if (!is_floating(type) || codec.empty()) {
    if (request.dither) refuse("--dither is for compressed floats");
    return {};
  }
  // RICE_1 and HCOMPRESS_1 take integers only, so floats are quantised unless told otherwise.
  const std::string word = request.dither.value_or(codec.starts_with("GZIP") ? "lossless" : "1");
  if (word == "lossless") return {};
  if (word == "none") return 0;
  if (word == "1" || word == "2") return word[0] - '0';
  refuse("--dither '" + word + "': expected none, 1, 2 or lossless");
}

std::vector<demo_image> one_kind(const demo_request& request) {
  demo_image image;
  const std::string word = request.codec.value_or("raw");
  image.codec = word == "raw" ? "" : word;
  image.mask = image.codec == "PLIO_1";
  image.type = request.type.value_or(image.mask ? pixel_type::i32 : pixel_type::u16);
  image.extents = request.extents.value_or(parse_shape("1000x1200"));
  image.tile = request.tile;
  if (image.tile && image.tile->rank != image.extents.rank) refuse("--tile and --size differ in axes");
  if (image.tile && image.codec.empty()) refuse("--tile needs a --codec");
  if (pixel_count(image.extents) > std::int64_t{1} << 31) refuse("--size holds more than 2^31 pixels");
  image.dither = dither_of(request, image.codec, image.type);
  image.sigma = request.sigma.value_or(size_bytes(image.type) == 1 ? 5 : 15);
  const std::string stem = word + "_" + std::string(name(image.type)) + "_" + to_string(image.extents);
  std::vector<demo_image> files;
  for (unsigned number = 0; number < request.count.value_or(1); ++number) {
    std::array<char, 16> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "_%05u", number);
    image.file_name = stem + suffix.data() + (image.codec.empty() ? ".fits" : ".fits.fz");
    image.seed = request.seed + number;
    files.push_back(image);
  }
  return files;
}

void make_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0777) == 0) return;
  const int number = errno;
  struct stat status {};
  if (number == EEXIST && ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
  throw error(errc::io_failed, {folder}, std::string("cannot make the folder: ") + std::strerror(number), {}, number);
}

written_file write(const demo_image& image, const std::string& folder) {
  const std::vector<std::uint8_t> pixels = draw(image);
  const int dither_seed = static_cast<int>(image.seed % 10'000) + 1;
  const std::vector<std::uint8_t> bytes = peer_write(
      {image.codec, image.type, image.extents, image.tile, image.dither, dither_seed, image.with_nulls, pixels});
  const std::string path = folder + "/" + image.file_name;
  replace_file(path, {bytes});
  std::string kind(name(image.type));
  if (image.dither) kind += " dither " + std::to_string(*image.dither);
  return {path, image.codec, kind, image.extents, bytes.size()};
}

}  // namespace

int run_make_demo(const command_line& line) {
  const demo_request& request = line.demo;
  const std::vector<demo_image> images =
      asks_for_one_kind(request) ? one_kind(request) : default_demo_set(request.seed);
  if (const auto absent = peer_absent()) throw error(errc::unsupported, {}, *absent);
  make_folder(request.folder);
  std::vector<written_file> files;
  for (const demo_image& image : images) files.push_back(write(image, request.folder));
  if (line.json) {
    print(json_of_written(files));
    return 0;
  }
  table rows({"file", "codec", "type", "shape", "bytes"});
  for (const written_file& file : files) {
    rows.add({file.path, or_dash(file.codec), file.kind, to_string(file.extents), std::to_string(file.length_bytes)});
  }
  print(rows.text());
  return 0;
}

}  // namespace cuphoton::xdr::cli
