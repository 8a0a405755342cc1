#include <gtest/gtest.h>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include "measure/allocator.hpp"
#include "measure/heap.hpp"
#include "measure/saved_tensors.hpp"
#include "model/mlp.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

std::uint64_t live(Role role) { return measure::live_bytes()[static_cast<std::size_t>(role)]; }

/// Bytes of a role since the object was made.
class Since {
 public:
  explicit Since(Role role) : role_(role), before_(live(role)) {}
  std::int64_t bytes() const { return static_cast<std::int64_t>(live(role_)) - static_cast<std::int64_t>(before_); }

 private:
  Role role_;
  std::uint64_t before_;
};

TEST(Allocator, CountsEveryByteUnderItsRole) {
  const Since activations(Role::activations), temporary(Role::temporary);
  {
    const RoleScope scope(Role::activations);
    const at::Tensor a = at::empty({101}, at::kFloat);
    const at::Tensor b = at::empty({3}, at::kByte);
    EXPECT_EQ(activations.bytes(), 404 + 3);
    EXPECT_EQ(temporary.bytes(), 0);
    const at::Tensor view = a.narrow(0, 0, 50);
    const at::Tensor none = at::empty({0}, at::kFloat);
    EXPECT_EQ(activations.bytes(), 404 + 3);
  }
  EXPECT_EQ(activations.bytes(), 0);
}

TEST(Allocator, RoleScopesNest) {
  const Since weights(Role::weights), communication(Role::communication);
  const RoleScope outer(Role::weights);
  at::Tensor inner_tensor;
  {
    const RoleScope inner(Role::communication);
    inner_tensor = at::empty({10}, at::kDouble);
  }
  const at::Tensor outer_tensor = at::empty({10}, at::kFloat);
  EXPECT_EQ(communication.bytes(), 80);
  EXPECT_EQ(weights.bytes(), 40);
  inner_tensor.reset();
  EXPECT_EQ(communication.bytes(), 0);
}

TEST(Allocator, TagMovesAStorageToAnotherRole) {
  const Since temporary(Role::temporary), optimizer(Role::optimizer);
  at::Tensor tensor = at::empty({25}, at::kFloat);
  EXPECT_EQ(temporary.bytes(), 100);
  tag(tensor.narrow(0, 3, 1), Role::optimizer);  // a view has the whole storage
  EXPECT_EQ(temporary.bytes(), 0);
  EXPECT_EQ(optimizer.bytes(), 100);
  tag(at::Tensor(), Role::optimizer);  // nothing to count
  tensor.reset();
  EXPECT_EQ(optimizer.bytes(), 0);
}

TEST(Allocator, StorageBytesAreThoseBehindAView) {
  EXPECT_EQ(storage_bytes(at::empty({25}, at::kFloat).narrow(0, 0, 2)), 100u);
  EXPECT_EQ(storage_bytes(at::Tensor()), 0u);
}

TEST(Allocator, ThePeakIsThatOfThePhaseThatHadIt) {
  const std::uint64_t before = total(measure::live_bytes());
  const std::uint64_t activations_before = live(Role::activations);
  measure::start_peak("forward");
  const at::Tensor kept = at::empty({100}, at::kFloat);
  measure::next_phase("backward");
  {
    const RoleScope scope(Role::activations);
    const at::Tensor gone = at::empty({1000}, at::kFloat);
  }
  const at::Tensor small = at::empty({1}, at::kFloat);
  measure::next_phase("update");
  const measure::PeakReport report = measure::stop_peak();
  EXPECT_EQ(report.peak.bytes, before + 400 + 4000);
  EXPECT_EQ(report.peak.moment, "backward");
  EXPECT_EQ(report.peak.by_role[static_cast<std::size_t>(Role::activations)], activations_before + 4000);
  ASSERT_EQ(report.phases.size(), 3u);
  EXPECT_EQ(report.phases[0].phase, "forward");
  EXPECT_EQ(total(report.phases[0].by_role), before + 400);
  EXPECT_EQ(total(report.phases[2].by_role), before + 404);
}

