#include <algorithm>
#include <string>

#include "law/scalars.hpp"
#include "shardbench/error.hpp"
#include "shardbench/law.hpp"

namespace shardbench {
namespace {

/// Live bytes along the core's loop, and the most that they ever were.
class LiveBytes {
 public:
  explicit LiveBytes(std::uint64_t live) : live_(live), peak_(live) {}
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

void forward_layer(LiveBytes& live, const LayerShape& layer) {
  live.touch(layer.output_bytes + layer.saved_bytes + layer.forward_temporary_bytes);
  live.add(layer.output_bytes + layer.saved_bytes);
}

/// The gradient that goes from layer to layer.
struct OutputGradient {
  std::uint64_t bytes = 0;
  bool expanded = false;  ///< one number seen as many
};

OutputGradient loss_gradient(const LawInput& in) { return {in.loss_gradient_bytes, in.loss_gradient_expanded}; }

/// One layer's backward, up to where its parameters' gradients are about to be stored.
void backward_layer(LiveBytes& live, const LawInput& in, int index, OutputGradient& gradient) {
  const LayerShape& layer = in.layers[static_cast<std::size_t>(index)];
  live.touch(gradient.expanded ? layer.backward_bytes_expanded : layer.backward_bytes);
  if (index > 0) live.add(layer.input_bytes);  // its gradient
  live.drop(gradient.bytes + layer.saved_bytes);
  if (layer.saves_output) live.drop(layer.output_bytes);
  // Where the layer before does not save its output, nobody else keeps the input.
  if (index > 0 && !in.layers[static_cast<std::size_t>(index - 1)].saves_output) live.drop(layer.input_bytes);
  gradient = {layer.input_bytes, false};
}

/// Where a unit's gradients go.
struct GradientStore {
  std::uint64_t buffer = 0;  ///< bytes of a flat gradient, made when the gradients of layer `place` are there
  int place = 0;
  bool wait = false;  ///< they stay as they are
};

/// A unit's backward; bytes of the gradients that have found no place in it.
std::uint64_t backward_unit(LiveBytes& live, const LawInput& in, const UnitShape& unit, OutputGradient& gradient,
                            const GradientStore& store) {
  std::uint64_t waiting = 0;
  for (int l = unit.first + unit.count; l-- > unit.first;) {
    backward_layer(live, in, l, gradient);
    const std::uint64_t gradients = in.layers[static_cast<std::size_t>(l)].elements() * in.element_bytes();
    live.add(gradients);
    waiting += gradients;
    if (l == store.place) live.add(store.buffer);
    if (store.wait || (store.buffer != 0 && l > store.place)) continue;
    live.drop(waiting);
    waiting = 0;
  }
  return waiting;
}

}  // namespace

std::uint64_t peak_of_step(const LawInput& in, const Law& at_rest, const StepResidency& residency) {
  if (residency.units.size() != in.units.size() || in.layers.empty())
    throw Error("the residency of a step has " + std::to_string(residency.units.size()) + " units, but the model has " +
                    std::to_string(in.units.size()) + " units of " + std::to_string(in.layers.size()) + " layers",
                "the strategy's law", "give peak_of_step one StepResidency::PerUnit for each unit");
  LiveBytes live(at_rest.weights + at_rest.optimizer + residency.gradients_at_start + in.batch_bytes);
  for (std::size_t u = 0; u < in.units.size(); ++u) {
    const UnitShape& unit = in.units[u];
    live.add(residency.units[u].gathered);
    for (int l = unit.first; l < unit.first + unit.count; ++l)
      forward_layer(live, in.layers[static_cast<std::size_t>(l)]);
    if (!residency.units[u].kept_after_forward) live.drop(residency.units[u].gathered);
  }
  const LayerShape& last = in.layers.back();
  live.touch(in.loss_temporary_bytes);
  live.add(scalar);
  live.touch(scalar + in.loss_gradient_bytes);
  live.add(in.loss_gradient_bytes);
  if (!last.saves_output) live.drop(last.output_bytes);  // the loss is done with it

  OutputGradient gradient = loss_gradient(in);
  for (std::size_t u = in.units.size(); u-- > 0;) {
    const UnitShape& unit = in.units[u];
    const auto& held = residency.units[u];
    if (!held.kept_after_forward) live.add(held.gathered);
    const std::uint64_t waiting = backward_unit(
        live, in, unit, gradient, {held.gradient_buffer, unit.first + gradient_place(in, unit), held.gradients_wait});
    if (!held.buffer_is_shard) live.add(held.gradient_shard);
    live.touch(divisor);
    if (!held.buffer_is_shard) live.drop(held.gradient_buffer + waiting);
    live.drop(held.gathered);
  }
  live.touch(residency.update_temporary);
  return live.peak();
}

int gradient_place(const LawInput& in, const UnitShape& unit) {
  const bool last_unit = unit.first + unit.count == static_cast<int>(in.layers.size());
  const LayerShape& last = in.layers[static_cast<std::size_t>(unit.first + unit.count - 1)];
  std::uint64_t activations = in.batch_bytes + in.loss_gradient_bytes;  // more than what the walk will drop
  for (const LayerShape& layer : in.layers) activations += 2 * layer.output_bytes + layer.saved_bytes;
  int best = unit.count - 1;
  std::uint64_t least = 0;
  for (int place = unit.count - 1; place >= 0; --place) {
    LiveBytes live(activations);
    OutputGradient gradient = last_unit ? loss_gradient(in) : OutputGradient{last.output_bytes, false};
    backward_unit(live, in, unit, gradient, {in.elements(unit) * in.element_bytes(), unit.first + place, false});
    if (place == unit.count - 1 || live.peak() < least) {
      best = place;
      least = live.peak();
    }
  }
  return best;
}

}  // namespace shardbench
