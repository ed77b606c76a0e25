// cfitsio_files.cpp: see cfitsio_files.hpp.
#include "support/cfitsio_files.hpp"

#if defined(XDR_HAVE_CFITSIO)
#include <fitsio.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>
#include <type_traits>

namespace cuphoton::xdr::test {
namespace {

/// A file of this process that is gone afterwards.
struct scratch_file {
  std::string path =
      (std::filesystem::temp_directory_path() / ("xdr-oracle-" + std::to_string(getpid()) + ".fits")).string();
  scratch_file() { std::filesystem::remove(path); }
  ~scratch_file() { std::filesystem::remove(path); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
};

int data_type_of(int bitpix) {
  switch (bitpix) {
    case BYTE_IMG: return TBYTE;
    case SHORT_IMG: return TSHORT;
    case USHORT_IMG: return TUSHORT;
    case LONG_IMG: return TINT;
    default: return TFLOAT;
  }
}

std::size_t pixel_bytes_of(int bitpix) {
  return bitpix == BYTE_IMG ? 1 : bitpix == SHORT_IMG || bitpix == USHORT_IMG ? 2 : 4;
}

}  // namespace

std::vector<std::uint8_t> write_by_cfitsio(const hcompress_file& about, const std::vector<float>& pixels) {
  const scratch_file scratch;
  fitsfile* file = nullptr;
  int status = 0;
  fits_create_diskfile(&file, scratch.path.c_str(), &status);
  fits_set_compression_type(file, HCOMPRESS_1, &status);
  if (about.tile_rows != 0) {
    long tile[] = {about.tile_columns, about.tile_rows};
    fits_set_tile_dim(file, 2, tile, &status);
  }
  fits_set_hcomp_scale(file, about.scale, &status);
  fits_set_hcomp_smooth(file, about.smooth ? 1 : 0, &status);
  if (about.bitpix == FLOAT_IMG) {
    fits_set_quantize_level(file, 4.0F, &status);
    fits_set_quantize_method(file, about.dither == 0 ? NO_DITHER : SUBTRACTIVE_DITHER_1, &status);
    fits_set_dither_seed(file, 1234, &status);
  }
  long axes[] = {about.columns, about.rows};
  fits_create_img(file, about.bitpix, 2, axes, &status);
  const long count = about.columns * about.rows;
  const auto write_as = [&]<class Pixel>(std::vector<Pixel> typed) {  // CFITSIO converts nothing here
    Pixel null = std::numeric_limits<Pixel>::quiet_NaN();
    const int type = data_type_of(about.bitpix);
    if constexpr (std::is_floating_point_v<Pixel>) {
      fits_write_imgnull(file, type, 1, count, typed.data(), &null, &status);
    } else {
      fits_write_img(file, type, 1, count, typed.data(), &status);
    }
  };
  switch (about.bitpix) {
    case BYTE_IMG: write_as(std::vector<std::uint8_t>(pixels.begin(), pixels.end())); break;
    case SHORT_IMG: write_as(std::vector<std::int16_t>(pixels.begin(), pixels.end())); break;
    case USHORT_IMG: write_as(std::vector<std::uint16_t>(pixels.begin(), pixels.end())); break;
    case LONG_IMG: write_as(std::vector<std::int32_t>(pixels.begin(), pixels.end())); break;
    default: write_as(pixels);
  }
  fits_close_file(file, &status);
  if (status != 0) {
    fits_report_error(stderr, status);
    std::abort();
  }
  std::ifstream stream(scratch.path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  constexpr std::string_view method = "SUBTRACTIVE_DITHER_1";
  if (about.dither == 2) bytes.at(bytes.find(method) + method.size() - 1) = '2';
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> read_by_cfitsio(const hcompress_file& about, const std::vector<std::uint8_t>& bytes) {
  const scratch_file scratch;
  std::ofstream(scratch.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const long count = about.columns * about.rows;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(count) * pixel_bytes_of(about.bitpix));
  fitsfile* file = nullptr;
  int status = 0;
  fits_open_diskfile(&file, scratch.path.c_str(), READONLY, &status);
  fits_movabs_hdu(file, 2, nullptr, &status);
  float nan = std::numeric_limits<float>::quiet_NaN();
  fits_read_img(file, data_type_of(about.bitpix), 1, count, about.bitpix == FLOAT_IMG ? &nan : nullptr, pixels.data(),
                nullptr, &status);
  fits_close_file(file, &status);
  if (status != 0) {
    fits_report_error(stderr, status);
    std::abort();
  }
  return pixels;
}

}  // namespace cuphoton::xdr::test
#endif
