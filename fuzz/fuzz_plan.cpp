// fuzz_plan.cpp: any text -> plan_from_json. What is accepted satisfies the invariants, survives a round trip, and runs
// against a source of its length without a crash, whatever its tiles hold.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <cuphoton/xdr/reader.hpp>

namespace {

using namespace cuphoton::xdr;

void run(const image_plan& plan) {
  if (plan.file_bytes > 4096 || pixel_count(plan.section) > 65536) return;  // keep executions fast
  if (plan.grid.tile_shape.rank > 0 && pixel_count(plan.grid.tile_shape) > 65536) return;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(plan.file_bytes));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 31);
  read_options options;
  options.threads = 1;
  try {
    read(*memory_source(bytes), plan, options);
  } catch (const error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  image_plan plan;
  try {
    plan = plan_from_json({reinterpret_cast<const char*>(data), size});
  } catch (const error&) {
    return 0;
  }
  const std::string text = to_json(plan);
  if (to_json(plan_from_json(text)) != text) std::abort();
  run(plan);
  return 0;
}
