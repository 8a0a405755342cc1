#include "law/plan_walk.hpp"

#include <algorithm>

#include "law/plan.hpp"
#include "law/plan_text.hpp"

namespace shardbench {
namespace {

/// Of a longer chain of waiting ranks the middle is left out.
constexpr std::size_t longest_chain = 8;

bool is_communication(ActionKind kind) { return kind > ActionKind::backward_weight; }

std::string chain_text(const std::vector<std::string>& links) {
  std::string chain;
  for (std::size_t i = 0; i < links.size(); ++i) {
    chain += (i == 0 ? "" : ", which ") + links[i];
    if (links.size() <= longest_chain || i + 1 != longest_chain / 2) continue;
    const std::size_t left_out = links.size() - longest_chain;
    chain += ", which (" + std::to_string(left_out) + (left_out == 1 ? " rank" : " ranks") + " left out)";
    i += left_out;
  }
  return chain;
}

}  // namespace

PlanWalk::PlanWalk(const Plan& plan, int microbatches)
    : plan_(plan),
      microbatches_(microbatches),
      last_stage_(static_cast<int>(plan.placement.size()) - 1),
      communicates_(communicates(plan)),
      next_(plan.ranks.size(), 0) {
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
  return "needs " + text(*found) + where + (*found == head(other) ? "" : ", which is behind " + text(head(other)));
}

std::optional<PlanWalk::Stuck> PlanWalk::stuck() const {
  int rank = 0;
  while (static_cast<std::size_t>(rank) < next_.size() && at_end(rank)) ++rank;
  if (static_cast<std::size_t>(rank) == next_.size()) return std::nullopt;
  std::vector<int> chain;
  std::vector<std::string> links;
  std::vector<bool> told(next_.size(), false);
  while (rank >= 0 && !told[static_cast<std::size_t>(rank)]) {
    told[static_cast<std::size_t>(rank)] = true;
    chain.push_back(rank);
    int then = -1;
    links.push_back(link_of_chain(head(rank), rank, then));
    rank = then;
  }
  if (rank >= 0) {  // a circle: what leads into it is left out
    const auto before = std::find(chain.begin(), chain.end(), rank) - chain.begin();
    chain.erase(chain.begin(), chain.begin() + before);
    links.erase(links.begin(), links.begin() + before);
  }
  const int first = chain.front();
  return Stuck{{first, static_cast<std::int32_t>(next(first))},
               text(head(first)) + " can never run: it " + chain_text(links)};
}

}  // namespace shardbench
