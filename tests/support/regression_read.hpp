// regression_read.hpp: how the lessons of tests/regression read a file: by the public door, on the host engine and,
// where there is a GPU, on the GPU engine too, which must give the same bits or the same error. So each lesson holds
// for both.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <cuphoton/xdr/reader.hpp>

#include "support/made_images.hpp"

namespace cuphoton::xdr::test {

/// Whether the device has to be asked. On a GPU host (XDR_REQUIRE_DEVICE=1) a GPU that is missing is a failure.
inline bool device_is_there() {
  const auto& why = probe_capabilities().device;
  const char* const required = std::getenv("XDR_REQUIRE_DEVICE");
  if (why && required != nullptr && std::string(required) == "1") ADD_FAILURE() << "GPU required: " << why->detail;
  return !why.has_value();
}

using read_outcome = std::variant<image, error>;

inline read_outcome outcome_on(const byte_source& source, const hdu_selector& which, read_options options,
                               engine_choice engine) {
  options.engine = engine;
  try {
    return read(source, which, options);
  } catch (const error& problem) {
    return problem;
  }
}

/// For messages: type, extents and number of bytes, or code and text.
inline std::string describe(const read_outcome& outcome) {
  if (const auto* problem = std::get_if<error>(&outcome)) {
    return std::string(name(problem->code())) + ": " + problem->what();
  }
  const auto& pixels = std::get<image>(outcome);
  return std::string(name(pixels.type())) + " " + to_string(pixels.extents()) + ", " +
         std::to_string(pixels.size_bytes()) + " bytes";
}

/// Bit for bit the same pixels, or the same error; where engines differ, the byte.
inline void expect_same_outcome(const read_outcome& host, const read_outcome& gpu, const char* variant) {
  ASSERT_EQ(describe(host), describe(gpu)) << variant;
  const auto* expected = std::get_if<image>(&host);
  if (expected == nullptr) return;
  const auto& found = std::get<image>(gpu);
  for (std::size_t i = 0; i < expected->size_bytes(); ++i) {
    ASSERT_EQ(expected->data()[i], found.data()[i]) << "host and GPU (" << variant << ") differ at byte " << i;
  }
  EXPECT_EQ(found.facts().engine, "gpu");
}

/// What the host engine makes of the file, after the GPU engine, where there is one, made the same of it, in both ways
/// to restore.
inline read_outcome outcome_of(const byte_vector& file, const hdu_selector& which, const read_options& options) {
  const auto source = source_of(file);  // "made.fits"
  read_outcome host = outcome_on(*source, which, options, engine_choice::host);
  if (!device_is_there()) return host;
  for (const restore_variant variant : {restore_variant::fused, restore_variant::separate}) {
    read_options on_device = options;
    on_device.restore = variant;
    expect_same_outcome(host, outcome_on(*source, which, on_device, engine_choice::gpu),
                        variant == restore_variant::fused ? "fused" : "separate");
  }
  return host;
}

/// Pixels of an HDU. Throws the error where it cannot be read, so the test fails with its text.
inline image load_both(const byte_vector& file, const hdu_selector& which = {}, const read_options& options = {}) {
  read_outcome outcome = outcome_of(file, which, options);
  if (const auto* problem = std::get_if<error>(&outcome)) throw *problem;
  return std::get<image>(std::move(outcome));
}
inline image load_both(const byte_vector& file, int hdu, const read_options& options = {}) {
  return load_both(file, hdu_selector::number(hdu), options);
}
inline image load_both(const byte_vector& file, int hdu, pixel_values values) {
  read_options options;
  options.values = values;
  return load_both(file, hdu, options);
}

/// The error that reading must end in; code `internal` and a failed test where pixels come.
inline error error_of(const byte_vector& file, const hdu_selector& which = {}, const read_options& options = {}) {
  const read_outcome outcome = outcome_of(file, which, options);
  if (const auto* problem = std::get_if<error>(&outcome)) return *problem;
  ADD_FAILURE() << "an error was expected, found " << describe(outcome);
  return {errc::internal, {}, "no error"};
}
inline error error_of(const byte_vector& file, int hdu, const read_options& options = {}) {
  return error_of(file, hdu_selector::number(hdu), options);
}

/// The code, the place where it is meant, and each of `words` in the text.
inline void expect_error(const error& found, errc code, const where& place,
                         const std::vector<std::string>& words = {}) {
  EXPECT_EQ(name(found.code()), name(code)) << found.what();
  EXPECT_EQ(found.place().file, place.file) << found.what();
  EXPECT_EQ(found.place().hdu, place.hdu) << found.what();
  EXPECT_EQ(found.place().tile, place.tile) << found.what();
  for (const std::string& word : words) {
    EXPECT_NE(std::string(found.what()).find(word), std::string::npos) << "no '" << word << "' in: " << found.what();
  }
}

/// pixel_type of a C++ type.
template <class T>
constexpr pixel_type type_of() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? pixel_type::f32 : pixel_type::f64;
  constexpr pixel_type by_width[2][4] = {{pixel_type::u8, pixel_type::u16, pixel_type::u32, pixel_type::u64},
                                         {pixel_type::i8, pixel_type::i16, pixel_type::i32, pixel_type::i64}};
  return by_width[std::is_signed_v<T> ? 1 : 0][std::countr_zero(sizeof(T))];
}

/// The pixels as numbers; empty and a failed test where the image has another type.
template <class T>
std::vector<T> values_of(const image& pixels) {
  EXPECT_EQ(name(pixels.type()), name(type_of<T>()));
  if (pixels.type() != type_of<T>()) return {};
  std::vector<T> values(pixels.size_bytes() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), pixels.data(), pixels.size_bytes());
  return values;
}

/// Type and every bit: -0.0 is not 0.0, and a NaN is the one whose bits were expected.
template <class T>
void expect_pixels(const image& pixels, const std::vector<T>& expected) {
  const std::vector<T> found = values_of<T>(pixels);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], sizeof(T)), 0)
        << "pixel " << i << ": expected " << +expected[i] << ", found " << +found[i];
  }
}

/// Numbers as a FITS file holds them.
template <class T>
byte_vector big_endian(const std::vector<T>& values) {
  byte_vector bytes;
  for (const T value : values) {
    if constexpr (std::is_same_v<T, float>) {
      append_be(bytes, std::bit_cast<std::uint32_t>(value));
    } else if constexpr (std::is_same_v<T, double>) {
      append_be(bytes, std::bit_cast<std::uint64_t>(value));
    } else {
      append_be(bytes, value);
    }
  }
  return bytes;
}

/// BITPIX of pixels stored as T (a signed integer of 16 bits or more, unsigned char, or a float).
template <class T>
constexpr int bitpix_of() {
  constexpr int bits = static_cast<int>(sizeof(T)) * 8;
  return std::is_floating_point_v<T> ? -bits : bits;
}

/// A plain primary HDU of `values`; axes in FITS order.
template <class T>
byte_vector plain_image(const std::vector<std::int64_t>& axes, const std::vector<T>& values,
                        const std::vector<std::string>& extra = {}) {
  return hdu_bytes(primary_cards(bitpix_of<T>(), axes, extra), big_endian(values));
}

/// The receipt holds a note with `word`.
inline bool has_note(const image& pixels, const std::string& word) {
  for (const std::string& note : pixels.facts().notes) {
    if (note.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace cuphoton::xdr::test
