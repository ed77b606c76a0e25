// device_image_test.cpp: host-decoded pixels on their way into device memory, on the fake device.
#include "reader/device_image.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/context.hpp"
#include "support/device_checks.hpp"
#include "support/encode_bzip2.hpp"
#include "support/encoders.hpp"
#include "support/fake_device.hpp"

namespace cuphoton::xdr {
namespace {

// Pixels are no file: those that begin like a packed one arrive as they are.
TEST(device_image, uploads_pixels_whatever_they_begin_with) {
  const std::vector<std::uint8_t> text(300, 7);
  for (const auto& pixels : {test::gzip_by_libdeflate(text, 6), test::bzip2_by_libbz2(text, 1),
                             std::vector<std::uint8_t>{0x1f, 0x8b}, std::vector<std::uint8_t>{'B', 'Z', 'h'}}) {
    const test::fake_device fake;
    {
      device::device_context& context = device::context_for(0);
      const device::current_device guard(0);
      const device::work_lease slot = context.acquire_slot();
      const device::buffer target(context.memory(), pixels.size(), slot->work.get());
      slot->work.synchronize();
      upload(pixels, {target.data(), pixels.size(), memory_space::device, {slot->work.get()}}, {});
      EXPECT_TRUE(std::equal(pixels.begin(), pixels.end(), target.data()));
    }
    device::forget_contexts();
    test::expect_clean(fake);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
