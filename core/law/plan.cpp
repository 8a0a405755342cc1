#include "law/plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "law/plan_text.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using Done = std::set<std::pair<int, int>>;  // (stage, microbatch)

[[noreturn]] void refuse(int rank, const std::string& what) {
  throw Error("rank " + std::to_string(rank) + ": " + what, "the schedule's plan", "correct the schedule");
}

/// What has been done so far, over all ranks.
struct Progress {
  Done forward, backward_input, backward_weight;

  bool ready(const Action& a, int stages) const {
    const std::pair here{a.stage, a.microbatch};
    switch (a.kind) {
      case ActionKind::forward: return a.stage == 0 || forward.contains({a.stage - 1, a.microbatch});
      case ActionKind::backward:
      case ActionKind::backward_input:
        return forward.contains(here) &&
               (a.stage == stages - 1 || backward_input.contains({a.stage + 1, a.microbatch}));
      case ActionKind::backward_weight: return backward_input.contains(here);
      default: return false;
    }
  }

  void mark(const Action& a) {
    const std::pair here{a.stage, a.microbatch};
    if (a.kind == ActionKind::forward) forward.insert(here);
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) backward_input.insert(here);
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) backward_weight.insert(here);
  }
};

void check_actions(const Plan& plan, const ScheduleInput& in) {
  std::map<std::pair<int, int>, int> forward, input, weight;
  for (int rank = 0; rank < in.ranks; ++rank) {
    for (const Action& a : plan.ranks[static_cast<std::size_t>(rank)].actions) {
      if (a.kind > ActionKind::backward_weight) refuse(rank, text(a) + " is communication, which the core adds");
      if (a.stage < 0 || a.stage >= static_cast<int>(plan.placement.size()) || a.microbatch < 0 ||
          a.microbatch >= in.microbatches)
        refuse(rank, text(a) + " is outside " + std::to_string(static_cast<int>(plan.placement.size())) +
                         " stages and " + std::to_string(in.microbatches) + " microbatches");
      if (plan.placement[static_cast<std::size_t>(a.stage)] != rank)
        refuse(rank, text(a) + " belongs to rank " + std::to_string(plan.placement[static_cast<std::size_t>(a.stage)]));
      const std::pair here{a.stage, a.microbatch};
      if (a.kind == ActionKind::forward) ++forward[here];
      if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) ++input[here];
      if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) ++weight[here];
    }
  }
  for (int s = 0; s < static_cast<int>(plan.placement.size()); ++s)
    for (int m = 0; m < in.microbatches; ++m) {
      const int rank = plan.placement[static_cast<std::size_t>(s)];
      const auto once = [&](std::map<std::pair<int, int>, int>& count, const char* what) {
        if (count[{s, m}] != 1)
          refuse(rank, std::string(what) + " of stage " + std::to_string(s) + ", microbatch " + std::to_string(m) +
                           " is done " + std::to_string(count[{s, m}]) + " times, not once");
      };
      once(forward, "F");
      once(input, "B (or I)");
      once(weight, "B (or W)");
    }
}

void check_order(const Plan& plan) {
  Progress progress;
  std::vector<std::size_t> next(plan.ranks.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
      const auto& actions = plan.ranks[r].actions;
      while (next[r] < actions.size() && progress.ready(actions[next[r]], static_cast<int>(plan.placement.size()))) {
        progress.mark(actions[next[r]++]);
        moved = true;
      }
    }
  }
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    if (next[r] < plan.ranks[r].actions.size())
      refuse(static_cast<int>(r), text(plan.ranks[r].actions[next[r]]) + " can never run: what it needs comes later");
}

}  // namespace

void validate(const Plan& plan, const ScheduleInput& in) {
  const auto stages =
      in.chunks == 0 ? plan.placement.size() : static_cast<std::size_t>(in.ranks) * static_cast<std::size_t>(in.chunks);
  if (plan.placement.size() != stages || plan.ranks.size() != static_cast<std::size_t>(in.ranks))
    throw Error("the plan places " + std::to_string(plan.placement.size()) + " stages on " +
                    std::to_string(plan.ranks.size()) + " ranks, but there are " + std::to_string(stages) +
                    " stages and " + std::to_string(in.ranks) + " ranks",
                "the schedule's plan", "correct the schedule");
  for (const int rank : plan.placement)
    if (rank < 0 || rank >= in.ranks)
      throw Error("a stage is placed on rank " + std::to_string(rank) + " of " + std::to_string(in.ranks),
                  "the schedule's plan", "correct the schedule");
  check_actions(plan, in);
  check_order(plan);
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
bool is_recv(ActionKind kind) { return kind == ActionKind::recv_forward || kind == ActionKind::recv_backward; }

}  // namespace

std::vector<int> release_points(const Plan& lowered, int rank) {
  const auto key = [](const Action& a) { return std::tuple(a.kind, a.stage, a.microbatch); };
  std::vector<std::map<std::tuple<ActionKind, int, int>, std::size_t>> position(lowered.ranks.size());
  for (std::size_t r = 0; r < lowered.ranks.size(); ++r)
    for (std::size_t i = 0; i < lowered.ranks[r].actions.size(); ++i)
      position[r].emplace(key(lowered.ranks[r].actions[i]), i);
  const auto& mine = lowered.ranks[static_cast<std::size_t>(rank)].actions;
  std::vector<int> points(mine.size(), -1);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!is_send(mine[i].kind)) continue;
    const auto [peer, receive] = other_end(lowered, mine[i]);
    const auto& there = position[static_cast<std::size_t>(peer)];
    const std::size_t received_at = there.at(key(receive));
    for (std::size_t j = i + 1; j < mine.size() && points[i] < 0; ++j) {
      if (!is_recv(mine[j].kind)) continue;
      const auto [from, sent] = other_end(lowered, mine[j]);
      if (from == peer && there.at(key(sent)) > received_at) points[i] = static_cast<int>(j);
    }
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

}  // namespace shardbench
