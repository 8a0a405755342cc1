#pragma once
#include <string>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "shardbench/optimizer_spec.hpp"
#include "shardbench/strategy.hpp"

namespace shardbench {

/// AdamW, SGD or SGD with momentum over a list of contiguous tensors (whole parameters or shards), by ATen's fused
/// kernels: element by element the same instructions however the tensors are cut (`optimizer_vector`), so a sharded
/// update has the bits of a whole one.
///
///     Optimizer optimizer(spec, {shard});
///     optimizer.step({gradient});
class Optimizer {
 public:
  /// Allocates the state: exp_avg, exp_avg_sq and `step` (float32 scalar) per tensor (torch.optim.AdamW),
  /// momentum_buffer (torch.optim.SGD with momentum), nothing (SGD).
  Optimizer(const OptimizerSpec& spec, std::vector<at::Tensor> parameters);

  /// One update with the gradients in the order of the parameters.
  void step(const std::vector<at::Tensor>& gradients);

  /// The state, as holdings of role optimizer.
  Holdings state() const;

 private:
  /// One position each of values, state and step count.
  struct Operands {
    std::vector<at::Tensor> values, gradients, averages, squares, steps;
  };
  void run(Operands& operands, bool first) const;
  void update_remainders(const std::vector<at::Tensor>& gradients, bool first) const;

  OptimizerSpec spec_;
  std::vector<at::Tensor> parameters_;  ///< flat views
  std::vector<at::Tensor> steps_, averages_, squares_;
  bool first_ = true;
};

}  // namespace shardbench
