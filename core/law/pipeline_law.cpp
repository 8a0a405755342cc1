#include "law/pipeline_law.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "law/plan.hpp"
#include "law/scalars.hpp"
#include "law/storages.hpp"

namespace shardbench {
namespace {

using Id = Storages::Id;

/// What a layer keeps of one microbatch.
struct KeptLayer {
  Id input = Storages::none;     ///< for the gradient of its weight
  Id output = Storages::none;    ///< for its activation's backward
  Id other = Storages::none;     ///< whatever else it saved
  Id gradient = Storages::none;  ///< between I and W: that of its output before the activation
};

/// What a stage keeps of one microbatch, and what waits for its next action.
struct Kept {
  std::vector<KeptLayer> layers;
  Id loss = Storages::none;  ///< the model's output, kept by the loss
  Id input = Storages::none, output = Storages::none;
  Id output_gradient = Storages::none, input_gradient = Storages::none;
};

std::uint64_t parameter_bytes(const LayerShape& layer) { return layer.elements() * 4; }

/// The executor (core/rank: Stage, Boundaries, PipelineStep) with bytes in place of tensors.
class Walk {
 public:
  explicit Walk(const PipelineLawInput& in)
      : in_(in), storages_(rest(in) + in.batch_bytes), collected_(in.lowered.ranks[index(in.rank)].actions.size()) {
    const std::vector<int> points = release_points(in.lowered, in.rank);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] >= 0) collected_[index(points[i])].push_back(i);
  }

  PipelineLaw run() {
    const auto& actions = in_.lowered.ranks[index(in_.rank)].actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      run(actions[i], i);
      for (const std::size_t send : collected_[i]) storages_.drop(sends_[send]);
      law_.activations = std::max(law_.activations, storages_.alive());
    }
    for (auto& [i, send] : sends_) storages_.drop(send);
    if (in_.divides_gradients) storages_.touch(divisor);
    storages_.touch(in_.update_temporary);
    law_.weights = law_.gradients = parameters(in_);
    // Before the step the gradients of the one before are still there.
    law_.peak = std::max(storages_.peak(), rest(in_) + in_.batch_bytes + law_.gradients);
    return law_;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static std::uint64_t parameters(const PipelineLawInput& in) {
    std::uint64_t bytes = 0;
    for (std::size_t s = 0; s < in.stages.size(); ++s)
      if (in.lowered.placement[s] == in.rank)
        for (const LayerShape& layer : in.stages[s]) bytes += parameter_bytes(layer);
    return bytes;
  }
  static std::uint64_t rest(const PipelineLawInput& in) { return parameters(in) + in.optimizer_bytes; }
  int last_stage() const { return static_cast<int>(in_.lowered.placement.size()) - 1; }
  bool here(int stage) const {
    return stage >= 0 && stage <= last_stage() && in_.lowered.placement[index(stage)] == in_.rank;
  }
  const std::vector<LayerShape>& layers(int stage) const { return in_.stages[index(stage)]; }
  Kept& kept(int stage, int microbatch) { return kept_[{stage, microbatch}]; }
  /// The first layer of the model: nobody asks for its input's gradient.
  static bool is_first(int stage, std::size_t layer) { return stage == 0 && layer == 0; }

  void run(const Action& a, std::size_t i) {
    Kept& k = kept(a.stage, a.microbatch);
    switch (a.kind) {
      case ActionKind::forward: return forward(a, k);
      case ActionKind::backward: return backward(a, k);
      case ActionKind::backward_input: return backward_input(a, k);
      case ActionKind::backward_weight: return backward_weight(a, k);
      case ActionKind::recv_forward: k.input = storages_.make(layers(a.stage).front().input_bytes); return;
      case ActionKind::recv_backward: k.output_gradient = storages_.make(layers(a.stage).back().output_bytes); return;
      case ActionKind::send_forward: sends_[i] = std::exchange(k.output, Storages::none); return;
      case ActionKind::send_backward: sends_[i] = std::exchange(k.input_gradient, Storages::none); return;
    }
  }

  void forward(const Action& a, Kept& k) {
    Id h = std::exchange(k.input, Storages::none);  // the first stage's is a part of the batch
    for (const LayerShape& layer : layers(a.stage)) {
      storages_.touch(layer.output_bytes + layer.saved_bytes + layer.forward_temporary_bytes);
      KeptLayer& kept_layer = k.layers.emplace_back();
      kept_layer.input = h;
      h = storages_.make(layer.output_bytes);
      if (layer.saves_output) kept_layer.output = storages_.hold(h);
      kept_layer.other = storages_.make(layer.saved_bytes);
      save(layer.saves, layer.saves_bytes);
    }
    if (a.stage == last_stage()) {
      storages_.touch(in_.loss.temporary_bytes);
      k.loss = storages_.hold(h);
      save(in_.loss.saves, in_.loss.saves_bytes);
      storages_.drop(h);
    } else {
      (here(a.stage + 1) ? kept(a.stage + 1, a.microbatch).input : k.output) = h;
    }
  }

  void save(std::uint64_t tensors, std::uint64_t bytes) {
    law_.saved_total += tensors;
    law_.saved_peak = std::max(law_.saved_peak, saved_ += tensors);
    law_.saved_peak_bytes = std::max(law_.saved_peak_bytes, saved_bytes_ += bytes);
  }
  void use(std::uint64_t tensors, std::uint64_t bytes) {
    saved_ -= tensors;
    saved_bytes_ -= bytes;
  }

