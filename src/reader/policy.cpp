// policy.cpp: the decision table (tests/unit/reader/policy_test.cpp holds it row by row).
#include "reader/policy.hpp"

#include <algorithm>
#include <string>

#include "codecs/codec.hpp"

namespace cuphoton::xdr {
namespace {

/// Why one engine cannot run the plan; nothing if it can.
std::optional<reason> obstacle(const image_plan& plan, const capabilities& here, engine_kind kind,
                               restore_variant variant) {
  if (kind == engine_kind::gpu && here.device) return reason{here.device->code, plan.hdu_index, here.device->detail};
  const std::uint64_t needed = kind == engine_kind::gpu ? device_bytes_for(plan, variant) : 0;
  if (kind == engine_kind::gpu && here.device_free_bytes != 0 && needed > here.device_free_bytes) {
    return reason{reason_code::device_memory, plan.hdu_index,
                  "the GPU has " + std::to_string(here.device_free_bytes) + " bytes free, the image needs " +
                      std::to_string(needed) + ": read a section, or free device memory"};
  }
  for (const tile_group& group : plan.groups) {
    const codec_row* row = find_codec(group.codec);
    const auto listed = std::find_if(here.codecs.begin(), here.codecs.end(), [row](const codec_capability& codec) {
      return row != nullptr && codec.name == row->fits_name;
    });
    if (listed == here.codecs.end()) {
      return reason{reason_code::codec_unsupported, plan.hdu_index, "the codec of some tiles is not in this build"};
    }
    const auto& why = kind == engine_kind::gpu ? listed->device : listed->host;
    if (why) return reason{why->code, plan.hdu_index, why->detail};
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t device_bytes_for(const image_plan& plan, restore_variant variant) {
  const auto pixels = static_cast<std::uint64_t>(pixel_count(plan.section));
  const std::uint64_t arrays = variant == restore_variant::separate ? 2 : 1;
  std::uint64_t bytes = std::uint64_t{64} << 20;
  bytes += arrays * pixels * static_cast<std::uint64_t>(size_bytes(plan.output_type));
  for (const tile_group& group : plan.groups) {
    for (const tile_record& tile : group.tiles) bytes += tile.length_bytes;
  }
  return bytes;
}

decision decide(const image_plan& plan, const capabilities& here, engine_choice wanted, restore_variant variant,
                const std::optional<reason>& decoder_refused) {
  decision outcome;
  outcome.reasons = plan.reasons;
  if (!plan.reasons.empty()) return outcome;
  for (const engine_kind kind : {engine_kind::gpu, engine_kind::host}) {
    if (wanted == engine_choice::gpu && kind != engine_kind::gpu) continue;
    if (wanted == engine_choice::host && kind != engine_kind::host) continue;
    const auto why = obstacle(plan, here, kind, variant);
    if (!why && kind == engine_kind::gpu && decoder_refused) {
      outcome.reasons = {*decoder_refused};
      return outcome;
    }
    if (!why) {
      outcome.engine = kind;
      return outcome;
    }
    outcome.reasons.push_back(*why);
  }
  return outcome;
}

}  // namespace cuphoton::xdr
