// image_hdu.hpp: judges the header of one HDU: first its structure (kind and size), then, for images, what the pixels
// are. Step 2 of the life of an image. FITS axis order ends here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fits/hdu.hpp"
#include "fits/keywords.hpp"

namespace cuphoton::xdr::fits {

/// What the mandatory keywords say. Every HDU has it; without it the next HDU cannot be found.
struct structure {
  hdu_kind kind = hdu_kind::empty;
  int bitpix = 8;
  std::vector<std::int64_t> axes;  // NAXIS1 first; 999 at most
  std::int64_t pcount = 0;
  std::int64_t gcount = 1;
  std::uint64_t data_bytes = 0;  // without padding; below 2^63
};

/// Throws header_invalid where a mandatory keyword is missing or illegal or the size passes 2^63 - 1.
structure judge_structure(const keywords& header, bool primary);
/// EXTNAME without blanks around it; of several the last that is not the default name of compressed images.
std::string judge_name(const keywords& header);
/// EXTVER, 1 where it is absent or no integer.
std::int64_t judge_version(const keywords& header);

/// A plain image (or random groups, which get a reason). Throws header_invalid.
image_hdu describe_plain(const keywords& header, const structure& size);
/// The image inside a binary table with ZIMAGE = T whose data unit starts at `data_offset_bytes` (FITS 4.0 §10.1). What
/// is legal but not decoded here becomes a reason. Throws header_invalid, tile_table_invalid, unsupported.
image_hdu describe_compressed(const keywords& header, const structure& size, std::uint64_t data_offset_bytes);

/// Pieces that both kinds share. BITPIX or ZBITPIX, which must be one of the six.
int judge_bitpix(const keywords& header, std::string_view keyword);
pixel_type type_of_bitpix(int bitpix);
/// The values of `stem`1 ... `stem``count`, each >= 0.
std::vector<std::int64_t> judge_axes(const keywords& header, std::string_view stem, std::int64_t count);
/// |bitpix| / 8 times the product of `axes`; 0 where an axis is 0. Throws header_invalid at 2^63, naming `what`.
std::uint64_t array_bytes(const keywords& header, const std::vector<std::int64_t>& axes, int bitpix, const char* what);
/// Reversed; rank 0 and a reason where there are more than max_rank.
shape reversed(const keywords& header, const std::vector<std::int64_t>& axes, std::vector<reason>& reasons);
/// BSCALE, BZERO and BLANK. `null_for_floats`: BLANK may name a quantised integer, so it is kept for float types.
void judge_scaling(const keywords& header, image_hdu& image, bool null_for_floats);

}  // namespace cuphoton::xdr::fits
