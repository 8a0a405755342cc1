#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "rank/layer_graph.hpp"
#include "shardbench/model.hpp"
#include "suite/case.hpp"

namespace shardbench {

/// One stage of the model, and what it keeps of each microbatch between its actions. The layers are units of their own:
/// each has its own graph, and between I and W each keeps the gradient of its output, so W never goes down the chain of
/// the input's gradients again.
///
/// Throws `Error` where an action comes too early, twice, or after what it needs is gone.
class Stage {
 public:
  struct Input {
    const Case& spec;  ///< outlives the stage
    int index = 0;
    int stages = 1;  ///< of the whole model
  };
  explicit Stage(const Input& in);

  int index() const noexcept { return index_; }
  bool is_last() const noexcept { return index_ == stages_ - 1; }
  std::vector<std::unique_ptr<Layer>>& layers() noexcept { return layers_; }
  const std::vector<std::unique_ptr<Layer>>& layers() const noexcept { return layers_; }

  /// F: the stage's output.
  at::Tensor forward(int microbatch, at::Tensor input);
  /// The end of the last stage's F; the loss.
  double loss(int microbatch, const at::Tensor& output, const at::Tensor& target);
  /// B: adds to the parameters' gradients; the gradient of the stage's input, undefined on the first stage.
  /// `output_gradient` is undefined on the last stage, whose loss makes it.
  at::Tensor backward(int microbatch, at::Tensor output_gradient);
  /// I: the gradient of the stage's input alone.
  at::Tensor backward_input(int microbatch, at::Tensor output_gradient);
  /// W: adds to the parameters' gradients.
  void backward_weight(int microbatch);

 private:
  enum class State : std::uint8_t { none, forward_done, input_done };
  struct Microbatch {
    State state = State::none;
    std::vector<LayerGraph> graphs;  ///< of the layers, then of the loss
  };
  Microbatch& require(int microbatch, State state, const char* action, const char* needs);
  /// The gradient of the stage's output: the given one, or by the loss.
  at::Tensor start_backward(Microbatch& m, at::Tensor output_gradient) const;

  const Case& spec_;
  int index_, stages_;
  std::vector<std::unique_ptr<Layer>> layers_;
  std::vector<Microbatch> microbatches_;
};

}  // namespace shardbench
