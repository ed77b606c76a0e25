// hdu.hpp: what the headers of a file say, judged and typed. Made in step 2 of the life of an image from cards;
// consumed by plan/. Nothing here has looked at pixels. FITS axis order ends in this folder: shapes are row-major.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/reader.hpp>
#include <cuphoton/xdr/source.hpp>
#include <cuphoton/xdr/types.hpp>

#include "fits/cards.hpp"

namespace cuphoton::xdr::fits {

/// ZQUANTIZ, judged. `absent` means NO_DITHER where ZSCALE and ZZERO columns exist (FITS 4.0 §10.2).
enum class quantize_method : std::uint8_t { absent, none, no_dither, subtractive_1, subtractive_2 };

/// A column of the tile table that holds variable-length arrays (descriptors, 1P or 1Q).
struct array_column {
  std::uint32_t offset_bytes = 0;     // from the start of a row
  std::uint8_t descriptor_bytes = 8;  // 8: 1P, two unsigned 32-bit words; 16: 1Q, two 64-bit words
  char element = 'B';                 // TFORM letter of the elements
  std::uint8_t element_bytes = 1;
};
/// A column that holds one number for each tile.
struct scalar_column {
  std::uint32_t offset_bytes = 0;
  char type = 'D';  // TFORM letter: B I J K E D
};

/// Where the columns of a compressed image are. No row has been read.
struct tile_table {
  std::uint64_t table_offset_bytes = 0;        // row 0, from the start of the file
  std::uint64_t row_bytes = 0;                 // NAXIS1
  std::uint64_t row_count = 0;                 // NAXIS2 = product of the tile counts
  std::uint64_t heap_offset_bytes = 0;         // from the start of the file
  std::uint64_t heap_bytes = 0;                // by PCOUNT; arrays beyond it but inside the file are read and noted
  std::optional<array_column> compressed;      // COMPRESSED_DATA
  std::optional<array_column> gzip_fallback;   // GZIP_COMPRESSED_DATA
  std::optional<array_column> plain_fallback;  // UNCOMPRESSED_DATA
  std::optional<array_column> null_mask;       // NULL_PIXEL_MASK
  std::optional<scalar_column> quant_scale;    // ZSCALE
  std::optional<scalar_column> quant_zero;     // ZZERO
  std::optional<scalar_column> null_value;     // ZBLANK
};

/// An image, plain or tile-compressed, as its header describes it.
struct image_hdu {
  pixel_type stored_type = pixel_type::u8;  // BITPIX / ZBITPIX
  shape extents;                            // NAXISn / ZNAXISn, reversed
  double scale = 1.0;                       // BSCALE
  double zero = 0.0;                        // BZERO
  bool zero_is_integer = true;              // BZERO absent or written without point and exponent (decides int8 only)
  std::optional<std::int64_t> blank;        // BLANK
  bool compressed = false;
  // Compressed images only:
  std::string codec_name;                // ZCMPTYPE as written
  shape tile_shape;                      // ZTILEn, reversed, clipped to the image
  std::uint32_t rice_block_pixels = 32;  // by ZNAMEn, never by position
  std::uint32_t rice_pixel_bytes = 4;
  bool hcompress_smooth = false;
  std::optional<std::int64_t> zblank;  // ZBLANK keyword
  quantize_method quantize = quantize_method::absent;
  std::uint32_t dither_seed = 1;  // ZDITHER0, reduced to 1..10000
  tile_table tiles;
  std::vector<reason> reasons;  // why nothing here can decode it (unsupported, not damaged)
};

struct hdu {
  int index = 0;
  hdu_kind kind = hdu_kind::empty;
  std::string name;
  std::int64_t version = 1;
  std::uint64_t header_offset_bytes = 0;
  std::uint64_t data_offset_bytes = 0;
  std::uint64_t data_bytes = 0;  // without padding
  card_list cards;
  // Set for kinds image, compressed_image and random_groups (with a reason) without `problem`, and also where the only
  // problem is file_truncated, so that listings show shape and type: look at `problem` first.
  std::optional<image_hdu> image;
  std::optional<error> problem;    // the header is damaged in a way that leaves its size known
  std::vector<std::string> notes;  // tolerated oddities
};

struct file_structure {
  std::vector<hdu> hdus;
  std::optional<error> problem;  // why the walk stopped early; errors of HDU 0 are thrown instead
  std::vector<std::string> notes;
};

/// Walks the headers of `source` until the file or, where given, HDU `last_index` ends. Each header is read block by
/// block and judged by fits-semantics' rules; costs no more than reading the headers. Throws error{not_fits,
/// header_invalid, file_truncated, unsupported, io_failed} where not even HDU 0 can be described.
file_structure scan(const byte_source& source, const limits& caps, std::optional<int> last_index = {});

}  // namespace cuphoton::xdr::fits
