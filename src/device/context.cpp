// context.cpp: making, keeping and lending what belongs to one device.
#include "device/context.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <utility>

#include <cuphoton/xdr/device.hpp>
#include <cuphoton/xdr/error.hpp>

#include "base/fork_guard.hpp"
#include "base/thread_pool.hpp"

namespace cuphoton::xdr::device {
namespace {

constexpr std::uint64_t most_kept_bytes = std::uint64_t{16} << 30;

/// First question to a device, before anything is made for it.
properties examine(int device) {
  require_device("use a device");
  int count = 0;
  check(api().device_count(&count), "find a CUDA device");
  if (device < 0 || device >= count) {
    throw error(errc::invalid_argument, {},
                "there is no CUDA device " + std::to_string(device) + ": this host has " + std::to_string(count));
  }
  properties about;
  call("examine a CUDA device", &api_table::get_properties, &about, device);
  bool yes = false;
  call("ask for code for a CUDA device", &api_table::has_code, &yes, device);
  if (!yes) {
    throw error(errc::device_failed, {},
                "this build has no code for device " + std::to_string(device) + ", " + about.name +
                    " of compute capability " + std::to_string(about.major) + "." + std::to_string(about.minor) +
                    ": build with that architecture, or use the host engine");
  }
  return about;
}

std::uint64_t kept_bytes(const properties& about, const context_options& options) {
  if (options.keep_bytes != 0) return options.keep_bytes;
  return std::min<std::uint64_t>(about.memory_bytes / 4, most_kept_bytes);
}

/// What limit_device_pools asked for; 0: nothing.
std::atomic<std::uint64_t> limited_keep_bytes{0};

/// Runs `make` with `device` current: members of a context are made before its constructor's body.
template <class Make>
auto with_device(int device, Make make) {
  const current_device guard(device);
  return make();
}

/// Contexts of the process that made the first one: its children cannot use them.
struct registry {
  std::mutex mutex;
  std::map<int, std::unique_ptr<device_context>> contexts;
  std::atomic<bool> used{false};  // there is a context, or there was one
  home_process home;
};
registry& all_contexts() {
  static registry& kept = *new registry;  // never destroyed, see context_for
  return kept;
}

}  // namespace

current_device::current_device(int device) {
  call("ask for the current device", &api_table::get_device, &before_);
  if (before_ == device) return;
  call("make a device current", &api_table::set_device, device);
  changed_ = true;
}

current_device::~current_device() {
  if (changed_ && !is_lost()) note_error(api().set_device(before_));  // the next guard asks which one is current
}

void work_slot::follow(stream_handle other) {
  entered.record(other);
  work.wait(entered);
  copy.wait(entered);
}

void work_slot::lead(stream_handle other) {
  finished.record(work.get());
  call("order two streams", &api_table::stream_wait, other, finished.get());
}

work_lease::~work_lease() {
  if (slot_ != nullptr) context_->give_back(std::move(slot_));
}

unsigned reader_threads() noexcept {
  return static_cast<unsigned>(std::min(12, process_cores()));
}

device_context::device_context(int device, const context_options& options)
    : device_(device),
      about_(examine(device)),
      memory_(device, kept_bytes(about_, options)),
      ring_(with_device(
          device, [&] { return pinned_ring(options.ring_slots != 0 ? options.ring_slots : 6, options.slot_bytes); })),
      part_bytes_(std::clamp<std::size_t>(options.part_bytes, 1, options.slot_bytes)) {
  std::vector<work_lease> first;
  for (std::size_t slot = 0; slot < options.work_slots; ++slot) first.push_back(acquire_slot());
}

device_context::~device_context() {
  // Their streams may still use memory that their buffers gave back to the pool, or that of a caller.
  for (const auto& slot : free_) {
    drain(slot->copy.get());
    drain(slot->work.get());
  }
}

work_lease device_context::acquire_slot() {
  require_device("start work on the device");
  {
    const std::scoped_lock lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<work_slot> slot = std::move(free_.back());
      free_.pop_back();
      return {*this, std::move(slot)};
    }
  }
  const current_device guard(device_);
  auto slot = std::make_unique<work_slot>();
  const std::scoped_lock lock(mutex_);
  free_.reserve(made_ + 1);  // so that giving back cannot fail
  ++made_;
  return {*this, std::move(slot)};
}

std::size_t device_context::slots_made() const {
  const std::scoped_lock lock(mutex_);
  return made_;
}

void device_context::warm(std::uint64_t bytes) {
  if (bytes == 0) return;
  const current_device guard(device_);
  memory_.keep_at_least(bytes);
  const work_lease slot = acquire_slot();
  { const buffer grown(memory_, bytes, slot->work.get()); }
  slot->work.synchronize();
}

void device_context::give_back(std::unique_ptr<work_slot> slot) noexcept {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(slot));
}

device_context& context_for(int device) {
  registry& kept = all_contexts();
  // Before the lock, which a thread of the parent may have held.
  if (kept.used && !kept.home.is_here()) refuse_forked("CUDA");
  const std::scoped_lock lock(kept.mutex);
  require_device("use a device");
  std::unique_ptr<device_context>& context = kept.contexts[device];
  if (context == nullptr) {
    try {
      context_options options;
      options.keep_bytes = limited_keep_bytes.load();
      context = std::make_unique<device_context>(device, options);
    } catch (...) {
      kept.contexts.erase(device);
      throw;
    }
    if (!kept.used) kept.home.settle();
    kept.used = true;
  }
  return *context;
}

device_context* find_context(int device) noexcept {
  registry& kept = all_contexts();
  if (kept.used && !kept.home.is_here()) return nullptr;  // a forked child: the parent's, and its lock may be held
  const std::scoped_lock lock(kept.mutex);
  const auto found = kept.contexts.find(device);
  return found == kept.contexts.end() ? nullptr : found->second.get();
}

void forget_contexts() noexcept {
  registry& kept = all_contexts();
  const std::scoped_lock lock(kept.mutex);
  kept.contexts.clear();
  kept.used = false;
  limited_keep_bytes.store(0);
}

}  // namespace cuphoton::xdr::device

namespace cuphoton::xdr {

void warm_up(int device, std::uint64_t bytes) {
  device::context_for(device).warm(bytes);
}

pool_facts device_pool(int device) {
  device::device_context* const context = device::find_context(device);
  if (context == nullptr) return {0, 0, 0, 0, device::limited_keep_bytes.load()};
  const device::pool_counters now = context->memory().counters();
  return {now.allocations, now.releases, now.bytes_in_use, now.peak_bytes, context->memory().keep_bytes()};
}

void trim_device_pool(int device) {
  device::device_context* const context = device::find_context(device);
  if (context == nullptr) return;
  const device::current_device guard(device);
  {
    const device::work_lease slot = context->acquire_slot();
    slot->work.synchronize();
  }
  context->memory().trim();
}

void limit_device_pools(std::uint64_t keep_bytes) noexcept {
  // In a context's options 0 means the default: a byte keeps as little as nothing.
  device::limited_keep_bytes.store(keep_bytes == 0 ? 1 : keep_bytes);
}

}  // namespace cuphoton::xdr
