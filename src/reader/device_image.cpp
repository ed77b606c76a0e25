// device_image.cpp: see device_image.hpp. Works through the device table alone, so it exists in every build.
#include "reader/device_image.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <cuphoton/xdr/error.hpp>
#include <cuphoton/xdr/source.hpp>

#include "device/context.hpp"
#include "io/device_read.hpp"
#include "io/memory.hpp"
#include "reader/probe.hpp"

namespace cuphoton::xdr {

image make_device_image(pixel_type type, const shape& extents, int device) {
  if (const capabilities here = capabilities_for(device, 0); here.device) {
    throw error(errc::unsupported, {}, here.device->detail, {*here.device});
  }
  const auto length_bytes = static_cast<std::size_t>(pixel_count(extents)) * static_cast<std::size_t>(size_bytes(type));
  device::device_context& context = device::context_for(device);
  const device::current_device guard(device);
  const device::work_lease slot = context.acquire_slot();
  auto memory = std::make_shared<device::buffer>(context.memory(), length_bytes, slot->work.get());
  // The library's streams are not ordered against one another: the allocation must have happened before any is used.
  slot->work.synchronize();
  std::uint8_t* const data = memory->data();
  return {type, extents, std::shared_ptr<std::uint8_t>(std::move(memory), data), device};
}

void upload(std::span<const std::uint8_t> pixels, const run_target& target, const read_options& options) {
  if (pixels.empty()) return;
  device::device_context& context = device::context_for(options.device);
  const device::current_device guard(options.device);
  const device::work_lease slot = context.acquire_slot();
  slot->follow(target.after.handle);
  // Not memory_source: pixels that begin like a packed file must not be unpacked.
  const auto source = io::open_memory(pixels, "<decoded pixels>");
  const device_span all{0, pixels.size(), 0};
  read_to_device(*source, {&all, 1}, target.data, context, *slot, device::reader_threads());
  slot->work.synchronize();
}

image copy_to_host(const image& pixels, stream_view after) {
  image result(pixels.type(), pixels.extents());
  result.scale = pixels.scale;
  result.zero = pixels.zero;
  result.null_value = pixels.null_value;
  result.set_facts(pixels.facts());
  if (pixels.size_bytes() == 0) return result;
  if (pixels.space() == memory_space::host) {
    std::copy_n(pixels.data(), pixels.size_bytes(), result.data());
    return result;
  }
  device::device_context& context = device::context_for(pixels.device());
  const device::current_device guard(pixels.device());
  const device::work_lease slot = context.acquire_slot();
  slot->follow(after.handle);
  copy_to_host(pixels.data(), result.bytes(), context, *slot, device::reader_threads());
  return result;
}

}  // namespace cuphoton::xdr
