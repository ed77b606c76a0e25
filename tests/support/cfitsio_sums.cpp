// cfitsio_sums.cpp: see cfitsio_sums.hpp.
#include "support/cfitsio_sums.hpp"

#if defined(XDR_HAVE_CFITSIO)
#include <fitsio.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace cuphoton::xdr::test {
namespace {

/// A file of this process that is gone afterwards.
struct scratch_file {
  std::string path =
      (std::filesystem::temp_directory_path() / ("xdr-sums-" + std::to_string(getpid()) + ".fits")).string();
  scratch_file() { std::filesystem::remove(path); }
  ~scratch_file() { std::filesystem::remove(path); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
};

void expect_no_error(int status) {
  if (status == 0) return;
  fits_report_error(stderr, status);
  std::abort();
}

void write_image(fitsfile* file, int compression) {
  int status = 0;
  std::array<long, 2> axes{53, 41};
  std::vector<short> pixels(53 * 41);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<short>(i * i % 1009 - 300);
  fits_set_compression_type(file, compression, &status);
  fits_create_img(file, SHORT_IMG, 2, axes.data(), &status);
  fits_write_img(file, TSHORT, 1, static_cast<LONGLONG>(pixels.size()), pixels.data(), &status);
  fits_write_chksum(file, &status);
  expect_no_error(status);
}

void write_tables(fitsfile* file) {
  int status = 0;
  std::string a = "A", b = "B", j = "1J", arrays = "1PJ(9)", i6 = "I6", a5 = "A5";
  std::array<char*, 2> names{a.data(), b.data()};
  std::array<char*, 2> binary{j.data(), arrays.data()};
  std::array<char*, 2> text{i6.data(), a5.data()};
  std::array<int, 9> numbers{1, -2, 3, -4, 5, -6, 7, -8, 9};
  fits_create_tbl(file, BINARY_TBL, 3, 2, names.data(), binary.data(), nullptr, "BINARY", &status);
  fits_write_col(file, TINT, 1, 1, 1, 3, numbers.data(), &status);
  for (int row = 1; row <= 3; ++row) fits_write_col(file, TINT, 2, row, 1, row * 3, numbers.data(), &status);
  fits_write_chksum(file, &status);
  fits_create_tbl(file, ASCII_TBL, 3, 2, names.data(), text.data(), nullptr, "TEXT", &status);
  fits_write_col(file, TINT, 1, 1, 1, 3, numbers.data(), &status);
  fits_write_chksum(file, &status);
  fits_create_img(file, BYTE_IMG, 0, nullptr, &status);
  fits_write_chksum(file, &status);
  expect_no_error(status);
}

}  // namespace

std::vector<std::uint8_t> write_sums_by_cfitsio() {
  const scratch_file scratch;
  fitsfile* file = nullptr;
  int status = 0;
  fits_create_diskfile(&file, scratch.path.c_str(), &status);
  expect_no_error(status);
  for (const int compression : {0, RICE_1, GZIP_2}) write_image(file, compression);
  fits_set_compression_type(file, 0, &status);
  write_tables(file);
  fits_close_file(file, &status);
  expect_no_error(status);
  std::ifstream stream(scratch.path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<cfitsio_sums> sums_by_cfitsio(const std::vector<std::uint8_t>& bytes) {
  const scratch_file scratch;
  std::ofstream(scratch.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  fitsfile* file = nullptr;
  int status = 0;
  int count = 0;
  fits_open_diskfile(&file, scratch.path.c_str(), READONLY, &status);
  fits_get_num_hdus(file, &count, &status);
  expect_no_error(status);
  std::vector<cfitsio_sums> all;
  for (int number = 1; number <= count; ++number) {
    cfitsio_sums sums;
    unsigned long data = 0;
    unsigned long whole = 0;
    fits_movabs_hdu(file, number, nullptr, &sums.status);
    fits_verify_chksum(file, &sums.data, &sums.whole, &sums.status);
    if (sums.status == 0) fits_get_chksum(file, &data, &whole, &sums.status);
    sums.data_sum = static_cast<std::uint32_t>(data);
    sums.whole_sum = static_cast<std::uint32_t>(whole);
    all.push_back(sums);
  }
  fits_close_file(file, &status);
  return all;
}

}  // namespace cuphoton::xdr::test
#endif
