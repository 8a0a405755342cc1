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
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(problem, "the schedule's plan", "correct the schedule");
}
[[noreturn]] void refuse(int rank, const std::string& what) { refuse("rank " + std::to_string(rank) + ": " + what); }

void check_placement(const Plan& plan, const ScheduleInput& in) {
  const auto ranks = static_cast<std::size_t>(in.ranks);
  const auto stages = in.chunks == 0 ? plan.placement.size() : ranks * static_cast<std::size_t>(in.chunks);
  if (plan.placement.size() != stages || plan.ranks.size() != ranks)
    refuse("the plan places " + std::to_string(plan.placement.size()) + " stages on " +
           std::to_string(plan.ranks.size()) + " ranks, but there are " + std::to_string(stages) + " stages and " +
           std::to_string(in.ranks) + " ranks");
  for (std::size_t s = 0; s < stages; ++s)
    if (plan.placement[s] < 0 || plan.placement[s] >= in.ranks)
      refuse("stage " + std::to_string(s) + " is placed on rank " + std::to_string(plan.placement[s]) + " of " +
             std::to_string(in.ranks));
}

void check_inside(const Plan& plan, int rank, const Action& a, int microbatches) {
  const auto stages = static_cast<int>(plan.placement.size());
  if (a.stage < 0 || a.stage >= stages || a.microbatch < 0 || a.microbatch >= microbatches)
    refuse(rank, text(a) + " is outside " + std::to_string(stages) + " stages and " + std::to_string(microbatches) +
                     " microbatches");
  const int home = plan.placement[static_cast<std::size_t>(a.stage)];
  if (home != rank) refuse(rank, text(a) + " belongs to rank " + std::to_string(home));
}

/// How often each (stage, microbatch) has its forward, its input gradient and its weight gradient; 255 is many.
class Counts {
 public:
  Counts(std::size_t stages, int microbatches)
      : microbatches_(static_cast<std::size_t>(microbatches)), cells_(stages * microbatches_) {}

  void add(const Action& a) {
    auto& cell = at(a.stage, a.microbatch);
    if (a.kind == ActionKind::forward) increase(cell[0]);
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) increase(cell[1]);
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) increase(cell[2]);
  }
  void check(const Plan& plan) {
    constexpr std::array what{"F", "B (or I)", "B (or W)"};
    for (std::size_t s = 0; s < plan.placement.size(); ++s)
      for (std::size_t m = 0; m < microbatches_; ++m)
        for (std::size_t k = 0; k < what.size(); ++k)
          if (const int count = cells_[s * microbatches_ + m][k]; count != 1)
            refuse(plan.placement[s], std::string(what[k]) + " of stage " + std::to_string(s) + ", microbatch " +
                                          std::to_string(m) + " is done " + std::to_string(count) + " times, not once");
  }

 private:
  using Cell = std::array<std::uint8_t, 3>;
  Cell& at(int stage, int microbatch) {
    return cells_[static_cast<std::size_t>(stage) * microbatches_ + static_cast<std::size_t>(microbatch)];
  }
  static void increase(std::uint8_t& count) {
    if (count < UINT8_MAX) ++count;
  }
  std::size_t microbatches_;
  std::vector<Cell> cells_;
};

void check_counts(const Plan& plan, const ScheduleInput& in) {
  Counts counts(plan.placement.size(), in.microbatches);
  for (int rank = 0; rank < in.ranks; ++rank)
    for (const Action& a : plan.ranks[static_cast<std::size_t>(rank)].actions) {
      check_inside(plan, rank, a, in.microbatches);
      if (a.kind <= ActionKind::backward_weight) counts.add(a);
    }
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

/// Every message between stages of different ranks is sent once and received once, and none inside a rank.
void check_messages(const Plan& lowered) {
  const Plan wanted = lower(compute_only(lowered));
  for (std::size_t r = 0; r < lowered.ranks.size(); ++r) {
    const auto have = messages(lowered.ranks[r]), need = messages(wanted.ranks[r]);
    const auto [there, due] = std::mismatch(have.begin(), have.end(), need.begin(), need.end());
    if (there == have.end() && due == need.end()) continue;
    if (due != need.end() && (there == have.end() || precedes(*due, *there)))
      refuse(static_cast<int>(r), text(*due) + " is missing");
    const bool twice = there != have.begin() && *there == *std::prev(there);
    refuse(static_cast<int>(r), text(*there) + (twice ? " is there twice" : " is between stages of one rank, or none"));
  }
}

void check_order(const Plan& plan, int microbatches) {
  PlanWalk walk(plan, microbatches);
  walk.run([](int, std::size_t, const ActionPlace&) {});
  int rank = 0;
  if (const std::string why = walk.why_stuck(rank); !why.empty()) refuse(rank, why);
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
        refuse(static_cast<int>(r), text(a) + " is communication, which the core adds");
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
