#include "rank/layer_graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/variable.h>

#include "shardbench/error.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

using torch::autograd::Edge;
using torch::autograd::Node;
using torch::autograd::impl::gradient_edge;

enum class KeepGraph { yes, no };

/// The gradients at `ends`, given those at `starts`.
std::vector<at::Tensor> run(const std::vector<Edge>& starts, const std::vector<at::Tensor>& gradients,
                            const std::vector<Edge>& ends, KeepGraph keep) {
  return torch::autograd::Engine::get_default_engine().execute(starts, gradients, keep == KeepGraph::yes,
                                                               /*create_graph=*/false, /*accumulate_grad=*/false, ends);
}

/// What is reached from each node of a small graph.
class Reach {
 public:
  struct Below {
    bool input = false;
    std::vector<std::size_t> parameters;
  };

  Reach(const Edge& input, const std::vector<Edge>& parameters) {
    if (input.is_valid()) below_[input.function.get()].input = true;
    for (std::size_t p = 0; p < parameters.size(); ++p) below_[parameters[p].function.get()].parameters.push_back(p);
  }
  const Below& below(const Node* node) {
    if (const auto known = below_.find(node); known != below_.end()) return known->second;
    Below all;
    for (const Edge& next : node->next_edges()) {
      if (!next.is_valid()) continue;
      const Below& one = below(next.function.get());
      all.input = all.input || one.input;
      all.parameters.insert(all.parameters.end(), one.parameters.begin(), one.parameters.end());
    }
    return below_[node] = std::move(all);
  }

 private:
  std::map<const Node*, Below> below_;
};

}  // namespace

LayerGraph LayerGraph::forward(Layer& layer, const at::Tensor& input, bool input_needs_gradient, at::Tensor& output) {
  const c10::AutoGradMode record(true);
  LayerGraph graph;
  const at::Tensor cut = input_needs_gradient ? input.detach().requires_grad_(true) : input;
  const at::Tensor result = layer.forward(cut);
  graph.root_ = gradient_edge(result);
  graph.parameters_.reserve(layer.parameters().size());
  for (const Parameter& p : layer.parameters()) graph.parameters_.push_back(gradient_edge(p.value));
  if (input_needs_gradient) graph.input_ = gradient_edge(cut);
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
  graph.input_ = gradient_edge(cut);
  value = result.detach().clone();  // mse_loss leaves its one number in a storage as large as its input
  return graph;
}

LayerGraph::Gradients LayerGraph::backward(at::Tensor output_gradient) && {
  std::vector<Edge> ends = std::move(parameters_);
  const bool input = input_.is_valid();
  if (input) ends.push_back(std::move(input_));
  Gradients result;
  {
    std::vector<at::Tensor> starts;
    starts.push_back(std::move(output_gradient));
    result.parameters = run({std::exchange(root_, {})}, starts, ends, KeepGraph::no);
  }
  if (input) {
    result.input = std::move(result.parameters.back());
    result.parameters.pop_back();
  }
  return result;
}

std::vector<LayerGraph::Branch> LayerGraph::branches() const {
  Reach reach(input_, parameters_);
  std::vector<Branch> found;
  std::vector<char> reached(parameters_.size(), 0);
  std::vector<Edge> way{root_};  // the nodes from output to input, each once
  for (std::size_t i = 0; i < way.size(); ++i) {
    Branch branch;
    for (const Edge& next : way[i].function->next_edges()) {
      if (!next.is_valid() || next.function == input_.function) continue;
      const Reach::Below& below = reach.below(next.function.get());
      if (!below.input) {
        branch.parameters.insert(branch.parameters.end(), below.parameters.begin(), below.parameters.end());
      } else if (std::none_of(way.begin(), way.end(), [&](const Edge& e) { return e.function == next.function; })) {
        way.push_back(next);
      }
    }
    if (branch.parameters.empty()) continue;
    for (const std::size_t p : branch.parameters)
      if (std::exchange(reached[p], 1) != 0)
        throw Error("parameter " + std::to_string(p) +
                        " of a layer is used at two places between its input and its output, so its gradient cannot be "
                        "computed apart from the input's",
                    "the model", "use a schedule without W, or make two layers of it");
    for (std::uint32_t n = 0; n < way[i].function->num_inputs(); ++n) branch.inputs.emplace_back(way[i].function, n);
    found.push_back(std::move(branch));
  }
  return found;
}

at::Tensor LayerGraph::backward_input(at::Tensor output_gradient) {
  if (!input_.is_valid()) {
    Branch& whole = unfinished_.emplace_back();
    whole.inputs.push_back(std::exchange(root_, {}));
    whole.gradients.push_back(std::move(output_gradient));
    for (std::size_t p = 0; p < parameters_.size(); ++p) whole.parameters.push_back(p);
    return {};
  }
  unfinished_ = branches();
  std::vector<Edge> ends{std::exchange(input_, {})};
  for (const Branch& branch : unfinished_) ends.insert(ends.end(), branch.inputs.begin(), branch.inputs.end());
  std::vector<at::Tensor> gradients;
  {
    std::vector<at::Tensor> starts;
    starts.push_back(std::move(output_gradient));
    gradients = run({root_}, starts, ends, KeepGraph::yes);
  }
  root_ = {};
  std::size_t next = 1;
  for (Branch& branch : unfinished_)
    for (std::size_t n = 0; n < branch.inputs.size(); ++n) {
      tag(gradients[next], Role::activations);
      branch.gradients.push_back(std::move(gradients[next++]));
    }
  return std::move(gradients.front());
}

std::vector<at::Tensor> LayerGraph::backward_weight() && {
  std::vector<at::Tensor> all(parameters_.size());
  for (Branch& branch : unfinished_) {
    std::vector<Edge> ends;
    for (const std::size_t p : branch.parameters) ends.push_back(parameters_[p]);
    const std::vector<at::Tensor> gradients = std::move(branch.gradients);
    std::vector<at::Tensor> found = run(branch.inputs, gradients, ends, KeepGraph::no);
    for (std::size_t i = 0; i < found.size(); ++i) all[branch.parameters[i]] = std::move(found[i]);
    branch = {};
  }
  return all;
}

}  // namespace shardbench
