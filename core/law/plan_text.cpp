#include "law/plan_text.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace shardbench {

std::string_view name_of(ActionKind kind) {
  constexpr std::array<std::string_view, 8> names{"F", "B", "I", "W", "SEND_F", "RECV_F", "SEND_B", "RECV_B"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string text(const Action& action) {
  return std::to_string(action.stage).append(name_of(action.kind)) + std::to_string(action.microbatch);
}

std::vector<Action> compute_only(const std::vector<Action>& actions) {
  std::vector<Action> kept;
  std::copy_if(actions.begin(), actions.end(), std::back_inserter(kept),
               [](const Action& a) { return a.kind <= ActionKind::backward_weight; });
  return kept;
}

Plan compute_only(const Plan& plan) {
  Plan kept{plan.placement, {}};
  for (const RankPlan& rank : plan.ranks) kept.ranks.emplace_back().actions = compute_only(rank.actions);
  return kept;
}

std::string plan_text(const Plan& plan) {
  std::string out;
  for (const RankPlan& rank : plan.ranks) {
    for (const Action& a : rank.actions) out += (&a == rank.actions.data() ? "" : ",") + text(a);
    out += '\n';
  }
  return out;
}

int microbatches_of(const Plan& plan) {
  int most = -1;
  for (const RankPlan& rank : plan.ranks)
    for (const Action& a : rank.actions) most = std::max(most, a.microbatch);
  return most + 1;
}

}  // namespace shardbench
