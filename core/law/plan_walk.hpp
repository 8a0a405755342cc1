#pragma once
#include <array>
#include <cstdint>
#include <deque>
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
  /// Why the first rank that came to no end did not: "0B0 can never run: it needs 1B0 of rank 1, behind 1F1, ...".
  /// Empty where the walk is complete. `rank` becomes that rank.
  std::string why_stuck(int& rank) const;

 private:
  /// What one action waits for: up to two others.
  struct Needs {
    std::array<Action, 2> actions;
    int count = 0;
    void add(ActionKind kind, int stage, int microbatch) {
      actions[static_cast<std::size_t>(count++)] = {kind, stage, microbatch};
    }
  };

  int home(int stage) const { return plan_.placement[static_cast<std::size_t>(stage)]; }
  std::size_t cell(int stage, int microbatch) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(microbatches_) +
           static_cast<std::size_t>(microbatch);
  }
  /// Whole backwards count as input gradients: both send the same.
  static std::size_t slot(ActionKind kind) {
    return static_cast<std::size_t>(kind == ActionKind::backward ? ActionKind::backward_input : kind);
  }
  std::int32_t place_of(const Action& a) const { return places_[slot(a.kind)][cell(a.stage, a.microbatch)]; }
  void mark(const Action& a, std::int32_t index) {
    auto& places = places_[slot(a.kind)];
    if (!places.empty()) places[cell(a.stage, a.microbatch)] = index;
  }
  Needs needs(const Action& a) const;
  bool ready(const Action& a) const;
  ActionPlace from(const Action& a) const;
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

template <class Visit>
void PlanWalk::run(Visit&& visit) {
  // First in, first out: a rank is come back to when its neighbours are a few actions further, not at each of them.
  std::deque<int> able;
  std::vector<bool> waits(plan_.ranks.size(), true);
  for (std::size_t rank = 0; rank < plan_.ranks.size(); ++rank) able.push_back(static_cast<int>(rank));
  while (!able.empty()) {
    const int rank = able.front();
    able.pop_front();
    waits[static_cast<std::size_t>(rank)] = false;
    const auto& actions = plan_.ranks[static_cast<std::size_t>(rank)].actions;
    auto& index = next_[static_cast<std::size_t>(rank)];
    for (; index < actions.size() && ready(actions[index]); ++index) {
      const Action& a = actions[index];
      visit(rank, index, from(a));
      mark(a, static_cast<std::int32_t>(index));
      const int other = waiter(a);
      if (other < 0 || other == rank || waits[static_cast<std::size_t>(other)] || at_end(other) || !ready(head(other)))
        continue;
      waits[static_cast<std::size_t>(other)] = true;
      able.push_back(other);
    }
  }
}

}  // namespace shardbench
