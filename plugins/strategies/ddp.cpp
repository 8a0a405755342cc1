#include "shardbench/flat_unit.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Distributed data parallel: every rank keeps everything and gradients are averaged by one all-reduce of a flat bucket
/// that the parameters' gradients are views of (Li et al., "PyTorch Distributed", VLDB 2020, section 3.2, with
/// gradient_as_bucket_view and one bucket).
class Ddp final : public Strategy {
 public:
  explicit Ddp(const StrategyInput& in)
      : units_(in.units),
        comm_(in.comm),
        flat_(parameters_of(in.units), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        optimizer_(in.optimizer, flat_.parameter_values()) {}

  void after_backward(Unit& unit) override {
    if (unit.index() > 0) return;  // unit 0 comes last: the bucket is full
    comm_.all_reduce(bucket_);
    bucket_.div_(comm_.world());
  }

  void update() override { optimizer_.step(flat_.parameter_gradients()); }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    return all;
  }

  std::vector<GradientPiece> gradients() const override { return whole_gradients(units_); }

 private:
  std::span<Unit> units_;
  Communicator& comm_;
  FlatParameters flat_;
  at::Tensor bucket_;
  Optimizer optimizer_;
};

/// At rest 4P + 4P + optimizer; sent 2f·4P by one all-reduce. Nothing comes or goes inside a step but activations.
Law ddp_law(const LawInput& in) {
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

SHARDBENCH_STRATEGY(Ddp, ddp_law, "ddp", "1.0.0", "Whole copies everywhere, gradients averaged by one all-reduce", "")
