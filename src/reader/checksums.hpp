// checksums.hpp: what reading an image makes of the sums of its HDU: an error, or lines of the receipt.
#pragma once

#include <cuphoton/xdr/checksum.hpp>
#include <cuphoton/xdr/receipt.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"

namespace cuphoton::xdr {

/// Throws error{checksum_mismatch} naming each bad keyword with both sums; absent ones are no fault.
checksum_report expect_good_checksums(const byte_source& source, const fits::hdu& unit, unsigned threads);
/// Good sums become checks, absent ones notes.
void tell_checksums(const checksum_report& sums, receipt& facts);

}  // namespace cuphoton::xdr
