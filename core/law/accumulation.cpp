#include "law/accumulation.hpp"

#include <algorithm>

namespace shardbench {

std::vector<std::vector<int>> accumulation_orders(const Plan& plan) {
  std::vector<std::vector<int>> orders(plan.placement.size());
  for (const RankPlan& rank : plan.ranks)
    for (const Action& a : rank.actions)
      if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight)
        orders[static_cast<std::size_t>(a.stage)].push_back(a.microbatch);
  const bool ascending = std::all_of(orders.begin(), orders.end(),
                                     [](const auto& order) { return std::is_sorted(order.begin(), order.end()); });
  return ascending ? std::vector<std::vector<int>>{} : orders;
}

}  // namespace shardbench
