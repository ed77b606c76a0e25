// scan_support.hpp: short forms that the tests of this folder share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/source.hpp>

#include "fits/hdu.hpp"
#include "io/memory.hpp"
#include "support/fits_builder.hpp"

namespace cuphoton::xdr::fits {

inline file_structure scan_bytes(const test::byte_vector& bytes, const limits& caps = {},
                                 std::optional<int> last = {}) {
  return scan(*io::open_memory(bytes, "test.fits"), caps, last);
}

/// The error that `work` throws; nothing where it throws none.
inline std::optional<error> error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& thrown) {
    return thrown;
  }
  return std::nullopt;
}
inline std::optional<error> scan_error(const test::byte_vector& bytes, const limits& caps = {}) {
  return error_of([&] { scan_bytes(bytes, caps); });
}

/// HDU 1 of a file whose HDU 1 is `image`.
inline hdu scan_compressed(const test::compressed_image& image) {
  file_structure file = scan_bytes(test::compressed_file(image));
  return file.hdus.size() > 1 ? file.hdus[1] : hdu{};
}

inline bool has_note(const std::vector<std::string>& notes, const std::string& part) {
  for (const std::string& note : notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}
inline bool has_reason(const image_hdu& image, reason_code code) {
  for (const reason& one : image.reasons) {
    if (one.code == code && !one.detail.empty()) return true;
  }
  return false;
}

}  // namespace cuphoton::xdr::fits

/// `problem` (an optional<error>) has the code and says `part`, and its text names the file.
#define EXPECT_PROBLEM(problem, expected_code, part)                                                   \
  do {                                                                                                 \
    const std::optional<error> problem_ = (problem);                                                   \
    ASSERT_TRUE(problem_.has_value());                                                                 \
    EXPECT_EQ(problem_->code(), (expected_code)) << problem_->what();                                  \
    EXPECT_NE(std::string(problem_->what()).find(part), std::string::npos) << problem_->what();        \
    EXPECT_NE(std::string(problem_->what()).find("test.fits"), std::string::npos) << problem_->what(); \
  } while (false)
