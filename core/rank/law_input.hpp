#pragma once
#include <memory>
#include <vector>

#include "shardbench/law.hpp"
#include "shardbench/model.hpp"
#include "suite/case.hpp"

namespace shardbench {

using Layers = std::vector<std::unique_ptr<Layer>>;

/// The model's units by that policy: one root unit, or one for each layer.
std::vector<Unit> make_units(const Layers& layers, UnitPolicy policy);

/// What the law of a training case's strategy is evaluated on, for one rank.
LawInput law_input(const Case& spec, const Layers& layers, const std::vector<Unit>& units, int rank);

}  // namespace shardbench
