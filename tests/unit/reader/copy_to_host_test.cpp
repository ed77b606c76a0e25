// copy_to_host_test.cpp: a copy of an array, from either memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include <cuphoton/xdr/image.hpp>

#include "device/context.hpp"
#include "support/fake_device.hpp"

namespace cuphoton::xdr {
namespace {

shape two_by_three() {
  shape extents;
  extents.rank = 2;
  extents[0] = 2;
  extents[1] = 3;
  return extents;
}

TEST(CopyToHost, OfAHostArray) {
  image pixels(pixel_type::i16, two_by_three());
  std::fill_n(pixels.data(), pixels.size_bytes(), std::uint8_t{7});
  pixels.zero = 32768.0;
  pixels.null_value = -5;
  const image copy = copy_to_host(pixels);
  std::fill_n(pixels.data(), pixels.size_bytes(), std::uint8_t{8});
  EXPECT_EQ(copy.extents(), two_by_three());
  EXPECT_EQ(copy.type(), pixel_type::i16);
  EXPECT_EQ(copy.zero, 32768.0);
  EXPECT_EQ(copy.null_value, -5);
  EXPECT_TRUE(std::all_of(copy.bytes().begin(), copy.bytes().end(), [](std::uint8_t byte) { return byte == 7; }));
}

TEST(CopyToHost, OfAnArrayWithoutPixels) {
  shape none = two_by_three();
  none[0] = 0;
  EXPECT_EQ(copy_to_host(image(pixel_type::f64, none)).extents(), none);
}

TEST(CopyToHost, OfADeviceArrayAfterAStream) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const test::fake_device fake(seed);
    {
      device::device_context& context = device::context_for(1);
      const device::current_device guard(1);
      const device::work_lease slot = context.acquire_slot();
      auto memory = std::make_shared<device::buffer>(context.memory(), 12, slot->work.get());
      slot->work.synchronize();
      const device::stream caller;
      device::call("fill", &device::api_table::fill, memory->data(), 9, std::size_t{12}, caller.get());
      std::uint8_t* const data = memory->data();
      const image pixels(pixel_type::i16, two_by_three(), std::shared_ptr<std::uint8_t>(std::move(memory), data), 1);
      const image copy = copy_to_host(pixels, caller.get());
      EXPECT_EQ(copy.space(), memory_space::host);
      EXPECT_TRUE(std::all_of(copy.bytes().begin(), copy.bytes().end(), [](std::uint8_t byte) { return byte == 9; }));
    }
    device::forget_contexts();
  }
}

}  // namespace
}  // namespace cuphoton::xdr
