// The decision table: capabilities built by hand, one line a case, no GPU needed.
#include "reader/policy.hpp"

#include <gtest/gtest.h>

namespace cuphoton::xdr {
namespace {

const reason no_gpu{reason_code::device_unavailable, -1, "no GPU"};
const reason no_host{reason_code::host_engine_unavailable, -1, "no host decoder"};

capabilities machine(bool gpu, bool gpu_rice, bool host_rice) {
  capabilities here;
  if (!gpu) here.device = no_gpu;
  codec_capability rice{"RICE_1", {}, {}};
  if (!gpu_rice) rice.device = no_gpu;
  if (!host_rice) rice.host = no_host;
  here.codecs.push_back(rice);
  return here;
}

struct policy_case {
  capabilities here;
  engine_choice wanted;
  std::optional<engine_kind> expected;
  std::vector<reason_code> reasons;
};

TEST(policy, decision_table) {
  const auto automatic = engine_choice::automatic;
  const auto gpu = engine_kind::gpu;
  const auto host = engine_kind::host;
  const auto device = reason_code::device_unavailable;
  const auto decoder = reason_code::host_engine_unavailable;
  const policy_case cases[] = {
      {machine(true, true, true), automatic, gpu, {}},
      {machine(false, false, true), automatic, host, {device}},
      {machine(true, false, true), automatic, host, {device}},
      {machine(true, false, false), automatic, {}, {device, decoder}},
      {machine(true, true, true), engine_choice::host, host, {}},
      {machine(true, true, false), engine_choice::host, {}, {decoder}},
      {machine(false, false, true), engine_choice::gpu, {}, {device}},
      {machine(true, true, true), engine_choice::gpu, gpu, {}},
      {capabilities{}, automatic, {}, {reason_code::codec_unsupported, reason_code::codec_unsupported}},
  };
  image_plan plan;
  plan.hdu_index = 3;
  plan.groups.resize(1);
  plan.groups[0].codec = codec_id::rice_1;
  for (const policy_case& row : cases) {
    const decision choice = decide(plan, row.here, row.wanted);
    EXPECT_EQ(choice.engine, row.expected);
    ASSERT_EQ(choice.reasons.size(), row.reasons.size());
    for (std::size_t i = 0; i < row.reasons.size(); ++i) {
      EXPECT_EQ(choice.reasons[i].code, row.reasons[i]);
      EXPECT_EQ(choice.reasons[i].hdu, 3);
    }
  }
}

/// A decoder that was named and cannot be used: refused where the GPU engine would have run,
/// with that reason alone; where another engine runs, nobody asks.
TEST(policy, a_named_decoder_that_cannot_be_used) {
  const reason refused{reason_code::nvcomp_unavailable, 3, "no nvCOMP"};
  const auto automatic = engine_choice::automatic;
  const auto device = reason_code::device_unavailable;
  const auto nvcomp = reason_code::nvcomp_unavailable;
  const policy_case cases[] = {
      {machine(true, true, true), automatic, {}, {nvcomp}},
      {machine(true, true, true), engine_choice::gpu, {}, {nvcomp}},
      {machine(true, true, true), engine_choice::host, engine_kind::host, {}},
      {machine(false, false, true), automatic, engine_kind::host, {device}},
      {machine(true, false, true), automatic, engine_kind::host, {device}},
      {machine(false, false, true), engine_choice::gpu, {}, {device}},
  };
  image_plan plan;
  plan.hdu_index = 3;
  plan.groups.resize(1);
  plan.groups[0].codec = codec_id::rice_1;
  for (const policy_case& row : cases) {
    const decision choice = decide(plan, row.here, row.wanted, restore_variant::fused, refused);
    EXPECT_EQ(choice.engine, row.expected);
    ASSERT_EQ(choice.reasons.size(), row.reasons.size());
    for (std::size_t i = 0; i < row.reasons.size(); ++i) EXPECT_EQ(choice.reasons[i].code, row.reasons[i]);
  }
}

TEST(policy, a_device_without_room_is_passed_over) {
  image_plan plan;
  plan.section = box{1, {0}, {1000}};
  plan.output_type = pixel_type::f32;
  plan.groups.resize(1);
  plan.groups[0].codec = codec_id::rice_1;
  plan.groups[0].tiles.push_back({0, 500, 0, 0, 0});
  capabilities here = machine(true, true, true);
  here.device_free_bytes = (std::uint64_t{64} << 20) + 4000 + 499;
  const decision choice = decide(plan, here, engine_choice::automatic);
  EXPECT_EQ(choice.engine, engine_kind::host);
  ASSERT_EQ(choice.reasons.size(), 1U);
  EXPECT_EQ(choice.reasons[0].code, reason_code::device_memory);
  here.device_free_bytes += 1;
  EXPECT_EQ(decide(plan, here, engine_choice::automatic).engine, engine_kind::gpu);
  // A second array of the section lies between the stages.
  EXPECT_EQ(decide(plan, here, engine_choice::automatic, restore_variant::separate).engine, engine_kind::host);
  here.device_free_bytes += 4000;
  EXPECT_EQ(decide(plan, here, engine_choice::automatic, restore_variant::separate).engine, engine_kind::gpu);
}

TEST(policy, a_plan_with_reasons_is_refused_by_every_engine) {
  image_plan plan;
  plan.reasons.push_back({reason_code::null_mask_unsupported, 1, "masks"});
  for (const engine_choice wanted : {engine_choice::automatic, engine_choice::gpu, engine_choice::host}) {
    const decision choice = decide(plan, machine(true, true, true), wanted);
    EXPECT_FALSE(choice.engine);
    EXPECT_EQ(choice.reasons, plan.reasons);
  }
}

}  // namespace
}  // namespace cuphoton::xdr
