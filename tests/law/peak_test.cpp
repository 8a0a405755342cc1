#include <gtest/gtest.h>

#include "shardbench/error.hpp"
#include "shardbench/law.hpp"

// The walk of docs/laws.md, "The peak", by hand, over two layers of 8 -> 12 -> 4 bytes.

namespace shardbench {
namespace {

LawInput two_layers(std::vector<UnitShape> units) {
  LawInput in;
  in.layers.resize(2);
  in.layers[0].input_bytes = 8;
  in.layers[0].output_bytes = 12;
  in.layers[0].backward_bytes = 30;
  in.layers[0].backward_bytes_expanded = 1000;  // no gradient but the loss's is expanded
  in.layers[1].input_bytes = 12;
  in.layers[1].output_bytes = 4;
  in.layers[1].backward_bytes = 40;
  in.layers[1].backward_bytes_expanded = 60;
  in.units = std::move(units);
  in.batch_bytes = 8;
  in.loss_gradient_bytes = 4;
  in.loss_gradient_expanded = true;
  return in;
}

Law at_rest(std::uint64_t weights, std::uint64_t optimizer) {
  Law law;
  law.weights = weights;
  law.optimizer = optimizer;
  return law;
}

StepResidency::PerUnit sharded(bool kept_after_forward) {
  StepResidency::PerUnit unit;
  unit.gathered = 50;
  unit.gradient_buffer = 50;
  unit.gradient_shard = 25;
  unit.kept_after_forward = kept_after_forward;
  return unit;
}

// 100 + 200 + gradients 100 + batch 8 = 408; outputs 12 and 4, loss 4 and its gradient 4 make 432; the output goes:
// 428; the last layer's backward, given an expanded gradient, has 60 more.
TEST(Peak, OfWholeCopies) {
  const LawInput in = two_layers({{0, 2, true}});
  EXPECT_EQ(peak_of_step(in, at_rest(100, 200), {100, {StepResidency::PerUnit{}}, 0}), 488u);
}

// After the backward of both layers 412 are left; the update has 1000 for a moment.
TEST(Peak, MayBeInTheUpdate) {
  const LawInput in = two_layers({{0, 2, true}});
  EXPECT_EQ(peak_of_step(in, at_rest(100, 200), {100, {StepResidency::PerUnit{}}, 1000}), 1412u);
}

// 408 and 16 of outputs, and 500 while the loss is computed.
TEST(Peak, MayBeInTheLoss) {
  LawInput in = two_layers({{0, 2, true}});
  in.loss_temporary_bytes = 500;
  EXPECT_EQ(peak_of_step(in, at_rest(100, 200), {100, {StepResidency::PerUnit{}}, 0}), 924u);
}

// Saved outputs (relu) outlive the loss: 432 and 40 of a gradient that is not expanded.
TEST(Peak, KeepsOutputsThatBackwardNeeds) {
  LawInput in = two_layers({{0, 2, true}});
  for (LayerShape& layer : in.layers) layer.saves_output = true;
  in.loss_gradient_expanded = false;
  EXPECT_EQ(peak_of_step(in, at_rest(100, 200), {100, {StepResidency::PerUnit{}}, 0}), 472u);
}

// FULL_SHARD by layer: 158 at rest; outputs, loss and its gradient make 178 with nothing gathered. The last unit leaves
// its gradient shard of 25 and takes 4 bytes of outputs and gradients away (199); with the first one whole (50), its
// buffer (50), its shard (25), the number that divides it (12) and its output gone (12), 324.
TEST(Peak, OfShardsReleasedAfterForward) {
  const LawInput in = two_layers({{0, 1, false}, {1, 1, false}});
  EXPECT_EQ(peak_of_step(in, at_rest(50, 100), {0, {sharded(false), sharded(false)}, 0}), 324u);
}

// SHARD_GRAD_OP by layer: both units are whole (258) at the end of the last one's backward, with 16 of outputs,
// gradients and loss, its buffer, its shard and the number that divides it. This is what tells zero2 from zero3.
TEST(Peak, OfShardsKeptAfterForwardHasTheOtherUnitToo) {
  const LawInput in = two_layers({{0, 1, false}, {1, 1, false}});
  EXPECT_EQ(peak_of_step(in, at_rest(50, 100), {0, {sharded(true), sharded(true)}, 0}), 258u + 16 + 50 + 25 + 12);
}

TEST(Peak, NeedsTheResidencyOfEveryUnit) {
  const LawInput in = two_layers({{0, 1, false}, {1, 1, false}});
  try {
    peak_of_step(in, at_rest(50, 100), {0, {sharded(true)}, 0});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(), "the residency of a step has 1 units, but the model has 2 units of 2 layers");
    EXPECT_EQ(error.cure(), "give peak_of_step one StepResidency::PerUnit for each unit");
  }
}

}  // namespace
}  // namespace shardbench
