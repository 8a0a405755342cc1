#include "shardbench/optimizer.hpp"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "shardbench/memory.hpp"

namespace shardbench {

Optimizer::Optimizer(const OptimizerSpec& spec, std::vector<at::Tensor> parameters)
    : spec_(spec), parameters_(std::move(parameters)) {
  const RoleScope scope(Role::optimizer);
  for (const at::Tensor& p : parameters_) {
    if (spec_.kind != OptimizerKind::sgd) averages_.push_back(at::zeros_like(p.detach()));
    if (spec_.kind != OptimizerKind::adamw) continue;
    squares_.push_back(at::zeros_like(p.detach()));
    steps_.push_back(at::zeros({}, at::kFloat));
  }
}

void Optimizer::step(const std::vector<at::Tensor>& gradients) {
  if (parameters_.empty()) return;
  const bool first = std::exchange(first_, false);
  if (spec_.kind == OptimizerKind::adamw) {
    at::_foreach_add_(steps_, 1);
    at::_fused_adamw_(parameters_, gradients, averages_, squares_, {}, steps_, spec_.learning_rate, spec_.beta1,
                      spec_.beta2, spec_.weight_decay, spec_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  } else {
    at::_fused_sgd_(parameters_, gradients, averages_, /*weight_decay=*/0,
                    spec_.kind == OptimizerKind::momentum ? spec_.momentum : 0, spec_.learning_rate, /*dampening=*/0,
                    /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/first);
  }
}

Holdings Optimizer::state() const {
  Holdings all;
  for (const at::Tensor& t : averages_)
    all.push_back({Role::optimizer, spec_.kind == OptimizerKind::adamw ? "exp_avg" : "momentum_buffer", t});
  for (const at::Tensor& t : squares_) all.push_back({Role::optimizer, "exp_avg_sq", t});
  for (const at::Tensor& t : steps_) all.push_back({Role::optimizer, "step", t});
  return all;
}

}  // namespace shardbench
