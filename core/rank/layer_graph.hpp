#pragma once
#include <cstddef>
#include <vector>

#include <ATen/core/TensorBody.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>

#include "model/mlp.hpp"
#include "shardbench/model.hpp"

namespace shardbench {

/// The autograd graph of one layer (or of the loss), from its forward to the end of its backward. Input and output are
/// cut off from their neighbours, so the graph is this layer's alone, and it keeps no tensor that autograd has not
/// saved. Its backward runs whole (`backward`), or in two parts: `backward_input`, and later `backward_weight`.
class LayerGraph {
 public:
  /// Runs the layer. `output` is the result, detached.
  static LayerGraph forward(Layer& layer, const at::Tensor& input, bool input_needs_gradient, at::Tensor& output);
  /// Runs the loss; `value` is the result, detached.
  static LayerGraph loss(const ModelSpec& model, const at::Tensor& output, const at::Tensor& target, at::Tensor& value);

  /// Gradients of the input (undefined if it needs none) and of the parameters, given that of the output. The graph is
  /// gone afterwards. `output_gradient` is released as soon as it can be.
  struct Gradients {
    at::Tensor input;
    std::vector<at::Tensor> parameters;
  };
  Gradients backward(at::Tensor output_gradient) &&;

  /// The gradient of the input alone (undefined if it needs none). Of the graph remains what `backward_weight` needs:
  /// the nodes at which the parameters leave the way from output to input, with the gradients that arrived there. So
  /// that way is walked once, as in a whole backward, and what only it needed is released (the zero-bubble split: Qi et
  /// al., ICLR 2024, section 2). A layer whose input needs no gradient does nothing and keeps its whole graph.
  /// Throws `Error` where a parameter is used at two places of that way.
  at::Tensor backward_input(at::Tensor output_gradient);
  /// The gradients of the parameters, after `backward_input`; the same bits as those of `backward`. The graph is gone
  /// afterwards.
  std::vector<at::Tensor> backward_weight() &&;

 private:
  /// A node where parameters leave the way to the input.
  struct Branch {
    std::vector<torch::autograd::Edge> inputs;  ///< of the node: where gradients arrive
    std::vector<at::Tensor> gradients;          ///< that arrived, one for each input
    std::vector<std::size_t> parameters;        ///< reached from it, besides the way to the input
  };
  std::vector<Branch> branches() const;

  torch::autograd::Edge root_;
  std::vector<torch::autograd::Edge> parameters_;
  torch::autograd::Edge input_;     ///< invalid where the input needs no gradient
  std::vector<Branch> unfinished_;  ///< between backward_input and backward_weight
};

}  // namespace shardbench
