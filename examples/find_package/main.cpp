// mean FILE: prints shape, type and mean of the first image of a FITS file.
#include <cstring>
#include <iostream>

#include <cuphoton/xdr/xdr.hpp>

namespace xdr = cuphoton::xdr;

template <class T>
double mean(const xdr::image& pixels) {
  double sum = 0;
  for (std::size_t at = 0; at < pixels.bytes().size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, pixels.bytes().data() + at, sizeof(T));
    sum += static_cast<double>(value);
  }
  return sum / static_cast<double>(xdr::pixel_count(pixels.extents()));
}

int main(int count, char** words) try {
  if (count != 2) return 2;
  const xdr::image pixels = xdr::read(*xdr::open_source(words[1]));
  // One function for each pixel_type, in its order: u8, i8, i16, u16, i32, u32, i64, u64, f32, f64.
  constexpr double (*means[])(const xdr::image&) = {
      mean<std::uint8_t>,  mean<std::int8_t>,  mean<std::int16_t>,  mean<std::uint16_t>, mean<std::int32_t>,
      mean<std::uint32_t>, mean<std::int64_t>, mean<std::uint64_t>, mean<float>,         mean<double>};
  std::cout << to_string(pixels.extents()) << ' ' << name(pixels.type()) << ' '
            << means[static_cast<std::size_t>(pixels.type())](pixels) << '\n';
} catch (const xdr::error& failure) {
  std::cerr << "ERROR: " << failure.what() << '\n';
  return exit_code(failure.code());
}
