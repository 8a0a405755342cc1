#include <cmath>

#include <ATen/ops/fill.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/nextafter.h>

#include "shardbench/flat_unit.hpp"
#include "shardbench/memory.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Distributed data parallel with one bucket, right with bug = none and wrong in one way with each of the others
/// (planted_bugs.hpp says which).
class PlantedDdp final : public Strategy {
 public:
  explicit PlantedDdp(const StrategyInput& in)
      : bug_(in.option("bug", "none")),
        units_(in.units),
        comm_(in.comm),
        flat_(parameters_of(in.units), /*padding=*/0),
        bucket_(flat_.make_gradients().zero_()),
        optimizer_(optimizer_spec(in), flat_.parameter_values()) {
    if (bug_ == "hides_buffer") kept_.push_back(bucket_.clone());
  }

  void after_backward(Unit& unit) override {
    if (unit.index() > 0) return;
    if (bug_ == "rank_0_rows" && comm_.rank() != 0) bucket_.zero_();
    reduce();
    if (bug_ != "not_divided" && bug_ != "rank_0_rows") bucket_.div_(divisor());
    if (bug_ == "averages_twice") bucket_.div_(comm_.world());
    if (bug_ == "not_finite" && last_rank() && updates_ == 1) flat_.parameters().front()->gradient.fill_(NAN);
    if (bug_ == "one_layer") flat_.parameters().back()->gradient.mul_(comm_.world());
  }

  void update() override {
    ++updates_;
    if (bug_ == "skips_update" && last_rank() && updates_ == 2) return;
    optimizer_.step(flat_.parameter_gradients());
    if (bug_ == "ulp_drift" && last_rank()) add_one_ulp();
    if (bug_ == "step_stuck" && last_rank())
      for (const Holding& h : optimizer_.state())
        if (h.name == "step") h.tensor.sub_(1);
    if (bug_ == "leaks") kept_.push_back(bucket_.clone());
  }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    all.push_back({Role::weights, "parameters", flat_.values()});
    all.push_back({Role::gradients, "bucket", bucket_});
    return all;
  }

  std::vector<GradientPiece> gradients() const override { return whole_gradients(units_); }

 private:
  static OptimizerSpec optimizer_spec(const StrategyInput& in) {
    OptimizerSpec spec = in.optimizer;
    const std::string bug = in.option("bug", "none");
    if (bug == "no_momentum") spec.momentum = 1e-30;  // ATen has no buffer for 0
    if (bug == "epsilon") spec.epsilon *= 100;
    if (bug == "learning_rate") spec.learning_rate *= 1.001;
    return spec;
  }

  bool last_rank() const { return comm_.rank() == comm_.world() - 1; }

  int divisor() const {
    if (bug_ == "wrong_world") return comm_.world() + 1;
    return bug_ == "divides_by_two" ? 2 : comm_.world();
  }

  void reduce() {
    if (bug_ == "two_buckets") {
      const std::int64_t half = bucket_.numel() / 2;
      comm_.all_reduce(bucket_.narrow(0, 0, half));
      comm_.all_reduce(bucket_.narrow(0, half, bucket_.numel() - half));
      return;
    }
    if (bug_ == "sends_twice") comm_.all_reduce(bucket_.clone());
    comm_.all_reduce(bucket_);
  }

  void add_one_ulp() {
    const at::Tensor first = flat_.values().narrow(0, 0, 1);
    first.copy_(at::nextafter(first, at::full_like(first, 1e30)));
  }

  std::string bug_;
  std::span<Unit> units_;
  Communicator& comm_;
  FlatParameters flat_;
  at::Tensor bucket_;
  Optimizer optimizer_;
  std::vector<at::Tensor> kept_;
  int updates_ = 0;
};

/// The law of DDP; law_half, law_peak and law_lucky are its own faults.
Law planted_ddp_law(const LawInput& in) {
  const std::string bug = in.option("bug", "none");
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, in.tensors(), in.element_bytes());
  add_call(law.traffic, Operation::all_reduce, in.elements(), wire::all_reduce(in.elements(), in.world, in.rank),
           in.element_bytes());
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(in.units.size()),
                           optimizer_temporary_bytes(in.optimizer, in.tensors(), in.element_bytes())});
  if (bug == "law_half") law.optimizer /= 2;
  if (bug == "law_peak") law.peak *= 2;
  if (bug == "law_lucky") law.traffic[Operation::all_reduce].sent_bytes = in.elements() * in.element_bytes();
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(PlantedDdp, planted_ddp_law, "planted_ddp", "1.0.0", "DDP with a bug, for tests",
                    "bug=none|averages_twice|not_divided|wrong_world|divides_by_two|rank_0_rows|one_layer|sends_twice|"
                    "two_buckets|skips_update|epsilon|learning_rate|not_finite|ulp_drift|step_stuck|no_momentum|leaks|"
                    "hides_buffer|law_half|law_peak|"
                    "law_lucky")
