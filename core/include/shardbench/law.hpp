#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "shardbench/dtype.hpp"
#include "shardbench/optimizer_spec.hpp"
#include "shardbench/wire.hpp"

namespace shardbench {

/// One layer as a law sees it. Bytes are of one rank's rows.
struct LayerShape {
  std::string name;
  std::vector<std::uint64_t> parameters;  ///< elements of each parameter tensor, in order
  std::vector<std::uint64_t> rows;        ///< and their sizes on dimension 0
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::uint64_t saved_bytes = 0;              ///< kept for backward besides the input, the output and parameters
  std::uint64_t forward_temporary_bytes = 0;  ///< alive at once inside forward, besides input, output and saved
  /// Most bytes alive at once inside backward, besides the output's gradient: the input's gradient, those of the
  /// parameters and what is in between. `expanded`: the output's gradient is one number seen as many (that of a sum).
  std::uint64_t backward_bytes = 0, backward_bytes_expanded = 0;
  bool saves_output = false;      ///< autograd keeps the output itself (relu), not only the input
  std::uint64_t saves = 0;        ///< tensors that autograd saves, parameters and repeats included
  std::uint64_t saves_bytes = 0;  ///< bytes of those tensors
  std::uint64_t elements() const {
    std::uint64_t n = 0;
    for (const auto p : parameters) n += p;
    return n;
  }
};

/// A unit: the layers [first, first + count), gathered and released together.
struct UnitShape {
  int first = 0;
  int count = 0;
  bool root = false;  ///< the whole model is this one unit
};

/// What a strategy's law is evaluated on.
struct LawInput {
  std::vector<LayerShape> layers;
  std::vector<UnitShape> units;
  int world = 1;
  int rank = 0;
  OptimizerKind optimizer = OptimizerKind::adamw;
  DType dtype = DType::float32;
  std::map<std::string, std::string> options;
  std::uint64_t batch_bytes = 0;           ///< this rank's rows: the input, and the targets where the loss has some
  std::uint64_t loss_temporary_bytes = 0;  ///< alive at once while the loss is computed, its value included
  std::uint64_t loss_gradient_bytes = 0;   ///< storage of the loss's gradient by the model's output
  bool loss_gradient_expanded = false;     ///< ... which is one number seen as many

  std::uint64_t element_bytes() const { return size_of(dtype); }
  /// Elements of a unit's parameters.
  std::uint64_t elements(const UnitShape& unit) const {
    std::uint64_t n = 0;
    for (int l = unit.first; l < unit.first + unit.count; ++l) n += layers[static_cast<std::size_t>(l)].elements();
    return n;
  }
  std::uint64_t elements() const {
    std::uint64_t n = 0;
    for (const auto& layer : layers) n += layer.elements();
    return n;
  }
  /// Elements of every parameter tensor, in model order.
  std::vector<std::uint64_t> tensors() const {
    std::vector<std::uint64_t> all;
    for (const auto& layer : layers) all.insert(all.end(), layer.parameters.begin(), layer.parameters.end());
    return all;
  }
  std::string option(const std::string& name, const std::string& otherwise) const {
    const auto it = options.find(name);
    return it == options.end() ? otherwise : it->second;
  }
};

/// What a strategy holds inside a step, beyond weights and optimizer at rest. `peak_of_step` walks the core's loop with
/// it. All in bytes, per unit.
struct StepResidency {
  struct PerUnit {
    std::uint64_t gathered = 0;         ///< whole parameters, while gathered
    std::uint64_t gradient_buffer = 0;  ///< from before_gradients to after_backward
    std::uint64_t gradient_shard = 0;   ///< from after_backward to the end of the step
    bool gradients_wait = false;        ///< no buffer: the gradients stay as autograd made them until after_backward
    bool buffer_is_shard = false;       ///< the buffer (or what waited) itself stays as the shard (world 1)
    bool kept_after_forward = false;    ///< whole parameters stay until the unit's backward
  };
  std::uint64_t gradients_at_start = 0;  ///< gradients alive during the whole step
  std::vector<PerUnit> units;
  std::uint64_t update_temporary = 0;  ///< for a moment inside update (`optimizer_temporary_bytes`)
};

/// The closed forms that a strategy claims, for one rank.
struct Law {
  std::uint64_t weights = 0, gradients = 0, optimizer = 0;  ///< bytes at rest
  std::uint64_t peak = 0;                                   ///< most bytes alive inside a step
  Traffic traffic;                                          ///< of one step
  bool equal_on_all_ranks = true;                           ///< at rest

  std::uint64_t total() const { return weights + gradients + optimizer; }
};

/// Most bytes alive at once in one step of the core's loop (docs/laws.md, "The peak"). Throws `Error` unless the
/// residency has as many units as the model.
std::uint64_t peak_of_step(const LawInput& in, const Law& at_rest, const StepResidency& residency);

/// The layer of a unit (from 0) at which the core calls `before_gradients`: where a flat gradient of the unit, made
/// when that layer's gradients are there and taking over those that came before, keeps the peak of its backward lowest.
/// The unit's last layer (first in backward) unless the activations that are still alive there outweigh the parameters.
int gradient_place(const LawInput& in, const UnitShape& unit);

/// Elements of one rank's shard of n elements cut in `world` equal, padded parts: ceil(n / world).
constexpr std::uint64_t shard_elements(std::uint64_t n, int world) noexcept {
  return (n + static_cast<std::uint64_t>(world) - 1) / static_cast<std::uint64_t>(world);
}

/// Owner of every tensor: largest first, each to the rank with the smallest total, the lowest such rank on ties
/// (ZeroRedundancyOptimizer._partition_parameters, PyTorch 2.13).
inline std::vector<int> greedy_owners(const std::vector<std::uint64_t>& elements, int world) {
  std::vector<std::size_t> order(elements.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return elements[a] > elements[b]; });
  std::vector<std::uint64_t> load(static_cast<std::size_t>(world), 0);
  std::vector<int> owner(elements.size(), 0);
  for (const auto i : order) {
    const auto least = std::min_element(load.begin(), load.end()) - load.begin();
    owner[i] = static_cast<int>(least);
    load[static_cast<std::size_t>(least)] += elements[i];
  }
  return owner;
}

}  // namespace shardbench