TEST(Allocator, OutsideOfAPeakNothingIsFollowed) {
  const at::Tensor tensor = at::empty({100000}, at::kFloat);
  measure::start_peak("forward");
  EXPECT_EQ(measure::stop_peak().peak.bytes, total(measure::live_bytes()));
}

// A block that malloc maps by itself is rounded up to pages.
TEST(Heap, CountsAVectorAndNoTensor) {
  const std::int64_t before = measure::heap_bytes();
  at::Tensor small = at::empty({3}, at::kByte), large = at::empty({1 << 20}, at::kFloat);
  EXPECT_NEAR(static_cast<double>(measure::heap_bytes() - before), 0, 16384);
  std::vector<float> vector(100'000, 1.0F);
  EXPECT_NEAR(static_cast<double>(measure::heap_bytes() - before), 400'000, 16384);
  large.reset();
  EXPECT_NEAR(static_cast<double>(measure::heap_bytes() - before), 400'000, 16384);
  std::vector<float>().swap(vector);
  EXPECT_NEAR(static_cast<double>(measure::heap_bytes() - before), 0, 16384);
}

TEST(Heap, ThePeakOfAStepIsThatAtTheStartOfAPhase) {
  const std::int64_t before = measure::heap_bytes();
  measure::start_peak("forward");
  {
    const std::vector<float> vector(100'000, 1.0F);
    measure::next_phase("backward");
  }
  const measure::PeakReport report = measure::stop_peak();
  EXPECT_NEAR(static_cast<double>(report.heap_peak - before), 400'000, 16384);
}

TEST(Heap, TheKernelsSizesAreInBytes) {
  EXPECT_GE(measure::status_bytes("VmHWM"), measure::status_bytes("RssAnon"));
  EXPECT_GT(measure::status_bytes("RssAnon"), std::uint64_t{1} << 20);
  EXPECT_EQ(measure::status_bytes("Vm"), 0u);
}

/// One Linear(4, 4) and relu, mean squared error: what the last stage of the notebook's pipeline runs per microbatch.
SavedTensors saved_by_one_step(bool input_needs_gradient) {
  ModelSpec model;
  model.widths = {4, 4};
  model.activation = Activation::relu;
  model.loss = Loss::mse;
  const auto layers = make_layers(model, 0, 0, 1);
  const at::Tensor input = at::ones({2, 4}).set_requires_grad(input_needs_gradient);
  const at::Tensor target = at::ones({2, 4});
  measure::start_saved_tensors();
  loss_of(model, layers[0]->forward(input), target).backward();
  return measure::stop_saved_tensors();
}

// Linear saves its input and its weight, relu its output, mse_loss both its arguments: 5, of 2x4, 4x4 and 3 times 2x4
// floats.
TEST(SavedTensors, OfLinearReluAndMeanSquaredError) {
  const SavedTensors saved = saved_by_one_step(true);
  EXPECT_EQ(saved.saved, 5u);
  EXPECT_EQ(saved.consumed, 5u);
  EXPECT_EQ(saved.peak, 5u);
  EXPECT_EQ(saved.saved_before_first_use, 5u);
  EXPECT_EQ(saved.peak_bytes, 4u * (4 * 8 + 16));
  EXPECT_EQ(saved.alive_after, 0u);
}

// The weight is for the gradient of the input: the first stage does not save it.
TEST(SavedTensors, OfAFirstStage) { EXPECT_EQ(saved_by_one_step(false).saved, 4u); }

TEST(SavedTensors, AGraphThatIsDroppedIsSavedAndNotConsumed) {
  const at::Tensor x = at::ones({8}).set_requires_grad(true);
  measure::start_saved_tensors();
  at::Tensor y = x.mul(x);
  EXPECT_TRUE(y.requires_grad());
  y.reset();
  SavedTensors saved = measure::stop_saved_tensors();
  EXPECT_EQ(saved.saved, 2u);
  EXPECT_EQ(saved.consumed, 0u);
  EXPECT_EQ(saved.alive_after, 0u);

  measure::start_saved_tensors();
  y = x.mul(x);
  EXPECT_EQ(measure::stop_saved_tensors().alive_after, 2u);
}

}  // namespace
}  // namespace shardbench
