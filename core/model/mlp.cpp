#include "model/mlp.hpp"

#include <algorithm>
#include <cmath>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/relu.h>

#include "law/scalars.hpp"
#include "shardbench/error.hpp"
#include "shardbench/memory.hpp"

namespace shardbench {
namespace {

std::string weight_name(int layer) { return "layer" + std::to_string(layer) + ".weight"; }
std::string bias_name(int layer) { return "layer" + std::to_string(layer) + ".bias"; }

/// Linear(in, out), then the activation where there is one (torch.nn.Linear, torch.relu).
class LinearLayer final : public Layer {
 public:
  struct Input {
    int index;
    std::int64_t in, out;
    bool bias;
    Activation activation;
    std::uint64_t seed;
  };

  explicit LinearLayer(const Input& input) : in_(input.in), out_(input.out), activation_(input.activation) {
    const RoleScope scope(Role::weights);
    auto generator = at::detail::createCPUGenerator(input.seed * 1'000'003 + static_cast<std::uint64_t>(input.index));
    const double bound = 1.0 / std::sqrt(static_cast<double>(in_));
    add(weight_name(input.index), at::empty({out_, in_}).uniform_(-bound, bound, generator));
    if (input.bias) add(bias_name(input.index), at::empty({out_}).uniform_(-bound, bound, generator));
  }

  at::Tensor forward(const at::Tensor& x) const override {
    const at::Tensor bias = parameters_.size() > 1 ? parameters_[1].value : at::Tensor();
    at::Tensor y = at::linear(x, parameters_[0].value, bias);
    return activation_ == Activation::relu ? at::relu(y) : y;
  }

  LayerShape shape(std::int64_t rows, bool input_needs_gradient) const override {
    const auto bytes = [](std::int64_t elements) { return static_cast<std::uint64_t>(elements) * 4; };
    const bool relu = activation_ == Activation::relu;
    LayerShape s;
    s.name = "linear" + std::string(relu ? "+relu" : "");
    for (const Parameter& p : parameters_) {
      s.parameters.push_back(static_cast<std::uint64_t>(p.value.numel()));
      s.rows.push_back(static_cast<std::uint64_t>(p.value.size(0)));
    }
    s.input_bytes = bytes(rows * in_);
    s.output_bytes = bytes(rows * out_);
    s.saves_output = relu;
    s.forward_temporary_bytes = relu ? s.output_bytes : 0;  // the output before the activation
    const std::uint64_t weight = bytes(in_ * out_), all = s.elements() * 4;
    const std::uint64_t input_gradient = input_needs_gradient ? s.input_bytes : 0;
    // With relu: first the gradient before the activation beside the output that it needs, then, in the output's place,
    // the other gradients. Without: a gradient that is one number seen as many is written out for each matrix product,
    // the last of which is that of the weight, before the bias's sum.
    s.backward_bytes = relu ? std::max(s.output_bytes, input_gradient + all) : input_gradient + all;
    s.backward_bytes_expanded =
        relu ? s.backward_bytes : std::max(s.backward_bytes, input_gradient + weight + s.output_bytes);
    // Saved: the input (for the weight's gradient), the weight (for the input's), the result of relu.
    s.saves = 1 + (input_needs_gradient ? 1 : 0) + (relu ? 1 : 0);
    s.saves_bytes = s.input_bytes + (input_needs_gradient ? bytes(in_ * out_) : 0) + (relu ? s.output_bytes : 0);
    return s;
  }

 private:
  void add(std::string name, at::Tensor value) {
    value.requires_grad_(true);
    parameters_.push_back({std::move(name), std::move(value), {}});
  }

  std::int64_t in_, out_;
  Activation activation_;
};

}  // namespace

std::vector<std::unique_ptr<Layer>> make_layers(const ModelSpec& model, std::uint64_t seed, int first, int count) {
  std::vector<std::unique_ptr<Layer>> layers;
  for (int l = first; l < first + count; ++l) {
    const auto i = static_cast<std::size_t>(l);
    layers.push_back(std::make_unique<LinearLayer>(
        LinearLayer::Input{l, model.widths.at(i), model.widths.at(i + 1), model.bias, model.activation, seed}));
  }
  return layers;
}

std::int64_t ParameterLayout::offset_of(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error("the model has no parameter '" + name + "'");
  return offsets[static_cast<std::size_t>(found - names.begin())];
}

ParameterLayout parameter_layout(const ModelSpec& model) {
  ParameterLayout layout;
  const auto add = [&](std::string name, std::int64_t elements) {
    layout.names.push_back(std::move(name));
    layout.offsets.push_back(layout.offsets.back() + elements);
  };
  for (int l = 0; l < model.layers(); ++l) {
    const auto i = static_cast<std::size_t>(l);
    add(weight_name(l), model.widths[i] * model.widths[i + 1]);
    if (model.bias) add(bias_name(l), model.widths[i + 1]);
  }
  return layout;
}

at::Tensor loss_of(const ModelSpec& model, const at::Tensor& output, const at::Tensor& target) {
  return model.loss == Loss::sum ? output.sum() : at::mse_loss(output, target);
}

int loss_divisor(Loss loss, int parts) { return loss == Loss::sum ? 1 : parts; }

LossShape loss_shape(const ModelSpec& model, std::int64_t rows) {
  if (model.loss == Loss::sum) return {0, 0, scalar, false, 2 * scalar};
  const auto bytes = static_cast<std::uint64_t>(rows * model.widths.back()) * 4;
  return {2, 2 * bytes, bytes, true, 2 * bytes + divisor};
}

}  // namespace shardbench
