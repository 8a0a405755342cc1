#include "shardbench/optimizer.hpp"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "shardbench/memory.hpp"

namespace shardbench {

namespace {

constexpr auto vector_elements = static_cast<std::int64_t>(optimizer_vector);

std::int64_t whole_vectors(const at::Tensor& t) { return t.numel() / vector_elements * vector_elements; }

/// The whole vectors of a flat tensor.
at::Tensor body(const at::Tensor& flat) {
  const std::int64_t n = whole_vectors(flat);
  return n == flat.numel() ? flat : flat.narrow(0, 0, n);
}

at::Tensor remainder(const at::Tensor& flat) {
  const std::int64_t n = whole_vectors(flat);
  return flat.narrow(0, n, flat.numel() - n);
}

}  // namespace

Optimizer::Optimizer(const OptimizerSpec& spec, std::vector<at::Tensor> parameters)
    : spec_(spec), parameters_(std::move(parameters)) {
  const RoleScope scope(Role::optimizer);
  for (at::Tensor& p : parameters_) {
    p = p.detach().view({-1});
    if (spec_.kind != OptimizerKind::sgd) averages_.push_back(at::zeros_like(p));
    if (spec_.kind != OptimizerKind::adamw) continue;
    squares_.push_back(at::zeros_like(p));
    steps_.push_back(at::zeros({}, at::kFloat));
  }
}

void Optimizer::step(const std::vector<at::Tensor>& gradients) {
  const bool first = std::exchange(first_, false);
  if (!steps_.empty()) at::_foreach_add_(steps_, 1);
  Operands whole;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (whole_vectors(parameters_[i]) == 0) continue;
    whole.values.push_back(body(parameters_[i]));
    whole.gradients.push_back(body(gradients[i].view({-1})));
    if (!averages_.empty()) whole.averages.push_back(body(averages_[i]));
    if (!squares_.empty()) whole.squares.push_back(body(squares_[i]));
    if (!steps_.empty()) whole.steps.push_back(steps_[i]);
  }
  run(whole, first);
  update_remainders(gradients, first);
}

void Optimizer::run(Operands& o, bool first) const {
  if (o.values.empty()) return;
  if (spec_.kind == OptimizerKind::adamw) {
    at::_fused_adamw_(o.values, o.gradients, o.averages, o.squares, {}, o.steps, spec_.learning_rate, spec_.beta1,
                      spec_.beta2, spec_.weight_decay, spec_.epsilon, /*amsgrad=*/false, /*maximize=*/false);
  } else {
    at::_fused_sgd_(o.values, o.gradients, o.averages, /*weight_decay=*/0,
                    spec_.kind == OptimizerKind::momentum ? spec_.momentum : 0, spec_.learning_rate, /*dampening=*/0,
                    /*nesterov=*/false, /*maximize=*/false, /*is_first_step=*/first);
  }
}

void Optimizer::update_remainders(const std::vector<at::Tensor>& gradients, bool first) const {
  Operands vectors;
  std::vector<std::pair<at::Tensor, at::Tensor>> results;  // the remainder, the vector that holds it
  const auto in_vector = [&](const at::Tensor& flat, bool changes) {
    const at::Tensor part = remainder(flat), vector = at::zeros({vector_elements});
    vector.narrow(0, 0, part.numel()).copy_(part);
    if (changes) results.emplace_back(part, vector);
    return vector;
  };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (whole_vectors(parameters_[i]) == parameters_[i].numel()) continue;
    vectors.values.push_back(in_vector(parameters_[i], true));
    vectors.gradients.push_back(in_vector(gradients[i].view({-1}), false));
    if (!averages_.empty()) vectors.averages.push_back(in_vector(averages_[i], true));
    if (!squares_.empty()) vectors.squares.push_back(in_vector(squares_[i], true));
    if (!steps_.empty()) vectors.steps.push_back(steps_[i]);
  }
  run(vectors, first);
  for (auto& [part, vector] : results) part.copy_(vector.narrow(0, 0, part.numel()));
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
