// cfitsio_oracle.cpp: see cfitsio_oracle.hpp.
#if defined(XDR_HAVE_CFITSIO)
#include "support/cfitsio_oracle.hpp"

#include <fitsio.h>

#include <filesystem>
#include <stdexcept>

namespace cuphoton::xdr::test {
namespace {

struct cfitsio_codes {
  int image;
  int element;
};
cfitsio_codes codes_of(pixel_type type) {
  switch (type) {
    case pixel_type::u8: return {BYTE_IMG, TBYTE};
    case pixel_type::i8: return {SBYTE_IMG, TSBYTE};
    case pixel_type::i16: return {SHORT_IMG, TSHORT};
    case pixel_type::u16: return {USHORT_IMG, TUSHORT};
    case pixel_type::i32: return {LONG_IMG, TINT};
    default: throw std::runtime_error("no type of a mask");
  }
}

std::vector<long> fits_order(const shape& extents) {
  std::vector<long> axes;
  for (int axis = extents.rank; axis-- > 0;) axes.push_back(static_cast<long>(extents[axis]));
  return axes;
}

void require(int status) {
  if (status == 0) return;
  std::string text = "CFITSIO status " + std::to_string(status);
  char line[FLEN_ERRMSG];
  while (fits_read_errmsg(line) != 0) text += std::string(": ") + line;
  throw std::runtime_error(text);
}

}  // namespace

std::vector<std::uint8_t> write_mask_by_cfitsio(const std::string& path, pixel_type type, const shape& extents,
                                                const shape& tile, std::vector<std::uint8_t> pixels) {
  std::filesystem::remove(path);
  const cfitsio_codes codes = codes_of(type);
  std::vector<long> axes = fits_order(extents);
  std::vector<long> tiles = fits_order(tile);
  std::vector<long> first(axes.size(), 1);
  fitsfile* file = nullptr;
  int status = 0;
  fits_create_diskfile(&file, path.c_str(), &status);
  fits_set_compression_type(file, PLIO_1, &status);
  fits_set_tile_dim(file, extents.rank, tiles.data(), &status);
  fits_create_img(file, codes.image, extents.rank, axes.data(), &status);
  fits_write_pix(file, codes.element, first.data(), pixel_count(extents), pixels.data(), &status);
  fits_close_file(file, &status);
  require(status);

  fits_open_diskfile(&file, path.c_str(), READONLY, &status);
  fits_movabs_hdu(file, 2, nullptr, &status);
  std::vector<long> step(axes.size(), 1);
  fits_read_subset(file, codes.element, first.data(), axes.data(), step.data(), nullptr, pixels.data(), nullptr,
                   &status);
  fits_close_file(file, &status);
  require(status);
  return pixels;
}

}  // namespace cuphoton::xdr::test
#endif
