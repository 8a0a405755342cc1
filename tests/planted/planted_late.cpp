#include <algorithm>
#include <cmath>
#include <vector>

#include <ATen/ops/zeros.h>

#include "shardbench/flat_unit.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Distributed data parallel with one bucket, right with bug = none. The others (planted_bugs.hpp) go wrong after the
/// audit, where no instrument is on, or keep memory that ATen does not know of.
class PlantedLate final : public Strategy {
 public:
  explicit PlantedLate(const StrategyInput& in)
      : bug_(in.option("bug", "none")),
        units_(in.units),
        comm_(in.comm),
        flat_(parameters_of(in.units), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        optimizer_(in.optimizer, flat_.parameter_values()) {}

  void begin_step() override {
    ++steps_;
    if (bug_ == "hides_vector") copy_parameters();
    if (bug_ == "grows_heap") vectors_.emplace_back(100'000, 1.0F);
    if (bug_ == "leaks" && late()) tensors_.push_back(at::zeros({1 << 20}));
  }

  void after_backward(Unit& unit) override {
    if (unit.index() > 0 || (bug_ == "stops_reducing" && late())) return;
    comm_.all_reduce(bucket_);
    bucket_.div_(comm_.world());
  }

  void update() override {
    const bool last_rank = comm_.rank() == comm_.world() - 1;
    if (bug_ == "stops_updating" && last_rank && late()) return;
    optimizer_.step(flat_.parameter_gradients());
    if (bug_ == "old_values" && late())
      std::copy(vectors_[0].begin(), vectors_[0].end(), flat_.values().mutable_data_ptr<float>());
    if (bug_ == "old_values" && !late()) copy_parameters();
    if (bug_ == "drifts" && late()) flat_.values().mul_(1 + 1e-5);
    if (bug_ == "not_finite" && late()) flat_.values().narrow(0, 7, 1).fill_(NAN);
  }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    return all;
  }

  std::vector<GradientPiece> gradients() const override { return whole_gradients(units_); }

 private:
  /// After the audit: the planted suites have two checked steps.
  bool late() const { return steps_ > 3; }

  void copy_parameters() {
    const auto* values = flat_.values().const_data_ptr<float>();
    vectors_.assign(1, std::vector<float>(values, values + flat_.values().numel()));
  }

  std::string bug_;
  std::span<Unit> units_;
  Communicator& comm_;
  FlatParameters flat_;
  at::Tensor bucket_;
  Optimizer optimizer_;
  std::vector<at::Tensor> tensors_;
  std::vector<std::vector<float>> vectors_;
  int steps_ = 0;
};

/// The law of DDP.
Law planted_late_law(const LawInput& in) {
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, in.tensors(), in.element_bytes());
  add_call(law.traffic, Operation::all_reduce, in.elements(), wire::all_reduce(in.elements(), in.world, in.rank),
           in.element_bytes());
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(in.units.size()),
                           optimizer_temporary_bytes(in.optimizer, in.tensors(), in.element_bytes())});
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(PlantedLate, planted_late_law, "planted_late", "1.0.0",
                    "DDP with a bug beside the audit, for tests",
                    "bug=none|stops_reducing|stops_updating|leaks|hides_vector|grows_heap|old_values|drifts|not_finite")
