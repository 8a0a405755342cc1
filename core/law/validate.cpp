#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "law/plan_walk.hpp"

namespace shardbench {
namespace {

[[noreturn]] void refuse(const std::string& problem) { throw PlanFault(problem, -1, -1); }
/// `index`: of the action; -1: the fault is the rank's as a whole.
[[noreturn]] void refuse(int rank, int index, const std::string& what) {
  throw PlanFault("rank " + std::to_string(rank) + ": " + what, rank, index);
}

void check_placement(const Plan& plan, const ScheduleInput& in) {
  const auto ranks = static_cast<std::size_t>(in.ranks);
  const auto stages = in.chunks == 0 ? plan.placement.size() : ranks * static_cast<std::size_t>(in.chunks);
  if (plan.placement.size() != stages || plan.ranks.size() != ranks)
    refuse("the plan places " + std::to_string(plan.placement.size()) + " stages on " +
           std::to_string(plan.ranks.size()) + " ranks, but there are " + std::to_string(stages) + " stages and " +
           std::to_string(in.ranks) + " ranks");
  std::vector<bool> has_stage(ranks, false);
  for (std::size_t s = 0; s < stages; ++s) {
    const int rank = plan.placement[s];
    if (rank < 0 || rank >= in.ranks)
      refuse("stage " + std::to_string(s) + " is placed on rank " + std::to_string(rank) + " of " +
             std::to_string(in.ranks));
    has_stage[static_cast<std::size_t>(rank)] = true;
  }
  const auto without = std::find(has_stage.begin(), has_stage.end(), false);
  if (without != has_stage.end()) refuse(static_cast<int>(without - has_stage.begin()), -1, "it has no stage");
}

void check_inside(const Plan& plan, int rank, int index, int microbatches) {
  const Action& a = plan.ranks[static_cast<std::size_t>(rank)].actions[static_cast<std::size_t>(index)];
  const auto stages = static_cast<int>(plan.placement.size());
  if (a.stage < 0 || a.stage >= stages || a.microbatch < 0 || a.microbatch >= microbatches)
    refuse(rank, index,
           text(a) + " is outside " + std::to_string(stages) + " stages and " + std::to_string(microbatches) +
               " microbatches");
  const int home = plan.placement[static_cast<std::size_t>(a.stage)];
  if (home != rank) refuse(rank, index, text(a) + " belongs to rank " + std::to_string(home));
}

/// The index of the rank's action that is the `n`th, from 1, for which `is` holds; -1 where there are fewer.
template <class Is>
int find_action(const RankPlan& rank, int n, Is is) {
  for (std::size_t i = 0; i < rank.actions.size(); ++i)
    if (is(rank.actions[i]) && --n == 0) return static_cast<int>(i);
  return -1;
}

/// What every stage does once with every microbatch.
struct Duty {
  const char* name;
  std::array<ActionKind, 2> kinds;  ///< either does it

  bool done_by(const Action& a) const { return a.kind == kinds[0] || a.kind == kinds[1]; }
};
constexpr std::array duties{Duty{"F", {ActionKind::forward, ActionKind::forward}},
                            Duty{"B (or I)", {ActionKind::backward, ActionKind::backward_input}},
                            Duty{"B (or W)", {ActionKind::backward, ActionKind::backward_weight}}};

[[noreturn]] void refuse_count(const Plan& plan, std::size_t stage, std::size_t microbatch, const Duty& duty,
                               int count) {
  const int rank = plan.placement[stage];
  const int second = find_action(plan.ranks[static_cast<std::size_t>(rank)], 2, [&](const Action& a) {
    return duty.done_by(a) && a.stage == static_cast<int>(stage) && a.microbatch == static_cast<int>(microbatch);
  });
  refuse(rank, second,
         std::string(duty.name) + " of stage " + std::to_string(stage) + ", microbatch " + std::to_string(microbatch) +
             " is done " + std::to_string(count) + " times, not once");
}

/// How often each (stage, microbatch) has each duty done; 255 is many.
class Counts {
 public:
  Counts(std::size_t stages, int microbatches)
      : microbatches_(static_cast<std::size_t>(microbatches)), cells_(stages * microbatches_) {}

  void add(const Action& a) {
    auto& cell = cells_[static_cast<std::size_t>(a.stage) * microbatches_ + static_cast<std::size_t>(a.microbatch)];
    for (std::size_t k = 0; k < duties.size(); ++k)
      if (duties[k].done_by(a) && cell[k] < UINT8_MAX) ++cell[k];
  }
  void check(const Plan& plan) const {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      for (std::size_t k = 0; k < duties.size(); ++k)
        if (const int count = cells_[cell][k]; count != 1)
          refuse_count(plan, cell / microbatches_, cell % microbatches_, duties[k], count);
  }

