#include "law/plan_walk.hpp"

#include <algorithm>

#include "law/plan_text.hpp"

namespace shardbench {
namespace {

/// A cycle of waiting ranks is told up to here.
constexpr int longest_chain = 4;

bool is_communication(ActionKind kind) { return kind > ActionKind::backward_weight; }

}  // namespace

PlanWalk::PlanWalk(const Plan& plan, int microbatches)
    : plan_(plan),
      microbatches_(microbatches),
      last_stage_(static_cast<int>(plan.placement.size()) - 1),
      next_(plan.ranks.size(), 0) {
  for (const RankPlan& rank : plan.ranks)
    communicates_ = communicates_ || std::any_of(rank.actions.begin(), rank.actions.end(),
                                                 [](const Action& a) { return is_communication(a.kind); });
  const std::size_t cells = plan.placement.size() * static_cast<std::size_t>(microbatches);
  for (const ActionKind kind : {ActionKind::forward, ActionKind::backward_input, ActionKind::send_forward,
                                ActionKind::recv_forward, ActionKind::send_backward, ActionKind::recv_backward})
    if (communicates_ || !is_communication(kind)) places_[slot(kind)].assign(cells, -1);
}

bool PlanWalk::complete() const {
  for (std::size_t r = 0; r < next_.size(); ++r)
    if (!at_end(static_cast<int>(r))) return false;
  return true;
}

/// "0B0 of rank 1 needs 1B0, which comes later": what the head of a stuck rank misses. `next_rank` becomes the rank
/// that waits in turn, or -1.
std::string PlanWalk::link_of_chain(const Action& a, int rank, int& next_rank) const {
  next_rank = -1;
  const Action need = missing(needs(a));
  const int other = home(need.stage);
  const auto& theirs = plan_.ranks[static_cast<std::size_t>(other)].actions;
  const auto found = std::find_if(theirs.begin(), theirs.end(), [&](const Action& t) {
    return Action{sent_kind(t.kind), t.stage, t.microbatch} == need;
  });
  const std::string where = other == rank ? "" : " of rank " + std::to_string(other);
  if (found == theirs.end()) return "needs " + text(need) + where + ", which is missing";
  if (other == rank) return "needs " + text(*found) + ", which comes later";
  next_rank = other;
  return "needs " + text(*found) + where + ", which is behind " + text(head(other));
}

std::string PlanWalk::why_stuck(int& rank) const {
  rank = 0;
  while (static_cast<std::size_t>(rank) < next_.size() && at_end(rank)) ++rank;
  if (static_cast<std::size_t>(rank) == next_.size()) return {};
  std::vector<bool> told(next_.size(), false);
  int at = rank;
  std::string why = text(head(rank)) + " can never run: it ";
  for (int links = 0;; ++links) {
    told[static_cast<std::size_t>(at)] = true;
    int then = -1;
    why += link_of_chain(head(at), at, then);
    if (then < 0 || told[static_cast<std::size_t>(then)] || links + 1 == longest_chain) return why;
    at = then;
    why += ", which ";
  }
}

}  // namespace shardbench
