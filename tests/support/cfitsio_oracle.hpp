// cfitsio_oracle.hpp: CFITSIO's codec functions, exported by its library and declared in none of its public headers,
// and masks written by it. Only for tests: CFITSIO must not see hostile input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cuphoton/xdr/types.hpp>

extern "C" {

// Each returns the bytes written, or a negative number.
int fits_rcomp(int pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);
int fits_rcomp_short(short pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);
int fits_rcomp_byte(signed char pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);

// Each returns 0 or an error.
int fits_rdecomp(unsigned char* bytes, int length_bytes, unsigned int pixels[], int count, int block_pixels);
int fits_rdecomp_short(unsigned char* bytes, int length_bytes, unsigned short pixels[], int count, int block_pixels);
int fits_rdecomp_byte(unsigned char* bytes, int length_bytes, unsigned char pixels[], int count, int block_pixels);

// Pixels are counted from 1. Each returns how many words or pixels it wrote.
int pl_p2li(int pixels[], int first, short words[], int count);
int pl_l2pi(short words[], int first, int pixels[], int count);
// `pixels` is overwritten; `length_bytes` is the room, then what was written. Each returns its status.
int fits_hcompress(int* pixels, int columns, int rows, int scale, char* bytes, long* length_bytes, int* status);
int fits_hcompress64(long long* pixels, int columns, int rows, int scale, char* bytes, long* length_bytes, int* status);
int fits_hdecompress(unsigned char* bytes, int smooth, int* pixels, int* columns, int* rows, int* scale, int* status);
int fits_hdecompress64(unsigned char* bytes, int smooth, long long* pixels, int* columns, int* rows, int* scale,
                       int* status);

}  // extern "C"

namespace cuphoton::xdr::test {

/// A PLIO_1 file that CFITSIO writes at `path`, and the pixels that it reads back; native bytes of `type`: u8, i8, i16,
/// u16 or i32. Extents slowest first. Throws std::runtime_error with CFITSIO's words. Its writer has no room for tiles
/// of less than about 16 pixels, nor for noise.
std::vector<std::uint8_t> write_mask_by_cfitsio(const std::string& path, pixel_type type, const shape& extents,
                                                const shape& tile, std::vector<std::uint8_t> pixels);

}  // namespace cuphoton::xdr::test
