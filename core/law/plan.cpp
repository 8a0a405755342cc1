#include "law/plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "law/plan_text.hpp"

namespace shardbench {

bool communicates(const Plan& plan) {
  return std::any_of(plan.ranks.begin(), plan.ranks.end(), [](const RankPlan& rank) {
    return std::any_of(rank.actions.begin(), rank.actions.end(),
                       [](const Action& a) { return a.kind > ActionKind::backward_weight; });
  });
}

Plan lower(const Plan& plan) {
  Plan lowered{plan.placement, {}};
  const int last = static_cast<int>(plan.placement.size()) - 1;
  const auto home = [&](int stage) { return plan.placement[static_cast<std::size_t>(stage)]; };
  for (const RankPlan& rank : plan.ranks) {
    auto& out = lowered.ranks.emplace_back().actions;
    for (const Action& a : rank.actions) {
      const bool earlier = a.stage > 0 && home(a.stage - 1) != home(a.stage);
      const bool later = a.stage < last && home(a.stage + 1) != home(a.stage);
      const bool forward = a.kind == ActionKind::forward;
      const bool backward = a.kind == ActionKind::backward || a.kind == ActionKind::backward_input;
      if (forward && earlier) out.push_back({ActionKind::recv_forward, a.stage, a.microbatch});
      if (backward && later) out.push_back({ActionKind::recv_backward, a.stage, a.microbatch});
      out.push_back(a);
      if (forward && later) out.push_back({ActionKind::send_forward, a.stage, a.microbatch});
      if (backward && earlier) out.push_back({ActionKind::send_backward, a.stage, a.microbatch});
    }
  }
  return lowered;
}

namespace {

/// The other end of a communication action: its rank and the action there.
std::pair<int, Action> other_end(const Plan& plan, const Action& a) {
  const auto home = [&](int stage) { return plan.placement[static_cast<std::size_t>(stage)]; };
  switch (a.kind) {
    case ActionKind::send_forward: return {home(a.stage + 1), {ActionKind::recv_forward, a.stage + 1, a.microbatch}};
    case ActionKind::send_backward: return {home(a.stage - 1), {ActionKind::recv_backward, a.stage - 1, a.microbatch}};
    case ActionKind::recv_forward: return {home(a.stage - 1), {ActionKind::send_forward, a.stage - 1, a.microbatch}};
    default: return {home(a.stage + 1), {ActionKind::send_backward, a.stage + 1, a.microbatch}};
  }
}

bool is_send(ActionKind kind) { return kind == ActionKind::send_forward || kind == ActionKind::send_backward; }

/// Where every send and receive is in its rank's plan.
class MessagePlaces {
 public:
  explicit MessagePlaces(const Plan& lowered) : microbatches_(static_cast<std::size_t>(microbatches_of(lowered))) {
    for (auto& places : places_) places.assign(lowered.placement.size() * microbatches_, -1);
    for (const RankPlan& rank : lowered.ranks)
      for (std::size_t i = 0; i < rank.actions.size(); ++i)
        if (rank.actions[i].kind > ActionKind::backward_weight) at(rank.actions[i]) = static_cast<int>(i);
  }
  int operator[](const Action& a) { return at(a); }

 private:
  int& at(const Action& a) {
    return places_[static_cast<std::size_t>(a.kind) - static_cast<std::size_t>(ActionKind::send_forward)]
                  [static_cast<std::size_t>(a.stage) * microbatches_ + static_cast<std::size_t>(a.microbatch)];
  }
  std::size_t microbatches_;
  std::array<std::vector<int>, 4> places_;
};

/// A receive of ours, and where the peer sends that message.
struct Receive {
  int here, sent;
};

}  // namespace

std::vector<int> release_points(const Plan& lowered, int rank) {
  MessagePlaces places(lowered);
  const auto& mine = lowered.ranks[static_cast<std::size_t>(rank)].actions;
  std::vector<int> points(mine.size(), -1);
  // By peer, the later receives that a send may want, the nearest last. Of two the farther is sent later: else no send
  // would want it.
  std::map<int, std::vector<Receive>> later;
  for (std::size_t i = mine.size(); i-- > 0;) {
    if (mine[i].kind <= ActionKind::backward_weight) continue;
    const auto [peer, action] = other_end(lowered, mine[i]);
    const int there = places[action];
    auto& receives = later[peer];
    if (is_send(mine[i].kind)) {
      const auto end =
          std::partition_point(receives.begin(), receives.end(), [&](const Receive& r) { return r.sent > there; });
      if (end != receives.begin()) points[i] = std::prev(end)->here;
      continue;
    }
    while (!receives.empty() && receives.back().sent <= there) receives.pop_back();
    receives.push_back({static_cast<int>(i), there});
  }
  return points;
}

PeakInFlight peak_in_flight(const Plan& plan) {
  PeakInFlight peaks;
  for (const RankPlan& rank : plan.ranks) {
    int input = 0, weight = 0, input_peak = 0, weight_peak = 0;
    for (const Action& a : rank.actions) {
      if (a.kind == ActionKind::forward) {
        input_peak = std::max(input_peak, ++input);
        weight_peak = std::max(weight_peak, ++weight);
      }
      if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) --input;
      if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) --weight;
    }
    peaks.until_input.push_back(input_peak);
    peaks.until_weight.push_back(weight_peak);
  }
  return peaks;
}

std::vector<std::string> wrong_claims(const PeakInFlight& simulated, const PeakInFlight& claimed) {
  std::vector<std::string> wrong;
  const auto compare = [&](std::size_t rank, int has, int says, const char* until) {
    if (has != says)
      wrong.push_back("rank " + std::to_string(rank) + ": the simulation has " + std::to_string(has) +
                      " microbatches in flight until " + until + ", but the law says " + std::to_string(says));
  };
  for (std::size_t rank = 0; rank < simulated.until_input.size(); ++rank) {
    compare(rank, simulated.until_input[rank], claimed.until_input.at(rank), "I (or B)");
    compare(rank, simulated.until_weight[rank], claimed.until_weight.at(rank), "W (or B)");
  }
  return wrong;
}

}  // namespace shardbench
