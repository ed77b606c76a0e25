// device_engine.cpp: the engine of the GPU. A load has a work slot to itself: streams, events and the order between
// them.
#include "engine/engine.hpp"

#if defined(XDR_HAVE_CUDA)
#include <algorithm>

#include <cuphoton/xdr/error.hpp>

#include "engine/resident.hpp"
#include "io/device_read.hpp"

namespace cuphoton::xdr {
namespace {

class device_engine_type final : public engine {
 public:
  const char* name() const noexcept override { return "gpu"; }

  run_facts run(const image_plan& plan, const byte_source& source, const run_target& target,
                const read_options& options) const override {
    if (plan.groups.empty()) return {};  // no pixels
    device::device_context& context = device::context_for(options.device);
    const device::current_device guard(options.device);
    const device::work_lease slot = context.acquire_slot();
    const unsigned threads = options.threads != 0 ? options.threads : device::reader_threads();
    const bool to_host = target.space == memory_space::host;
    if (!to_host) slot->follow(target.after.handle);
    device::buffer own;
    if (to_host) own = device::buffer(context.memory(), static_cast<std::size_t>(target.size_bytes), slot->work.get());
    try {
      resident_image image(plan, source, context, *slot, threads, options);
      image.decode(to_host ? own.data() : target.data, options.gzip_crc32, options.restore);
      const run_facts facts = image.finish();
      if (to_host)
        copy_to_host(own.data(), {target.data, static_cast<std::size_t>(target.size_bytes)}, context, *slot, threads);
      return facts;
    } catch (...) {
      device::drain(slot->copy.get());  // nothing of this load touches the target once the caller has its error
      device::drain(slot->work.get());
      throw;
    }
  }
};

}  // namespace

const engine* device_engine() noexcept {
  static const device_engine_type the_engine;
  return &the_engine;
}

}  // namespace cuphoton::xdr

#else

namespace cuphoton::xdr {

const engine* device_engine() noexcept {
  return nullptr;
}

}  // namespace cuphoton::xdr
#endif
