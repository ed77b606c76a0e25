// peer_faults.hpp: the one table of images for which CFITSIO is known to be wrong, so that a difference proves nothing.
#pragma once

#include <optional>
#include <string>

#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/reader.hpp>

namespace cuphoton::xdr::cli {

/// "known fault row 8: ..." of the first entry that covers the image; the numbers are the rows of section 5 of
/// fits-semantics.md, or the section that describes the fault.
std::optional<std::string> known_peer_fault(const hdu_info& hdu, const image_plan& plan);

}  // namespace cuphoton::xdr::cli
