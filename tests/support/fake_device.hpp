// fake_device.hpp: an api_table without a GPU. "Device memory" is host memory; copies, fills and kernels run late, when
// something waits, and in random order between streams that no event orders, so that a missing wait shows as wrong
// bytes. Any call can be made to fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "device/api.hpp"

namespace cuphoton::xdr::test {

/// Which calls fail, and how.
struct device_fault {
  std::string call{};       // name of the table's member; empty: any
  std::uint64_t first = 1;  // the call of that kind, counted from 1, that fails first
  bool for_ever = false;    // and all that follow, too
  int error = 719;
  bool effect = false;  // the call does its work and fails nevertheless, as where an earlier error is reported late
  bool sticky = false;  // afterwards every call of any kind fails with the same error
};

/// Objects that exist.
struct live_objects {
  std::size_t streams = 0;
  std::size_t events = 0;
  std::size_t pools = 0;
  std::size_t blocks = 0;  // device memory
  std::size_t pinned = 0;
  bool operator==(const live_objects&) const = default;
};

/// In force from construction to destruction; one at a time. Thread-safe. Beginning and end forget contexts, the end
/// losses too.
class fake_device {
 public:
  explicit fake_device(std::uint32_t seed = 1, int devices = 2);
  ~fake_device();
  fake_device(const fake_device&) = delete;
  fake_device& operator=(const fake_device&) = delete;

  /// Adds a fault; counting starts now.
  void plant(const device_fault& fault);
  void clear_faults();

  /// Calls so far that can fail; of one kind where a name is given. "slow copy": copies from pinned memory whose
  /// addresses differ modulo 16, among those of "copy".
  std::uint64_t calls(const std::string& call = {}) const;
  live_objects live() const;
  /// Allocations beyond this many bytes fail with "out of memory".
  void set_memory_bytes(std::uint64_t bytes);
  void set_code(bool present);
  /// A decompression engine, which reaches all memory; there is none at first.
  void set_engine(const device::decompression_engine& engine);

  /// What a correct program never does; each is counted. Texts of the first few are in `first_violation`.
  std::uint64_t violations() const;
  std::string first_violation() const;
  /// Calls that were made after a sticky error was returned.
  std::uint64_t calls_after_loss() const;
  /// An error that was returned on this thread and not cleared.
  int pending_error() const;

  /// The next launches of `kernel` run `body(shape, arguments...)` in the order of their stream.
  template <class... Parameters, class Body>
  void set_kernel(void (*kernel)(Parameters...), Body body) {
    add_kernel(reinterpret_cast<const void*>(kernel), [body](const device::launch_shape& shape, void** arguments) {
      return capture<Parameters...>(body, shape, arguments, std::index_sequence_for<Parameters...>{});
    });
  }

 private:
  friend struct fake_calls;
  struct state;
  using deferred = std::function<void()>;
  using kernel_function = std::function<deferred(const device::launch_shape&, void**)>;

  template <class... Parameters, class Body, std::size_t... Index>
  static deferred capture(Body body, device::launch_shape shape, void** arguments, std::index_sequence<Index...>) {
    std::tuple<Parameters...> held(*static_cast<Parameters*>(arguments[Index])...);
    return [body, shape, held] { std::apply([&](const auto&... each) { body(shape, each...); }, held); };
  }
  void add_kernel(const void* kernel, kernel_function function);

  std::unique_ptr<state> state_;
};

}  // namespace cuphoton::xdr::test
