#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shardbench/model.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// The layers [first, first + count) of a model with their parameters as every rank initialises them: from (seed,
/// layer) alone, so any rank can make any layer and gets the same bits. Weights and biases are uniform in +-1/sqrt(in),
/// the distribution of torch.nn.Linear.
std::vector<std::unique_ptr<Layer>> make_layers(const ModelSpec& model, std::uint64_t seed, int first, int count);

/// Where each parameter tensor lies when all are laid end to end, in model order.
struct ParameterLayout {
  std::vector<std::string> names;
  std::vector<std::int64_t> offsets = {0};  ///< in elements; one more than names: the end

  std::int64_t elements() const { return offsets.back(); }
  /// Where the parameter of that name begins. Throws `Error` where there is none.
  std::int64_t offset_of(const std::string& name) const;
};
ParameterLayout parameter_layout(const ModelSpec& model);

/// The loss of a model's output: the sum of its elements, or the mean squared error against ones.
at::Tensor loss_of(const ModelSpec& model, const at::Tensor& output, const at::Tensor& target);

/// What divides the sum of the losses of `parts` equal parts of a batch, and the sum of their gradients, so that both
/// are those of the whole batch: 1 where the loss is a sum over rows, `parts` where it is a mean.
int loss_divisor(Loss loss, int parts);

/// Saved by the loss: tensors and bytes (`mse_loss` keeps its two arguments; `sum` nothing).
struct LossShape {
  std::uint64_t saves = 0, saves_bytes = 0;
  std::uint64_t gradient_bytes = 0;  ///< storage of its gradient by the output (a sum's is one number, expanded)
  bool saves_output = false;
  /// Alive at once while it is computed, its value included. A sum and its copy; of `mse_loss` the squares, the
  /// result's storage, which is as large as they are, and the number that divides their sum.
  std::uint64_t temporary_bytes = 0;
};
LossShape loss_shape(const ModelSpec& model, std::int64_t rows);

}  // namespace shardbench
