#include "rank/stage.hpp"

#include <string>
#include <utility>

#include <ATen/ops/ones.h>

#include "law/stages.hpp"
#include "model/mlp.hpp"
#include "shardbench/error.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

/// Adds one microbatch's gradient, or keeps it as the sum where it is the first.
void accumulate(Parameter& p, at::Tensor gradient) {
  if (p.gradient.defined()) {
    p.gradient.add_(gradient);
  } else {
    p.gradient = gradient.contiguous();
    tag(p.gradient, Role::gradients);
  }
}

void accumulate(Layer& layer, std::vector<at::Tensor> gradients) {
  for (std::size_t i = 0; i < gradients.size(); ++i) accumulate(layer.parameters()[i], std::move(gradients[i]));
}

}  // namespace

Stage::Stage(const Input& in)
    : spec_(in.spec), index_(in.index), stages_(in.stages), microbatches_(static_cast<std::size_t>(in.spec.horizon)) {
  const StageLayers part = stage_layers(spec_.model.layers(), stages_, index_);
  layers_ = make_layers(spec_.model, spec_.seed, part.first, part.count);
}

Stage::Microbatch& Stage::require(int microbatch, State state, const char* action, const char* needs) {
  Microbatch& m = microbatches_.at(static_cast<std::size_t>(microbatch));
  if (m.state == state) return m;
  const std::string name = std::to_string(index_) + action + std::to_string(microbatch);
  throw Error(name + " cannot run: its " + needs, "the plan of the rank that has stage " + std::to_string(index_),
              "each microbatch needs F, then B, or I and then W, once");
}

at::Tensor Stage::forward(int microbatch, at::Tensor input) {
  Microbatch& m = require(microbatch, State::none, "F", "F has run and its backward has not");
  const RoleScope scope(Role::activations);
  at::Tensor h = std::move(input);
  bool needs_gradient = index_ > 0;
  m.graphs.reserve(layers_.size() + (is_last() ? 1 : 0));
  for (const auto& layer : layers_) {
    m.graphs.push_back(LayerGraph::forward(*layer, h, needs_gradient, h));
    needs_gradient = true;
  }
  m.state = State::forward_done;
  return h;
}

double Stage::loss(int microbatch, const at::Tensor& output, const at::Tensor& target) {
  const RoleScope scope(Role::activations);
  at::Tensor value;
  microbatches_.at(static_cast<std::size_t>(microbatch))
      .graphs.push_back(LayerGraph::loss(spec_.model, output, target, value));
  return value.item<double>();
}

at::Tensor Stage::start_backward(Microbatch& m, at::Tensor output_gradient) const {
  if (!is_last()) return output_gradient;
  const RoleScope scope(Role::activations);
  LayerGraph loss = std::move(m.graphs.back());
  m.graphs.pop_back();
  return std::move(loss).backward(at::ones({})).input;
}

at::Tensor Stage::backward(int microbatch, at::Tensor output_gradient) {
  Microbatch& m = require(microbatch, State::forward_done, "B", "F has not run, or its backward has");
  at::Tensor gradient = start_backward(m, std::move(output_gradient));
  for (std::size_t l = layers_.size(); l-- > 0;) {
    LayerGraph::Gradients gradients = std::move(m.graphs.back()).backward(std::move(gradient));
    m.graphs.pop_back();
    accumulate(*layers_[l], std::move(gradients.parameters));
    gradient = std::move(gradients.input);
    tag(gradient, Role::activations);
  }
  m.state = State::none;
  return gradient;
}

at::Tensor Stage::backward_input(int microbatch, at::Tensor output_gradient) {
  Microbatch& m = require(microbatch, State::forward_done, "I", "F has not run, or its backward has");
  at::Tensor gradient = start_backward(m, std::move(output_gradient));
  for (std::size_t l = layers_.size(); l-- > 0;) {
    gradient = m.graphs[l].backward_input(std::move(gradient));
    tag(gradient, Role::activations);
  }
  m.state = State::input_done;
  return gradient;
}

void Stage::backward_weight(int microbatch) {
  Microbatch& m = require(microbatch, State::input_done, "W", "I has not run, or its W has");
  for (std::size_t l = layers_.size(); l-- > 0;) {
    std::vector<at::Tensor> gradients = std::move(m.graphs.back()).backward_weight();
    m.graphs.pop_back();
    accumulate(*layers_[l], std::move(gradients));
  }
  m.state = State::none;
}

}  // namespace shardbench
