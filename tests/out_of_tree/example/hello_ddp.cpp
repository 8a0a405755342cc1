#include <ATen/ops/zeros_like.h>

#include "shardbench/flat_unit.hpp"
#include "shardbench/memory.hpp"
#include "shardbench/optimizer.hpp"
#include "shardbench/strategy.hpp"

namespace {

using namespace shardbench;

/// Data parallel as one would first write it: everything on every rank, and one all-reduce for each parameter tensor as
/// soon as its unit's backward is done.
class HelloDdp final : public Strategy {
 public:
  explicit HelloDdp(const StrategyInput& in)
      : units_(in.units), comm_(in.comm), parameters_(parameters_of(in.units)), optimizer_(in.optimizer, values()) {
    const RoleScope scope(Role::gradients);
    for (Parameter* p : parameters_) p->gradient = at::zeros_like(p->value.detach());
  }

  void after_backward(Unit& unit) override {
    for (Parameter* p : unit.parameters()) {
      comm_.all_reduce(p->gradient);
      p->gradient.div_(comm_.world());
    }
  }

  void update() override {
    std::vector<at::Tensor> gradients;
    for (const Parameter* p : parameters_) gradients.push_back(p->gradient);
    optimizer_.step(gradients);
  }

  Holdings holdings() const override {
    Holdings all = optimizer_.state();
    for (const Parameter* p : parameters_) {
      all.push_back({Role::weights, p->name, p->value});
      all.push_back({Role::gradients, p->name, p->gradient});
    }
    return all;
  }

  std::vector<GradientPiece> gradients() const override { return whole_gradients(units_); }

 private:
  std::vector<at::Tensor> values() const {
    std::vector<at::Tensor> values;
    for (const Parameter* p : parameters_) values.push_back(p->value);
    return values;
  }

  std::span<Unit> units_;
  Communicator& comm_;
  std::vector<Parameter*> parameters_;
  Optimizer optimizer_;
};

/// At rest as every data parallel strategy; sent: an all-reduce of each tensor.
Law hello_ddp_law(const LawInput& in) {
  Law law;
  law.weights = in.elements() * in.element_bytes();
  law.gradients = law.weights;
  law.optimizer = optimizer_state_bytes(in.optimizer, in.tensors(), in.element_bytes());
  for (const std::uint64_t n : in.tensors())
    add_call(law.traffic, Operation::all_reduce, n, wire::all_reduce(n, in.world, in.rank), in.element_bytes());
  law.peak = peak_of_step(in, law,
                          {law.gradients, std::vector<StepResidency::PerUnit>(in.units.size()),
                           optimizer_temporary_bytes(in.optimizer, in.tensors(), in.element_bytes())});
  return law;
}

}  // namespace

SHARDBENCH_STRATEGY(HelloDdp, hello_ddp_law, "hello_ddp", "0.1.0", "One all-reduce for each parameter tensor", "")
