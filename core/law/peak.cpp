#include <algorithm>

#include "shardbench/law.hpp"

namespace shardbench {
namespace {

/// Live bytes along the core's loop, and the most that they ever were.
class Walk {
 public:
  explicit Walk(std::uint64_t live) : live_(live), peak_(live) {}
  void add(std::uint64_t bytes) {
    live_ += bytes;
    peak_ = std::max(peak_, live_);
  }
  void drop(std::uint64_t bytes) { live_ -= bytes; }
  /// Bytes that come and go at once.
  void touch(std::uint64_t bytes) { peak_ = std::max(peak_, live_ + bytes); }
  std::uint64_t peak() const { return peak_; }

 private:
  std::uint64_t live_, peak_;
};

constexpr std::uint64_t scalar = 4;    // the loss, and its gradient by itself
constexpr std::uint64_t divisor = 12;  // ATen makes a number that divides a tensor a tensor: int64, then float32

void forward_layer(Walk& walk, const LayerShape& layer) {
  walk.touch(layer.output_bytes + layer.saved_bytes + layer.forward_temporary_bytes);
  walk.add(layer.output_bytes + layer.saved_bytes);
}

/// One layer's backward: `expanded` is about the gradient that it is given, of `output_gradient` bytes.
struct Backward {
  std::uint64_t output_gradient = 0;
  bool expanded = false;
  bool first = false;        ///< the model's first layer: its input needs no gradient
  bool frees_input = false;  ///< nobody else keeps the input (the layer before does not save its output)
};

/// `buffer`: allocated for the gradients when they are there, 0 if there is a place for them already.
void backward_layer(Walk& walk, const LawInput& in, const LayerShape& layer, const Backward& how, std::uint64_t buffer) {
  const std::uint64_t gradients = layer.elements() * in.element_bytes();
  walk.touch(how.expanded ? layer.backward_bytes_expanded : layer.backward_bytes);
  if (!how.first) walk.add(layer.input_bytes);  // its gradient
  walk.drop(how.output_gradient + layer.saved_bytes);
  if (layer.saves_output) walk.drop(layer.output_bytes);
  if (how.frees_input) walk.drop(layer.input_bytes);
  walk.add(gradients);
  walk.add(buffer);
  walk.drop(gradients);  // stored
}

}  // namespace

std::uint64_t peak_of_step(const LawInput& in, const Law& at_rest, const StepResidency& residency) {
  Walk walk(at_rest.weights + at_rest.optimizer + residency.gradients_at_start + in.batch_bytes);
  for (std::size_t u = 0; u < in.units.size(); ++u) {
    const UnitShape& unit = in.units[u];
    walk.add(residency.units[u].gathered);
    for (int l = unit.first; l < unit.first + unit.count; ++l) forward_layer(walk, in.layers[static_cast<std::size_t>(l)]);
    if (!residency.units[u].kept_after_forward) walk.drop(residency.units[u].gathered);
  }
  const LayerShape& last = in.layers.back();
  walk.touch(in.loss_temporary_bytes + scalar);
  walk.add(scalar);
  walk.touch(scalar + in.loss_gradient_bytes);
  walk.add(in.loss_gradient_bytes);
  if (!last.saves_output) walk.drop(last.output_bytes);  // the loss is done with it

  std::uint64_t output_gradient = in.loss_gradient_bytes;
  bool expanded = in.loss_gradient_expanded;
  for (std::size_t u = in.units.size(); u-- > 0;) {
    const UnitShape& unit = in.units[u];
    const auto& held = residency.units[u];
    if (!held.kept_after_forward) walk.add(held.gathered);
    std::uint64_t buffer = held.gradient_buffer;
    for (int l = unit.first + unit.count; l-- > unit.first;) {
      const LayerShape& layer = in.layers[static_cast<std::size_t>(l)];
      const bool frees_input = l > 0 && !in.layers[static_cast<std::size_t>(l - 1)].saves_output;
      backward_layer(walk, in, layer, {output_gradient, expanded, l == 0, frees_input}, buffer);
      buffer = 0;
      output_gradient = layer.input_bytes;
      expanded = false;
    }
    if (!held.buffer_is_shard) walk.add(held.gradient_shard);
    walk.touch(divisor);
    if (!held.buffer_is_shard) walk.drop(held.gradient_buffer);
    if (!held.kept_after_backward) walk.drop(held.gathered);
  }
  walk.touch(residency.update_temporary);
  return walk.peak();
}

}  // namespace shardbench
