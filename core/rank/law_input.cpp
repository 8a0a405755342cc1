#include "rank/law_input.hpp"

#include "model/mlp.hpp"
#include "rank/server.hpp"

namespace shardbench {

std::vector<Unit> make_units(const Layers& layers, UnitPolicy policy) {
  std::vector<Layer*> all;
  for (const auto& layer : layers) all.push_back(layer.get());
  std::vector<Unit> units;
  if (policy == UnitPolicy::root) {
    units.emplace_back(0, true, all);
  } else {
    for (Layer* layer : all) units.emplace_back(static_cast<int>(units.size()), false, std::vector<Layer*>{layer});
  }
  return units;
}

LawInput law_input(const Case& spec, const Layers& layers, const std::vector<Unit>& units, int rank) {
  LawInput in;
  for (std::size_t l = 0; l < layers.size(); ++l) in.layers.push_back(layers[l]->shape(spec.batch, l > 0));
  int first = 0;
  for (const Unit& unit : units) {
    const int count = static_cast<int>(unit.layers().size());
    in.units.push_back({first, count, unit.is_root()});
    first += count;
  }
  const LossShape loss = loss_shape(spec.model, spec.batch);
  in.world = spec.world;
  in.rank = rank;
  in.optimizer = spec.optimizer.kind;
  in.dtype = spec.dtype;
  in.options = spec.options;
  in.batch_bytes = in.layers.front().input_bytes + (spec.model.loss == Loss::mse ? in.layers.back().output_bytes : 0);
  in.loss_temporary_bytes = loss.temporary_bytes;
  in.loss_gradient_bytes = loss.gradient_bytes;
  in.loss_gradient_expanded = spec.model.loss == Loss::sum;
  return in;
}

}  // namespace shardbench

void shardbench_rank_law_input(const shardbench::Case& spec, shardbench::LawInput& input) {
  using namespace shardbench;
  const Layers layers = make_layers(spec.model, spec.seed, 0, spec.model.layers());
  input = law_input(spec, layers, make_units(layers, spec.unit), 0);
}
