// select.hpp: one HDU of a file by number, name or "the first with pixels".
#pragma once

#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/reader.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// An HDU with an image or a problem. Throws error{hdu_not_found} listing what is there, error{unsupported} with the
/// same list where the HDU that was asked for has no image, or what stopped the walk before the HDU was met.
fits::hdu select_hdu(const byte_source& source, const hdu_selector& which, const limits& caps);

}  // namespace cuphoton::xdr
