#include <gtest/gtest.h>

#include <string>

#include "law/accumulation.hpp"
#include "law/pipeline_law.hpp"
#include "law/plan.hpp"
#include "law/plans.hpp"

namespace shardbench {
namespace {

using testing::plan_of;

constexpr std::uint64_t boundary = 256;  // one microbatch: 2 rows of 32 float32
constexpr std::uint64_t weight = 32 * 32 * 4, bias = 32 * 4;

/// Linear(32, 32) and relu on 2 rows.
LayerShape layer(bool first) {
  LayerShape s;
  s.parameters = {32 * 32, 32};
  s.input_bytes = s.output_bytes = s.forward_temporary_bytes = boundary;
  s.saves_output = true;
  s.saves = first ? 2 : 3;
  s.saves_bytes = 2 * boundary + (first ? 0 : weight);
  return s;
}

/// One layer per stage, mean squared error after the last.
PipelineLaw law_of(const Plan& lowered, int rank) {
  PipelineLawInput in{lowered, rank, {}, {}, 0};
  for (std::size_t s = 0; s < lowered.placement.size(); ++s) in.stages.push_back({layer(s == 0)});
  in.loss = {2, 2 * boundary, boundary, boundary, false};
  return pipeline_law(in);
}

Plan gpipe(int microbatches) {
  std::string rows[2];
  for (const char* kind : {"F", "B"})
    for (int m = 0; m < microbatches; ++m)
      for (int r = 0; r < 2; ++r) rows[r] += std::to_string(r) + kind + std::to_string(m) + " ";
  return lower(plan_of({0, 1}, {rows[0], rows[1]}));
}

Plan one_forward_one_backward(int microbatches) {
  std::string rows[2] = {"0F0 ", ""};
  for (int m = 0; m < microbatches; ++m) {
    const std::string now = std::to_string(m), next = std::to_string(m + 1);
    if (m + 1 < microbatches) rows[0] += "0F" + next + " ";
    rows[0] += "0B" + now + " ";
    rows[1] += "1F" + now + " 1B" + now + " ";
  }
  return lower(plan_of({0, 1}, {rows[0], rows[1]}));
}

// GPipe: rank 0 keeps the output of every microbatch, which relu's backward needs, and beside them the first gradient
// that it receives; rank 1 keeps input and output of each. So activations grow with the horizon.
TEST(PipelineLaw, ActivationsOfGpipeGrowWithTheHorizon) {
  for (const std::uint64_t m : {2u, 4u, 16u}) {
    const Plan plan = gpipe(static_cast<int>(m));
    EXPECT_EQ(law_of(plan, 0).activations, (m + 1) * boundary);
    EXPECT_EQ(law_of(plan, 1).activations, 2 * m * boundary);
  }
}

// 1F1B: rank 0 has two microbatches in flight and the gradient that it receives; rank 1 one, input and output, and the
// gradient that it has sent and cannot know to be received yet.
TEST(PipelineLaw, ActivationsOf1f1bDoNot) {
  for (const int m : {4, 8, 64}) {
    const Plan plan = one_forward_one_backward(m);
    EXPECT_EQ(law_of(plan, 0).activations, 3 * boundary) << m;
    EXPECT_EQ(law_of(plan, 1).activations, 3 * boundary) << m;
  }
}

// Between I and W a layer keeps its input and the gradient of its output before relu, not its output.
TEST(PipelineLaw, AfterTheInputsGradientOnlyWhatTheWeightsNeedsStays) {
  const Plan plan = lower(plan_of({0}, {"0F0 0I0 0W0"}));
  PipelineLawInput in{plan, 0, {{layer(true), layer(false)}}, {}, 0};
  const PipelineLaw law = pipeline_law(in);
  // F: y0 (kept by relu and as the next input) and y1. I: the first layer waits whole, with its output's gradient.
  EXPECT_EQ(law.activations, 3 * boundary);
  EXPECT_EQ(law.saved_total, 5u);
  EXPECT_EQ(law.saved_peak, 5u);

  const Plan late = lower(plan_of({0}, {"0F0 0I0 0F1 0I1 0F2 0I2 0W0 0W1 0W2"}));
  PipelineLawInput three{late, 0, {{layer(true), layer(false)}}, {}, 0};
  // Two microbatches between I and W with y0 and two gradients each, and the third one too.
  EXPECT_EQ(pipeline_law(three).activations, 9 * boundary);
  // The first layer's saves are used by W, the others' by I.
  EXPECT_EQ(pipeline_law(three).saved_peak, 2 * 2u + 5u);
}

// At the peak of a single stage's step: weights, the sums, and inside B of the second microbatch both layers' tensors.
TEST(PipelineLaw, ThePeakIsInsideABackward) {
  const Plan plan = lower(plan_of({0}, {"0F0 0B0 0F1 0B1"}));
  PipelineLawInput in{plan, 0, {{layer(true)}}, {}, 1000};
  const std::uint64_t parameters = weight + bias;
  // The loss here has a gradient of no bytes. B: y has been given up for the gradient before relu, of the same size,
  // then the parameters' gradients are made beside the sums.
  EXPECT_EQ(pipeline_law(in).peak, 1000 + 2 * parameters + boundary + parameters);
  EXPECT_EQ(pipeline_law(in).weights, parameters);
  EXPECT_EQ(pipeline_law(in).gradients, parameters);
}

// A local hop hands the tensor over: the output of stage 0 is the input of stage 1, one storage for both.
TEST(PipelineLaw, ALocalHopNeedsNoSecondTensor) {
  const Plan one = lower(plan_of({0, 0}, {"0F0 1F0 1B0 0B0"}));
  PipelineLawInput in{one, 0, {{layer(true)}, {layer(false)}}, {}, 0};
  EXPECT_EQ(pipeline_law(in).activations, 2 * boundary);
}

TEST(AccumulationOrders, AreEmptyWhereAllAscend) {
  EXPECT_TRUE(accumulation_orders(plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1I0 1F1 1I1 1W0 1W1"})).empty());
}

TEST(AccumulationOrders, FollowBAndW) {
  const auto orders = accumulation_orders(plan_of({1, 0}, {"1F0 1F1 1I0 1I1 1W1 1W0", "0F0 0F1 0B0 0B1"}));
  EXPECT_EQ(orders, (std::vector<std::vector<int>>{{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace shardbench
