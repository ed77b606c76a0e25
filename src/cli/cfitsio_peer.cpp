// cfitsio_peer.cpp: the only file of src/ that includes fitsio.h. The child's side of the second opinion, and the
// writer. File names always go through fits_open_diskfile: no extended syntax, no URL, no filter.
#include "cli/cfitsio_peer.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>

#include <cuphoton/xdr/error.hpp>

#include "cli/bounds.hpp"
#include "cli/output.hpp"
#include "cli/peer_limits.hpp"

#ifdef XDR_HAVE_CFITSIO
#include <fitsio.h>
#endif

namespace cuphoton::xdr::cli {

#ifndef XDR_HAVE_CFITSIO

std::optional<std::string> peer_absent() {
  return "CFITSIO is not built in: " XDR_OFF_CFITSIO;
}
std::string peer_version() {
  return {};
}
int peer_read_main(int, char**) {
  throw error(errc::unsupported, {}, *peer_absent());
}
std::vector<std::uint8_t> peer_write(const peer_image&) {
  throw error(errc::unsupported, {}, *peer_absent());
}

#else

namespace {

/// What CFITSIO calls our types: of the elements in memory, and of an image to create.
struct type_codes {
  int element = TBYTE;
  int bitpix = BYTE_IMG;
};

type_codes codes_of(pixel_type type) {
  switch (type) {
    case pixel_type::u8: return {TBYTE, BYTE_IMG};
    case pixel_type::i8: return {TSBYTE, SBYTE_IMG};
    case pixel_type::i16: return {TSHORT, SHORT_IMG};
    case pixel_type::u16: return {TUSHORT, USHORT_IMG};
    case pixel_type::i32: return {TINT, LONG_IMG};
    case pixel_type::u32: return {TUINT, ULONG_IMG};
    case pixel_type::i64: return {TLONGLONG, LONGLONG_IMG};
    case pixel_type::u64: return {TULONGLONG, ULONGLONG_IMG};
    case pixel_type::f32: return {TFLOAT, FLOAT_IMG};
    case pixel_type::f64: return {TDOUBLE, DOUBLE_IMG};
  }
  return {};
}

/// "status 108 (error reading from FITS file): first message of the stack".
std::string status_text(int status) {
  std::array<char, FLEN_STATUS> short_text{};
  std::array<char, FLEN_ERRMSG> message{};
  fits_get_errstatus(status, short_text.data());
  std::string text = "status " + std::to_string(status) + " (" + short_text.data() + ")";
  if (fits_read_errmsg(message.data()) != 0) text += std::string(": ") + message.data();
  return text;
}

peer_question parse_question(int argc, char** argv) {
  if (argc != 5) throw error(errc::invalid_argument, {}, "peer-read takes FILE HDU TYPE nan|null BYTES");
  peer_question question;
  question.file = argv[0];
  question.hdu_index = static_cast<int>(parse_count(argv[1], 1'000'000, "HDU"));
  const auto type = pixel_type_from_name(argv[2]);
  if (!type) throw error(errc::invalid_argument, {}, "peer-read: unknown type");
  question.stored_type = *type;
  question.null_is_nan = std::string_view(argv[3]) == "nan";
  question.expected_bytes = parse_count(argv[4], std::uint64_t{1} << 62, "BYTES");
  return question;
}

/// Shape by CFITSIO's reading of the header, as first and last pixel of the whole image in FITS order.
struct whole_image {
  std::array<long, max_rank> first{};
  std::array<long, max_rank> last{};
  std::array<long, max_rank> step{};
  std::uint64_t pixels = 0;
};

whole_image image_extents(fitsfile* file, int* status) {
  whole_image result;
  int rank = 0;
  fits_get_img_dim(file, &rank, status);
  if (*status != 0 || rank < 1 || rank > max_rank) return result;
  fits_get_img_size(file, max_rank, result.last.data(), status);
  if (*status != 0) return result;
  result.first.fill(1);
  result.step.fill(1);
  std::uint64_t pixels = 1;
  for (int axis = 0; axis < rank; ++axis) {
    const long extent = result.last[static_cast<std::size_t>(axis)];
    if (extent < 1 || pixels > (std::uint64_t{1} << 50) / static_cast<std::uint64_t>(extent)) return result;
    pixels *= static_cast<std::uint64_t>(extent);
  }
  result.pixels = pixels;
  return result;
}

/// Empty text: `pixels` holds the image. Otherwise why CFITSIO refuses.
std::string read_image(const peer_question& question, std::vector<std::uint8_t>& pixels) {
  int status = 0;
  fitsfile* file = nullptr;
  if (question.file.size() >= FLEN_FILENAME) return "the path is too long for CFITSIO";
  if (fits_open_diskfile(&file, question.file.c_str(), READONLY, &status) != 0) return status_text(status);
  fits_movabs_hdu(file, question.hdu_index + 1, nullptr, &status);
  whole_image area = image_extents(file, &status);
  if (status != 0) return status_text(status);
  if (area.pixels * static_cast<std::uint64_t>(size_bytes(question.stored_type)) != question.expected_bytes) {
    return "it sees " + std::to_string(area.pixels) + " pixels";
  }
  pixels.resize(question.expected_bytes);
  fits_set_bscale(file, 1.0, 0.0, &status);  // stored values
  float nan_float = std::numeric_limits<float>::quiet_NaN();
  double nan_double = std::numeric_limits<double>::quiet_NaN();
  // A null pointer switches the checks off; then CFITSIO copies floats bit by bit (fits-semantics 4.6).
  void* null_value = nullptr;
  if (question.null_is_nan && question.stored_type == pixel_type::f32) null_value = &nan_float;
  if (question.null_is_nan && question.stored_type == pixel_type::f64) null_value = &nan_double;
  int any_null = 0;
  fits_read_subset(file, codes_of(question.stored_type).element, area.first.data(), area.last.data(), area.step.data(),
                   null_value, pixels.data(), &any_null, &status);
  // The file stays open: the process ends here, and closing would only give CFITSIO another chance to fail.
  return status == 0 ? "" : status_text(status);
}

std::vector<long> fits_order(const shape& extents) {
  std::vector<long> axes;
  for (int axis = extents.rank; axis-- > 0;) axes.push_back(static_cast<long>(extents[axis]));
  return axes;
}

int compression_code(const std::string& codec) {
  if (codec == "GZIP_1") return GZIP_1;
  if (codec == "GZIP_2") return GZIP_2;
  if (codec == "RICE_1") return RICE_1;
  if (codec == "HCOMPRESS_1") return HCOMPRESS_1;
  if (codec == "PLIO_1") return PLIO_1;
  throw error(errc::invalid_argument, {},
              "codec '" + codec + "': expected raw, GZIP_1, GZIP_2, RICE_1, HCOMPRESS_1 or PLIO_1");
}

void set_compression(fitsfile* file, const peer_image& image, int* status) {
  fits_set_compression_type(file, compression_code(image.codec), status);
  if (image.tile) {
    std::vector<long> tile = fits_order(*image.tile);
    fits_set_tile_dim(file, static_cast<int>(tile.size()), tile.data(), status);
  }
  if (!is_floating(image.type)) return;
  if (!image.dither) {
    fits_set_quantize_level(file, 9999.0F, status);  // CFITSIO's word for lossless
    return;
  }
  constexpr std::array<int, 3> methods{NO_DITHER, SUBTRACTIVE_DITHER_1, SUBTRACTIVE_DITHER_2};
  fits_set_quantize_level(file, 4.0F, status);
  fits_set_quantize_method(file, methods.at(static_cast<std::size_t>(*image.dither)), status);
  fits_set_dither_seed(file, image.dither_seed, status);  // given, since CFITSIO's default may be the clock
}

void write_pixels(fitsfile* file, const peer_image& image, int* status) {
  std::vector<long> first(static_cast<std::size_t>(image.extents.rank), 1);
  const LONGLONG count = pixel_count(image.extents);
  const int element = codes_of(image.type).element;
  float null_float = null_marker;
  double null_double = null_marker;
  // CFITSIO only reads the pixels; its signature predates const.
  void* pixels = const_cast<std::uint8_t*>(image.pixels.data());
  if (image.has_null && is_floating(image.type)) {
    void* null_value = image.type == pixel_type::f32 ? static_cast<void*>(&null_float) : &null_double;
    fits_write_pixnull(file, element, first.data(), count, pixels, null_value, status);
  } else {
    fits_write_pix(file, element, first.data(), count, pixels, status);
  }
}

/// Where the last HDU ends once everything is flushed: the length of the file.
std::size_t finish_file(fitsfile* file, int* status) {
  int hdus = 0;
  LONGLONG header_start = 0, data_start = 0, data_end = 0;
  fits_flush_file(file, status);
  fits_get_num_hdus(file, &hdus, status);
  fits_movabs_hdu(file, 1, nullptr, status);  // leaving an HDU completes its header
  fits_movabs_hdu(file, hdus, nullptr, status);
  fits_get_hduaddrll(file, &header_start, &data_start, &data_end, status);
  return *status == 0 ? static_cast<std::size_t>(data_end) : 0;
}

constexpr std::size_t prefix_bytes = alignof(std::max_align_t);  // in front of the file: its length
static_assert(prefix_bytes >= sizeof(std::size_t));

/// realloc whose new part is zero. CFITSIO reads parts of a file that it has not written yet, tile descriptors among
/// them; on a disk those read as zero.
void* grow_zeroed(void* old, std::size_t length_bytes) {
  std::size_t had_bytes = 0;
  char* block = nullptr;
  if (old != nullptr) {
    block = static_cast<char*>(old) - prefix_bytes;
    std::memcpy(&had_bytes, block, sizeof had_bytes);
  }
  block = static_cast<char*>(std::realloc(block, prefix_bytes + length_bytes));
  if (block == nullptr) return nullptr;
  std::memcpy(block, &length_bytes, sizeof length_bytes);
  char* const file = block + prefix_bytes;
  if (length_bytes > had_bytes) std::memset(file + had_bytes, 0, length_bytes - had_bytes);
  return file;
}

/// The file as CFITSIO writes it.
struct memory_file {
  std::size_t capacity_bytes = 2880;
  void* bytes;
  memory_file() : bytes(grow_zeroed(nullptr, capacity_bytes)) {
    if (bytes == nullptr) throw std::bad_alloc();
  }
  ~memory_file() { std::free(static_cast<char*>(bytes) - prefix_bytes); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
};

}  // namespace

std::optional<std::string> peer_absent() {
  return {};
}

std::string peer_version() {
  float version = 0;
  fits_get_version(&version);
  return fixed(static_cast<double>(version), 2);
}

int peer_read_main(int argc, char** argv) {
  const peer_question question = parse_question(argc, argv);
  const int pixel_descriptor = limit_this_process(question.expected_bytes);
  std::vector<std::uint8_t> pixels;
  std::string refusal;
  try {
    refusal = read_image(question, pixels);
  } catch (const std::bad_alloc&) {
    refusal = "out of memory under the limit for the second opinion";
  }
  if (!refusal.empty()) {
    write_all(2, as_bytes(refusal), "stderr");
    return 3;
  }
  write_all(pixel_descriptor, pixels, "pipe");
  return 0;
}

std::vector<std::uint8_t> peer_write(const peer_image& image) {
  memory_file memory;
  int status = 0;
  fitsfile* file = nullptr;
  fits_create_memfile(&file, &memory.bytes, &memory.capacity_bytes, 1 << 20, grow_zeroed, &status);
  if (status != 0) throw error(errc::internal, {}, "CFITSIO: " + status_text(status));
  if (!image.codec.empty()) set_compression(file, image, &status);
  std::vector<long> axes = fits_order(image.extents);
  fits_create_img(file, codes_of(image.type).bitpix, image.extents.rank, axes.data(), &status);
  write_pixels(file, image, &status);
  const std::size_t length_bytes = finish_file(file, &status);
  if (status != 0) {
    const std::string text = status_text(status);
    int ignored = 0;
    fits_close_file(file, &ignored);
    throw error(errc::unsupported, {},
                "CFITSIO cannot write " + (image.codec.empty() ? "raw" : image.codec) + " " +
                    std::string(name(image.type)) + " " + to_string(image.extents) + ": " + text);
  }
  fits_close_file(file, &status);
  if (status != 0 || length_bytes > memory.capacity_bytes) {
    throw error(errc::internal, {}, "CFITSIO: " + status_text(status));
  }
  const auto* bytes = static_cast<const std::uint8_t*>(memory.bytes);
  return {bytes, bytes + length_bytes};
}

#endif

}  // namespace cuphoton::xdr::cli
