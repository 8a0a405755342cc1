#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "shardbench/law.hpp"

namespace shardbench {

/// One parameter tensor of a layer.
struct Parameter {
  std::string name;     ///< "layer3.weight"
  at::Tensor value;     ///< a leaf that requires a gradient
  at::Tensor gradient;  ///< where the core puts the gradient: copied into it if the strategy has placed one (a view of
                        ///< a flat buffer), else replaced by the new tensor
};

/// One layer: the smallest thing that forward and backward run.
class Layer {
 public:
  virtual ~Layer() = default;
  /// [rows, in] -> [rows, out], by differentiable ATen operations on the parameters' values.
  virtual at::Tensor forward(const at::Tensor& input) const = 0;
  /// What a law sees of it, for that many rows. `input_needs_gradient`: false for the first layer of a model.
  virtual LayerShape shape(std::int64_t rows, bool input_needs_gradient) const = 0;

  std::vector<Parameter>& parameters() noexcept { return parameters_; }
  const std::vector<Parameter>& parameters() const noexcept { return parameters_; }

 protected:
  std::vector<Parameter> parameters_;
};

/// A run of layers that a strategy gathers and releases together.
class Unit {
 public:
  Unit(int index, bool root, std::vector<Layer*> layers) : index_(index), root_(root), layers_(std::move(layers)) {
    for (Layer* layer : layers_)
      for (Parameter& p : layer->parameters()) parameters_.push_back(&p);
  }
  int index() const noexcept { return index_; }
  /// The whole model is this one unit (FSDP's root: not released after forward).
  bool is_root() const noexcept { return root_; }
  std::span<Layer* const> layers() const noexcept { return layers_; }
  /// The parameters of its layers, in model order.
  std::span<Parameter* const> parameters() const noexcept { return parameters_; }

 private:
  int index_;
  bool root_;
  std::vector<Layer*> layers_;
  std::vector<Parameter*> parameters_;
};

}  // namespace shardbench
