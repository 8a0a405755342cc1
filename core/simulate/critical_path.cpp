#include "simulate/critical_path.hpp"

#include <algorithm>

#include "law/plan_text.hpp"

namespace shardbench {
namespace {

std::size_t last_rank(const Simulation& simulation) {
  const auto last = std::max_element(simulation.ranks.begin(), simulation.ranks.end(),
                                     [](const SimulatedRank& a, const SimulatedRank& b) { return a.end < b.end; });
  return static_cast<std::size_t>(last - simulation.ranks.begin());
}

/// Finds where the input of an action on another rank is made.
class Makers {
 public:
  explicit Makers(const Plan& plan) : plan_(plan), microbatches_(static_cast<std::size_t>(microbatches_of(plan))) {
    for (auto* places : {&forward_, &backward_}) places->resize(plan.placement.size() * microbatches_);
    for (const RankPlan& rank : plan.ranks)
      for (std::size_t i = 0; i < rank.actions.size(); ++i) {
        const Action& a = rank.actions[i];
        if (a.kind == ActionKind::backward_weight) continue;
        (a.kind == ActionKind::forward ? forward_ : backward_)[cell(a.stage, a.microbatch)] =
            static_cast<std::uint32_t>(i);
      }
  }
  CriticalAction of(const Action& a) const {
    const bool forward = a.kind == ActionKind::forward;
    const int stage = forward ? a.stage - 1 : a.stage + 1;
    return {plan_.placement[static_cast<std::size_t>(stage)],
            (forward ? forward_ : backward_)[cell(stage, a.microbatch)]};
  }

 private:
  std::size_t cell(int stage, int microbatch) const {
    return static_cast<std::size_t>(stage) * microbatches_ + static_cast<std::size_t>(microbatch);
  }
  const Plan& plan_;
  std::size_t microbatches_;
  std::vector<std::uint32_t> forward_, backward_;
};

}  // namespace

std::vector<CriticalAction> critical_path(const Plan& plan, const Simulation& simulation) {
  std::vector<CriticalAction> path;
  const std::size_t rank = last_rank(simulation);
  if (simulation.ranks.empty() || plan.ranks[rank].actions.empty()) return path;
  const Makers makers(plan);
  CriticalAction at{static_cast<int>(rank), plan.ranks[rank].actions.size() - 1};
  for (;;) {
    const auto r = static_cast<std::size_t>(at.rank);
    const Action& a = plan.ranks[r].actions[at.index];
    at.begin = simulation.begins[r][at.index];
    at.end = at.begin + simulation.takes(a);
    if (!path.empty()) path.back().waited = path.back().begin - at.end;
    path.push_back(at);
    if (!simulation.follows[r][at.index])
      at = makers.of(a);
    else if (at.index > 0)
      --at.index;
    else
      break;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace shardbench
