#pragma once
#include <vector>

#include <ATen/core/TensorBody.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include "model/mlp.hpp"
#include "shardbench/model.hpp"

namespace shardbench {

/// The autograd graph of one layer (or of the loss), from its forward to its backward. Input and output are cut off
/// from their neighbours, so the graph is this layer's alone, and it keeps no tensor that autograd has not saved.
class LayerGraph {
 public:
  /// Runs the layer. `output` is the result, detached.
  static LayerGraph forward(Layer& layer, const at::Tensor& input, bool input_needs_gradient, at::Tensor& output);
  /// Runs the loss; `value` is the result, detached. `needs_gradient`: false where the loss is only looked at.
  static LayerGraph loss(const ModelSpec& model, const at::Tensor& output, const at::Tensor& target, at::Tensor& value);

  /// Gradients of the input (undefined if it needs none) and of the parameters, given that of the output. The graph is
  /// gone afterwards. `output_gradient` is released as soon as it can be.
  struct Gradients {
    at::Tensor input;
    std::vector<at::Tensor> parameters;
  };
  Gradients backward(at::Tensor output_gradient) &&;

 private:
  torch::autograd::Edge root_;
  std::vector<torch::autograd::Edge> leaves_;  ///< the parameters', then the input's where it needs a gradient
  bool input_needs_gradient_ = false;
};

}  // namespace shardbench
