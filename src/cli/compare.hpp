// compare.hpp: are two arrays of pixels the same, and if not, where first. Bit for bit; no tolerance exists here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <cuphoton/xdr/types.hpp>

namespace cuphoton::xdr::cli {

/// Whether any NaN equals any other NaN (made by the reader) or only the one with the same bits (from the file).
enum class nan_rule { any_payload, same_bits };

/// Nothing if equal; else "12 of 400 pixels, first at [3,5]: 7 (0x0007), CFITSIO has 8 (0x0008)".
std::optional<std::string> first_difference(pixel_type type, const shape& extents, std::span<const std::uint8_t> ours,
                                            std::span<const std::uint8_t> theirs, nan_rule rule,
                                            const std::string& their_name);

}  // namespace cuphoton::xdr::cli
