// tile_table.hpp: where the columns of a compressed image lie in a row of its binary table, from TTYPEn and TFORMn.
// Step 2 of the life of an image; reads no row.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fits/hdu.hpp"
#include "fits/image_hdu.hpp"
#include "fits/keywords.hpp"

namespace cuphoton::xdr::fits {

/// One TFORMn: optional repeat, letter, and for P and Q the letter of the elements (FITS 4.0 §7.3.1, §7.3.5).
struct column_form {
  std::uint64_t repeat = 1;
  char letter = 'B';
  char element = '\0';            // of P and Q
  std::uint64_t width_bytes = 1;  // in the row
};
/// Nothing where the text is no TFORM or its width passes 2^63 - 1.
std::optional<column_form> parse_tform(std::string_view text);

/// The table of a compressed image whose data unit starts at `data_offset_bytes`. Columns are found by name in any
/// order and case. `tile_count` is what NAXIS2 must be; nothing: the image has no pixel and the rows do not matter.
/// `compressed_elements`: the TFORM letters COMPRESSED_DATA may have. Throws tile_table_invalid, and header_invalid for
/// cards of the wrong type.
tile_table judge_tile_table(const keywords& header, const structure& size, std::uint64_t data_offset_bytes,
                            std::optional<std::uint64_t> tile_count, std::string_view compressed_elements);

}  // namespace cuphoton::xdr::fits
