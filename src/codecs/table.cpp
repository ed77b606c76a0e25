// table.cpp: THE table of codecs. One row each; nothing else in the library lists them.
#include "codecs/codec.hpp"
#include "codecs/gzip/gzip_cuda.hpp"
#include "codecs/gzip/gzip_host.hpp"
#include "codecs/gzip/gzip_nvcomp.hpp"
#include "codecs/hcompress/hcompress_cuda.hpp"
#include "codecs/hcompress/hcompress_host.hpp"
#include "codecs/none/none_cuda.hpp"
#include "codecs/none/none_host.hpp"
#include "codecs/plio/plio_cuda.hpp"
#include "codecs/plio/plio_host.hpp"
#include "codecs/rice/rice_cuda.hpp"
#include "codecs/rice/rice_host.hpp"

#if defined(XDR_HAVE_CUDA)
#define XDR_DEVICE(engine) &engine
#else
#define XDR_DEVICE(engine) nullptr
#endif

namespace cuphoton::xdr {
namespace {

constexpr codec_row rows[] = {
    {codec_id::none, "NOCOMPRESS", raw_layout::big_endian, "", &decode_none_host, XDR_DEVICE(none_device), nullptr},
    {codec_id::gzip_1, "GZIP_1", raw_layout::big_endian, "CRC32 and ISIZE", &decode_gzip_host, XDR_DEVICE(gzip_device),
     &choose_nvcomp},
    {codec_id::gzip_2, "GZIP_2", raw_layout::big_endian_planes, "CRC32 and ISIZE", &decode_gzip_host,
     XDR_DEVICE(gzip_device), &choose_nvcomp},
    {codec_id::rice_1, "RICE_1", raw_layout::native_int, "", &decode_rice_host, XDR_DEVICE(rice_device), nullptr},
    {codec_id::hcompress_1, "HCOMPRESS_1", raw_layout::native_int, "", &decode_hcompress_host,
     XDR_DEVICE(hcompress_device), nullptr},
    {codec_id::plio_1, "PLIO_1", raw_layout::native_int, "", &decode_plio_host, XDR_DEVICE(plio_device), nullptr},
};

}  // namespace

std::span<const codec_row> codec_table() noexcept {
  return rows;
}

const codec_row* find_codec(codec_id id) noexcept {
  for (const codec_row& row : rows) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

const codec_row* find_codec(std::string_view fits_name) noexcept {
  if (fits_name == "RICE_ONE") fits_name = "RICE_1";
  for (const codec_row& row : rows) {
    if (row.fits_name == fits_name) return &row;
  }
  return nullptr;
}

}  // namespace cuphoton::xdr
