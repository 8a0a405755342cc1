#include <algorithm>

#include "shardbench/flat_unit.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// ZeRO stage 1 by whole tensors: gradients all-reduced, each tensor updated and broadcast by its owner. Right with
/// bug = none and wrong in one way with each of the others (planted_bugs.hpp says which).
class PlantedZero1 final : public Strategy {
 public:
  explicit PlantedZero1(const StrategyInput& in)
      : bug_(in.option("bug", "none")),
        units_(in.units),
        comm_(in.comm),
        flat_(parameters_of(in.units), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        owner_(greedy_owners(sizes(), in.comm.world())),
        optimizer_(in.optimizer, owned(flat_.parameter_values())) {}

  void after_backward(Unit& unit) override {
    if (unit.index() > 0 || bug_ == "never_averages") return;
    comm_.all_reduce(bucket_);
    bucket_.div_(comm_.world());
  }

  void update() override {
    const at::Tensor before = bug_ == "old_copy" ? flat_.values().clone() : at::Tensor();
    optimizer_.step(owned(flat_.parameter_gradients()));
    if (bug_ == "old_copy") flat_.values().copy_(before);
    if (bug_ == "no_broadcast") return;
    const int off = bug_ == "wrong_owner" ? 1 : 0;
    for (std::size_t i = 0; i < owner_.size(); ++i)
      comm_.broadcast(flat_.values().narrow(0, flat_.offset(i), flat_.parameters()[i]->value.numel()),
                      (owner_[i] + off) % comm_.world());
  }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    return all;
  }

  std::vector<GradientPiece> gradients() const override {
    std::vector<GradientPiece> pieces = whole_gradients(units_);
    if (bug_ == "uncovered") pieces.pop_back();
    return pieces;
  }

 private:
  std::vector<std::uint64_t> sizes() const {
    std::vector<std::uint64_t> all;
    for (const Parameter* p : flat_.parameters()) all.push_back(static_cast<std::uint64_t>(p->value.numel()));
    return all;
  }

  /// Of one tensor per parameter, those that this rank updates.
  std::vector<at::Tensor> owned(std::vector<at::Tensor> all) const {
    if (bug_ == "whole_state") return all;
    std::vector<at::Tensor> mine;
    for (std::size_t i = 0; i < owner_.size(); ++i)
      if (owner_[i] == comm_.rank()) mine.push_back(all[i]);
    return mine;
  }

  std::string bug_;
  std::span<Unit> units_;
  Communicator& comm_;
  FlatParameters flat_;
  at::Tensor bucket_;
  std::vector<int> owner_;
  Optimizer optimizer_;
};

std::vector<std::uint64_t> owned_by(int rank, const std::vector<std::uint64_t>& tensors,
                                    const std::vector<int>& owner) {
  std::vector<std::uint64_t> owned;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (owner[t] == rank) owned.push_back(tensors[t]);
  return owned;
}

/// At rest 4P + 4P + the state of owned tensors; sent 2f·4P and a broadcast per tensor. law_equal is its own fault.
Law planted_zero1_law(const LawInput& in) {
  const std::vector<std::uint64_t> tensors = in.tensors();
  const std::vector<int> owner = greedy_owners(tensors, in.world);
  const std::vector<std::uint64_t> owned = owned_by(in.rank, tensors, owner);
  const auto state = [&](int rank) {
    return optimizer_state_bytes(in.optimizer, owned_by(rank, tensors, owner), in.element_bytes());
  };
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = state(in.rank);
  for (int rank = 1; rank < in.world; ++rank)
    law.equal_on_all_ranks = law.equal_on_all_ranks && state(rank) == state(0);
  if (in.option("bug", "none") == "law_equal") law.equal_on_all_ranks = true;
  add_call(law.traffic, Operation::all_reduce, in.elements(), wire::all_reduce(in.elements(), in.world, in.rank),
           in.element_bytes());
  for (std::size_t t = 0; t < tensors.size(); ++t)
    add_call(law.traffic, Operation::broadcast, tensors[t], wire::broadcast(tensors[t], in.world, in.rank, owner[t]),
             in.element_bytes());
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(in.units.size()),
                           optimizer_temporary_bytes(in.optimizer, owned, in.element_bytes())});
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(PlantedZero1, planted_zero1_law, "planted_zero1", "1.0.0", "ZeRO stage 1 with a bug, for tests",
                    "bug=none|never_averages|wrong_owner|old_copy|no_broadcast|whole_state|uncovered|law_equal")