 private:
  std::size_t microbatches_;
  std::vector<std::array<std::uint8_t, duties.size()>> cells_;
};

/// Of a plan that has fewer actions than (stage, microbatch) pairs, which a slip in one number makes of any plan: the
/// first pair without an F, found in the memory of its actions alone.
[[noreturn]] void refuse_missing_forward(const Plan& plan, int microbatches) {
  std::vector<std::size_t> done;
  for (const RankPlan& rank : plan.ranks)
    for (const Action& a : rank.actions)
      if (a.kind == ActionKind::forward)
        done.push_back(static_cast<std::size_t>(a.stage) * static_cast<std::size_t>(microbatches) +
                       static_cast<std::size_t>(a.microbatch));
  std::sort(done.begin(), done.end());
  done.erase(std::unique(done.begin(), done.end()), done.end());
  std::size_t missing = 0;
  while (missing < done.size() && done[missing] == missing) ++missing;
  refuse_count(plan, missing / static_cast<std::size_t>(microbatches), missing % static_cast<std::size_t>(microbatches),
               duties.front(), 0);
}

void check_counts(const Plan& plan, const ScheduleInput& in) {
  std::size_t actions = 0;
  for (int rank = 0; rank < in.ranks; ++rank) {
    const int count = static_cast<int>(plan.ranks[static_cast<std::size_t>(rank)].actions.size());
    for (int i = 0; i < count; ++i) check_inside(plan, rank, i, in.microbatches);
    actions += static_cast<std::size_t>(count);
  }
  if (actions < plan.placement.size() * static_cast<std::size_t>(in.microbatches))
    refuse_missing_forward(plan, in.microbatches);
  Counts counts(plan.placement.size(), in.microbatches);
  for (const RankPlan& rank : plan.ranks)
    for (const Action& a : rank.actions) counts.add(a);
  counts.check(plan);
}

bool precedes(const Action& a, const Action& b) {
  return std::tuple(a.stage, a.microbatch, a.kind) < std::tuple(b.stage, b.microbatch, b.kind);
}

std::vector<Action> messages(const RankPlan& rank) {
  std::vector<Action> kept;
  std::copy_if(rank.actions.begin(), rank.actions.end(), std::back_inserter(kept),
               [](const Action& a) { return a.kind > ActionKind::backward_weight; });
  std::sort(kept.begin(), kept.end(), precedes);
  return kept;
}

/// The action of the rank that makes what a message carries, or needs it.
int compute_of(const RankPlan& rank, const Action& message) {
  const bool forward = message.kind == ActionKind::send_forward || message.kind == ActionKind::recv_forward;
  const Duty& duty = duties[forward ? 0 : 1];
  return find_action(rank, 1, [&](const Action& a) {
    return duty.done_by(a) && a.stage == message.stage && a.microbatch == message.microbatch;
  });
}

/// Every message between stages of different ranks is sent once and received once, and none inside a rank.
void check_messages(const Plan& lowered) {
  const Plan wanted = lower(compute_only(lowered));
  for (std::size_t r = 0; r < lowered.ranks.size(); ++r) {
    const auto have = messages(lowered.ranks[r]), need = messages(wanted.ranks[r]);
    const auto differ = std::mismatch(have.begin(), have.end(), need.begin(), need.end());
    const auto there = differ.first, due = differ.second;
    if (there == have.end() && due == need.end()) continue;
    const int rank = static_cast<int>(r);
    if (due != need.end() && (there == have.end() || precedes(*due, *there)))
      refuse(rank, compute_of(lowered.ranks[r], *due), text(*due) + " is missing");
    const bool twice = there != have.begin() && *there == *std::prev(there);
    const int place = find_action(lowered.ranks[r], twice ? 2 : 1, [&](const Action& a) { return a == *there; });
    refuse(rank, place, text(*there) + (twice ? " is there twice" : " is between stages of one rank, or none"));
  }
}

void check_order(const Plan& plan, int microbatches) {
  PlanWalk walk(plan, microbatches);
  walk.run([](int, std::size_t, const ActionPlace&) {});
  if (const auto stuck = walk.stuck()) refuse(stuck->place.rank, stuck->place.index, stuck->why);
}

void check_sizes(const ScheduleInput& in) {
  if (in.ranks < 1 || in.microbatches < 1 || in.chunks < 0)
    refuse("there are " + std::to_string(in.ranks) + " ranks, " + std::to_string(in.chunks) + " chunks and " +
           std::to_string(in.microbatches) + " microbatches, but at least 1 of each is needed");
}

}  // namespace

void validate(const Plan& plan, const ScheduleInput& in) {
  check_sizes(in);
  check_placement(plan, in);
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    for (const Action& a : plan.ranks[r].actions)
      if (a.kind > ActionKind::backward_weight)
        refuse(static_cast<int>(r), static_cast<int>(&a - plan.ranks[r].actions.data()),
               text(a) + " is communication, which the core adds");
  check_counts(plan, in);
  check_order(plan, in.microbatches);
}

void validate_lowered(const Plan& lowered, const ScheduleInput& in) {
  check_sizes(in);
  check_placement(lowered, in);
  check_counts(lowered, in);
  check_messages(lowered);
  check_order(lowered, in.microbatches);
}

}  // namespace shardbench
