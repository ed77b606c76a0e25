// policy.hpp: which engine runs a plan. Pure: a plan's needs, capabilities and options in, a decision out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <cuphoton/xdr/capabilities.hpp>
#include <cuphoton/xdr/options.hpp>
#include <cuphoton/xdr/plan.hpp>
#include <cuphoton/xdr/reason.hpp>

namespace cuphoton::xdr {

enum class engine_kind : std::uint8_t { gpu, host };

struct decision {
  std::optional<engine_kind> engine;  // nothing: refused, for all `reasons`
  std::vector<reason> reasons;        // one for each better choice that was passed over
};

/// Device memory that the GPU engine takes for a plan, about: output, compressed bytes and everything small.
std::uint64_t device_bytes_for(const image_plan& plan, restore_variant variant = restore_variant::fused);
/// Walks the list GPU, host for `automatic` and stops at the first that can; a required engine is the whole list.
/// A plan with reasons is refused by both. Never throws.
/// `decoder_refused`: why a decoder of tiles that was named for the GPU cannot be used. That ends the walk where the
/// GPU engine would have run: an explicit choice has no other engine behind it. Where the host engine runs nobody asks.
decision decide(const image_plan& plan, const capabilities& here, engine_choice wanted,
                restore_variant variant = restore_variant::fused,
                const std::optional<reason>& decoder_refused = std::nullopt);

}  // namespace cuphoton::xdr
