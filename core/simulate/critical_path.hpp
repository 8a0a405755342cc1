#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulate/simulate.hpp"

namespace shardbench {

/// One action of the critical path.
struct CriticalAction {
  int rank = 0;
  std::size_t index = 0;      ///< in the rank's plan
  double begin = 0, end = 0;  ///< what it takes
  double waited = 0;          ///< for its message to come from the action before it, which is on another rank
};

/// The chain of actions and messages that ends the step, first action first: each begins when the one before it ends
/// (or its message arrives), the first at 0, and the last ends at the makespan. Where an action's rank and its input
/// became free at once, the chain stays on the rank.
std::vector<CriticalAction> critical_path(const Plan& plan, const Simulation& simulation);

}  // namespace shardbench
