// policy.cpp: the decision table (tests/unit/reader/policy_test.cpp holds it row by row).
#include "reader/policy.hpp"

#include <algorithm>
#include <string>

#include "codecs/codec.hpp"

namespace cuphoton::xdr {
namespace {

/// Why one engine cannot run the plan; nothing if it can.
std::optional<reason> obstacle(const image_plan& plan, const capabilities& here, engine_kind kind) {
  if (kind == engine_kind::gpu && here.device) return reason{here.device->code, plan.hdu_index, here.device->detail};
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

decision decide(const image_plan& plan, const capabilities& here, engine_choice wanted) {
  decision outcome;
  outcome.reasons = plan.reasons;
  if (!plan.reasons.empty()) return outcome;
  for (const engine_kind kind : {engine_kind::gpu, engine_kind::host}) {
    if (wanted == engine_choice::gpu && kind != engine_kind::gpu) continue;
    if (wanted == engine_choice::host && kind != engine_kind::host) continue;
    const auto why = obstacle(plan, here, kind);
    if (!why) {
      outcome.engine = kind;
      return outcome;
    }
    outcome.reasons.push_back(*why);
  }
  return outcome;
}

}  // namespace cuphoton::xdr