  /// The gradient of the stage's output.
  Id start_backward(const Action& a, Kept& k) {
    if (a.stage != last_stage()) return std::exchange(k.output_gradient, Storages::none);
    storages_.touch(scalar + in_.loss.gradient_bytes);
    const Id gradient = storages_.make(in_.loss.gradient_bytes);
    storages_.drop(k.loss);
    use(in_.loss.saves, in_.loss.saves_bytes);
    return gradient;
  }

  void end_backward(const Action& a, Kept& k, Id gradient) {
    (here(a.stage - 1) ? kept(a.stage - 1, a.microbatch).output_gradient : k.input_gradient) = gradient;
  }

  /// Bytes of the output's gradient written out for a matrix product: that of a sum is one number seen as many.
  std::uint64_t written_out(int stage, std::size_t l) const {
    const bool of_the_loss = stage == last_stage() && l + 1 == layers(stage).size();
    const LayerShape& layer = layers(stage)[l];
    return of_the_loss && in_.loss.gradient_expanded && !layer.saves_output ? layer.output_bytes : 0;
  }

  /// Through the layer's activation, where it has one: the gradient of what came before it.
  Id before_activation(const LayerShape& layer, Id gradient) {
    return layer.saves_output ? storages_.make(layer.output_bytes) : storages_.hold(gradient);
  }

  /// The parameters' gradients are made beside `beside` bytes. What is written out for the weight's is gone before the
  /// bias's is there.
  void make_parameter_gradients(int stage, std::size_t l, std::uint64_t beside) {
    const LayerShape& layer = layers(stage)[l];
    const std::uint64_t weight = layer.parameters.front() * 4;
    storages_.touch(beside + std::max(weight + written_out(stage, l), parameter_bytes(layer)));
  }

  /// They are added to the sums and gone; the first microbatch's are the sums from then on.
  void add_parameter_gradients(int stage, std::size_t l) {
    if (summed_.insert({stage, l}).second) storages_.add_for_good(parameter_bytes(layers(stage)[l]));
  }

  /// One layer's whole backward; the gradient of its input.
  Id whole_backward(int stage, std::size_t l, KeptLayer& mine, Id gradient) {
    const LayerShape& layer = layers(stage)[l];
    const std::uint64_t input_bytes = is_first(stage, l) ? 0 : layer.input_bytes;
    Id inner = before_activation(layer, gradient);
    storages_.drop(mine.output);
    storages_.touch(input_bytes + written_out(stage, l));
    make_parameter_gradients(stage, l, input_bytes);
    const Id input_gradient = input_bytes == 0 ? Storages::none : storages_.make(input_bytes);
    for (Id* gone : {&mine.input, &mine.other, &inner, &gradient}) storages_.drop(*gone);
    use(layer.saves, layer.saves_bytes);
    add_parameter_gradients(stage, l);
    return input_gradient;
  }

  void backward(const Action& a, Kept& k) {
    Id gradient = start_backward(a, k);
    for (std::size_t l = layers(a.stage).size(); l-- > 0;) gradient = whole_backward(a.stage, l, k.layers[l], gradient);
    k.layers.clear();
    end_backward(a, k, gradient);
  }

  void backward_input(const Action& a, Kept& k) {
    Id gradient = start_backward(a, k);
    for (std::size_t l = layers(a.stage).size(); l-- > 0;) {
      const LayerShape& layer = layers(a.stage)[l];
      KeptLayer& mine = k.layers[l];
      if (is_first(a.stage, l)) {  // does nothing: its whole backward is its W
        mine.gradient = std::exchange(gradient, Storages::none);
        continue;
      }
      mine.gradient = before_activation(layer, gradient);
      storages_.touch(layer.input_bytes + written_out(a.stage, l));
      const Id input_gradient = storages_.make(layer.input_bytes);
      storages_.drop(mine.output);
      storages_.drop(gradient);
      gradient = input_gradient;
      use(layer.saves, layer.saves_bytes);
    }
    end_backward(a, k, gradient);
  }

  void backward_weight(const Action& a, Kept& k) {
    for (std::size_t l = layers(a.stage).size(); l-- > 0;) {
      KeptLayer& mine = k.layers[l];
      if (is_first(a.stage, l)) {
        whole_backward(a.stage, l, mine, mine.gradient);
        continue;
      }
      make_parameter_gradients(a.stage, l, 0);
      for (Id* gone : {&mine.input, &mine.other, &mine.gradient}) storages_.drop(*gone);
      add_parameter_gradients(a.stage, l);
    }
    k.layers.clear();
  }

  const PipelineLawInput& in_;
  Storages storages_;
  std::vector<std::vector<std::size_t>> collected_;  ///< sends that are collected after each action
  std::map<std::size_t, Id> sends_;
  std::map<std::pair<int, int>, Kept> kept_;      ///< by stage and microbatch
  std::set<std::pair<int, std::size_t>> summed_;  ///< stages and layers that have gradients
  std::uint64_t saved_ = 0, saved_bytes_ = 0;
  PipelineLaw law_;
};

}  // namespace

PipelineLaw pipeline_law(const PipelineLawInput& in) { return Walk(in).run(); }

}  // namespace shardbench
