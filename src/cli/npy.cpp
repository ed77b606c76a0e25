// npy.cpp: the header NumPy's own writer would make for the same array.
#include "cli/npy.hpp"

#include <bit>

#include "cli/output.hpp"

namespace cuphoton::xdr::cli {
namespace {

std::string descriptor_of(pixel_type type) {
  const int width_bytes = size_bytes(type);
  const char order = width_bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
  // NumPy's names start with the kind: "uint16", "int16", "float32".
  const char kind = name(type).front();
  return std::string{order, kind} + std::to_string(width_bytes);
}

}  // namespace

std::string npy_header(pixel_type type, const shape& extents) {
  std::string axes;
  for (int axis = 0; axis < extents.rank; ++axis) axes += (axis == 0 ? "" : ", ") + std::to_string(extents[axis]);
  if (extents.rank == 1) axes += ',';
  std::string text = "{'descr': '" + descriptor_of(type) + "', 'fortran_order': False, 'shape': (" + axes + "), }";
  constexpr std::size_t prefix_bytes = 10;  // magic 6, version 2, length 2
  text.append((64 - (prefix_bytes + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  // 16 axes of 19 digits stay far below the 65,535 bytes of version 1.0.
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void save_npy(const std::string& path, const image& pixels) {
  const std::string header = npy_header(pixels.type(), pixels.extents());
  replace_file(path, {as_bytes(header), pixels.bytes()});
}

}  // namespace cuphoton::xdr::cli
