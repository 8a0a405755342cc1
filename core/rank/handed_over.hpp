#pragma once
#include <vector>

#include "shardbench/law.hpp"
#include "shardbench/model.hpp"
#include "shardbench/strategy.hpp"

/// Checks of what a strategy hands over, before the core reads memory by it. All throw `Error` with both values.

namespace shardbench {

/// Gives back the holdings if every one has a tensor with a storage in the memory of the CPU and a role, and the
/// optimizer's `step` is one number.
Holdings checked_holdings(Holdings holdings);

/// Gives back the pieces if every one is float32 with memory behind it and lies inside a unit that exists.
std::vector<GradientPiece> checked_pieces(std::vector<GradientPiece> pieces, const LawInput& shapes);

/// That the unit's parameters are whole: as many float32 numbers each as the model has, with memory behind them.
void require_whole(const Unit& unit, const LawInput& shapes);

}  // namespace shardbench
