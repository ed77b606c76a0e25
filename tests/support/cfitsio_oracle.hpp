// cfitsio_oracle.hpp: CFITSIO's Rice functions, exported by its library and declared in none of its public headers.
// Only for tests: CFITSIO must not see hostile input.
#pragma once

extern "C" {

// Each returns the bytes written, or a negative number.
int fits_rcomp(int pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);
int fits_rcomp_short(short pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);
int fits_rcomp_byte(signed char pixels[], int count, unsigned char* bytes, int room_bytes, int block_pixels);

// Each returns 0 or an error.
int fits_rdecomp(unsigned char* bytes, int length_bytes, unsigned int pixels[], int count, int block_pixels);
int fits_rdecomp_short(unsigned char* bytes, int length_bytes, unsigned short pixels[], int count, int block_pixels);
int fits_rdecomp_byte(unsigned char* bytes, int length_bytes, unsigned char pixels[], int count, int block_pixels);

}  // extern "C"
