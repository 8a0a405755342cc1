#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// An action's place in a plan.
struct ActionPlace {
  int rank = -1;
  std::int32_t index = -1;
  bool exists() const { return rank >= 0; }
};

/// Goes through the actions of a plan, every one after what it needs, in time and memory linear in their number. The
/// plan may have its communication (then a compute action needs the receive on its own rank, and a receive the send on
/// the other) or not (then it needs the neighbouring stage's action itself). A send never waits: it is buffered. Stages
/// and microbatches have to be inside the placement and `microbatches`.
class PlanWalk {
 public:
  PlanWalk(const Plan& plan, int microbatches);

  /// Calls visit(rank, index, from) for every action that can ever run, each rank's in order. `from` is the action of
  /// another rank that it waits for: the sender's compute action, or its send where the plan has them.
  template <class Visit>
  void run(Visit&& visit);

  /// Every action was visited.
  bool complete() const;
  /// Why a rank did not come to its end; nothing where the walk is complete.
  struct Stuck {
    ActionPlace place;  ///< of the action that can never run
    std::string why;    ///< "0B0 can never run: it needs 1B0 of rank 1, which is behind 1F1, ..."
  };
  /// Of the first such rank; where ranks wait for each other in a circle, of a rank of that circle, which is told
  /// whole.
  std::optional<Stuck> stuck() const;

 private:
  /// What one action waits for: up to two others. A whole backward is among them as its input gradient: what is sent.
  struct Needs {
    std::array<Action, 2> actions;
    std::size_t count = 0;
    void add(ActionKind kind, int stage, int microbatch) { actions[count++] = {kind, stage, microbatch}; }
  };
  static constexpr Action nothing{ActionKind::forward, -1, -1};

  int home(int stage) const { return plan_.placement[static_cast<std::size_t>(stage)]; }
  std::size_t cell(int stage, int microbatch) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(microbatches_) +
           static_cast<std::size_t>(microbatch);
  }
  static ActionKind sent_kind(ActionKind kind) {
    return kind == ActionKind::backward ? ActionKind::backward_input : kind;
  }
  static std::size_t slot(ActionKind kind) { return static_cast<std::size_t>(sent_kind(kind)); }
  std::int32_t place_of(const Action& a) const { return places_[slot(a.kind)][cell(a.stage, a.microbatch)]; }
  void mark(const Action& a, std::int32_t index) {
    auto& places = places_[slot(a.kind)];
    if (!places.empty()) places[cell(a.stage, a.microbatch)] = index;
  }
  Needs needs(const Action& a) const;
  /// The first need that is not met, or `nothing`.
  Action missing(const Needs& needed) const {
    for (std::size_t i = 0; i < needed.count; ++i)
      if (place_of(needed.actions[i]) < 0) return needed.actions[i];
    return nothing;
  }
  ActionPlace from(const Needs& needed, int rank) const {
    if (needed.count == 0) return {};
    const Action& last = needed.actions[needed.count - 1];
    return home(last.stage) == rank ? ActionPlace{} : ActionPlace{home(last.stage), place_of(last)};
  }
  /// The rank that may wait for this action, or -1.
  int waiter(const Action& a) const;
  bool at_end(int rank) const { return next(rank) == plan_.ranks[static_cast<std::size_t>(rank)].actions.size(); }
  std::size_t next(int rank) const { return next_[static_cast<std::size_t>(rank)]; }
  const Action& head(int rank) const { return plan_.ranks[static_cast<std::size_t>(rank)].actions[next(rank)]; }
  std::string link_of_chain(const Action& a, int rank, int& next_rank) const;

  const Plan& plan_;
  int microbatches_, last_stage_;
  bool communicates_ = false;
  std::array<std::vector<std::int32_t>, 8> places_;  ///< by slot: index of each done action in its rank's plan, or -1
  std::vector<std::size_t> next_;
};

inline PlanWalk::Needs PlanWalk::needs(const Action& a) const {
  using Kind = ActionKind;
  Needs needs;
  const int s = a.stage, m = a.microbatch;
  switch (a.kind) {
    case Kind::forward:
      if (s > 0) {
        const bool receives = communicates_ && home(s - 1) != home(s);
        needs.add(receives ? Kind::recv_forward : Kind::forward, receives ? s : s - 1, m);
      }
      break;
    case Kind::backward:
    case Kind::backward_input:
      needs.add(Kind::forward, s, m);
      if (s < last_stage_) {
        const bool receives = communicates_ && home(s + 1) != home(s);
        needs.add(receives ? Kind::recv_backward : Kind::backward_input, receives ? s : s + 1, m);
      }
      break;
    case Kind::backward_weight:
    case Kind::send_backward: needs.add(Kind::backward_input, s, m); break;
    case Kind::send_forward: needs.add(Kind::forward, s, m); break;
    case Kind::recv_forward: needs.add(Kind::send_forward, s - 1, m); break;
    case Kind::recv_backward: needs.add(Kind::send_backward, s + 1, m); break;
  }
  return needs;
}

inline int PlanWalk::waiter(const Action& a) const {
  switch (a.kind) {
    case ActionKind::forward:
    case ActionKind::send_forward: return a.stage < last_stage_ ? home(a.stage + 1) : -1;
    case ActionKind::backward:
    case ActionKind::backward_input:
    case ActionKind::send_backward: return a.stage > 0 ? home(a.stage - 1) : -1;
    default: return -1;
  }
}

template <class Visit>
void PlanWalk::run(Visit&& visit) {
  std::vector<int> able;
  std::vector<Action> awaited(plan_.ranks.size(), nothing);  // by rank
  for (int rank = static_cast<int>(plan_.ranks.size()); rank-- > 0;) able.push_back(rank);
  while (!able.empty()) {
    const int rank = able.back();
    able.pop_back();
    const auto& actions = plan_.ranks[static_cast<std::size_t>(rank)].actions;
    auto& index = next_[static_cast<std::size_t>(rank)];
    for (; index < actions.size(); ++index) {
      const Action& a = actions[index];
      const Needs needed = needs(a);
      awaited[static_cast<std::size_t>(rank)] = missing(needed);
      if (awaited[static_cast<std::size_t>(rank)] != nothing) break;
      visit(rank, index, from(needed, rank));
      mark(a, static_cast<std::int32_t>(index));
      const int other = waiter(a);
      if (other < 0 || awaited[static_cast<std::size_t>(other)] != Action{sent_kind(a.kind), a.stage, a.microbatch})
        continue;
      awaited[static_cast<std::size_t>(other)] = nothing;
      able.push_back(other);
    }
  }
}

}  // namespace shardbench
