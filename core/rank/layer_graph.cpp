#include "rank/layer_graph.hpp"

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>

namespace shardbench {

using torch::autograd::impl::gradient_edge;

LayerGraph LayerGraph::forward(Layer& layer, const at::Tensor& input, bool input_needs_gradient, at::Tensor& output) {
  const c10::AutoGradMode record(true);
  LayerGraph graph;
  const at::Tensor cut = input_needs_gradient ? input.detach().requires_grad_(true) : input;
  const at::Tensor result = layer.forward(cut);
  graph.root_ = gradient_edge(result);
  for (const Parameter& p : layer.parameters()) graph.leaves_.push_back(gradient_edge(p.value));
  if (input_needs_gradient) graph.leaves_.push_back(gradient_edge(cut));
  graph.input_needs_gradient_ = input_needs_gradient;
  output = result.detach();
  return graph;
}

LayerGraph LayerGraph::loss(const ModelSpec& model, const at::Tensor& output, const at::Tensor& target,
                            at::Tensor& value) {
  const c10::AutoGradMode record(true);
  LayerGraph graph;
  const at::Tensor cut = output.detach().requires_grad_(true);
  const at::Tensor result = loss_of(model, cut, target);
  graph.root_ = gradient_edge(result);
  graph.leaves_.push_back(gradient_edge(cut));
  graph.input_needs_gradient_ = true;
  value = result.detach().clone();  // mse_loss leaves its one number in a storage as large as its input
  return graph;
}

LayerGraph::Gradients LayerGraph::backward(at::Tensor output_gradient) && {
  std::vector<at::Tensor> inputs;
  inputs.push_back(std::move(output_gradient));
  std::vector<at::Tensor> gradients = torch::autograd::Engine::get_default_engine().execute(
      {std::move(root_)}, inputs, /*keep_graph=*/false, /*create_graph=*/false, /*accumulate_grad=*/false, leaves_);
  Gradients result;
  if (input_needs_gradient_) {
    result.input = std::move(gradients.back());
    gradients.pop_back();
  }
  result.parameters = std::move(gradients);
  leaves_.clear();
  return result;
}

}  // namespace shardbench
