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

constexpr std::uint64_t scalar = 4;  // the loss, and its gradient by itself

void forward_layer(Walk& walk, const LayerShape& layer) {
  walk.touch(layer.output_bytes + layer.saved_bytes + layer.forward_temporary_bytes);
  walk.add(layer.output_bytes + layer.saved_bytes);
}

/// `frees_input`: nobody else keeps the layer's input (the layer before it does not save its output).
void backward_layer(Walk& walk, const LawInput& in, const LayerShape& layer, std::uint64_t output_gradient,
                    bool first, bool frees_input) {
  const std::uint64_t input_gradient = first ? 0 : layer.input_bytes;
  const std::uint64_t parameters = layer.elements() * in.element_bytes();
  walk.touch(input_gradient + parameters + layer.backward_temporary_bytes);
  walk.add(input_gradient);
  walk.drop(output_gradient + layer.saved_bytes);
  if (layer.saves_output) walk.drop(layer.output_bytes);
  if (!first && frees_input) walk.drop(layer.input_bytes);
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
  walk.add(scalar);
  walk.touch(scalar + in.loss_gradient_bytes);
  walk.add(in.loss_gradient_bytes);
  if (!last.saves_output) walk.drop(last.output_bytes);  // the loss is done with it

  std::uint64_t output_gradient = in.loss_gradient_bytes;
  for (std::size_t u = in.units.size(); u-- > 0;) {
    const UnitShape& unit = in.units[u];
    const auto& held = residency.units[u];
    if (!held.kept_after_forward) walk.add(held.gathered);
    walk.add(held.gradient_buffer);
    for (int l = unit.first + unit.count; l-- > unit.first;) {
      const LayerShape& layer = in.layers[static_cast<std::size_t>(l)];
      const bool frees_input = l > 0 && !in.layers[static_cast<std::size_t>(l - 1)].saves_output;
      backward_layer(walk, in, layer, output_gradient, l == 0, frees_input);
      output_gradient = layer.input_bytes;
    }
    walk.add(held.gradient_shard);
    walk.drop(held.gradient_buffer);
    if (!held.kept_after_backward) walk.drop(held.gathered);
  }
  return walk.peak();
}

}  // namespace shardbench
