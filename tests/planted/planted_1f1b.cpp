#include <algorithm>

#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

std::string bug_of(const ScheduleInput& in) {
  const auto option = in.options.find("bug");
  return option == in.options.end() ? "none" : option->second;
}

/// 1F1B's order on one rank; with a warm-up of all microbatches it is GPipe's.
RankPlan rank_plan(const ScheduleInput& in, int rank) {
  const std::string bug = bug_of(in);
  const int warmup = bug == "late_release" ? in.microbatches : std::min(in.microbatches, in.ranks - 1 - rank);
  RankPlan plan;
  for (int m = 0; m < warmup; ++m) plan.forward(rank, m);
  for (int m = warmup; m < in.microbatches; ++m) {
    plan.forward(rank, m);
    plan.backward(rank, m - warmup);
  }
  for (int m = in.microbatches - warmup; m < in.microbatches; ++m) plan.backward(rank, m);
  if (bug == "too_early" && rank == 0) std::rotate(plan.actions.begin(), plan.actions.end() - 1, plan.actions.end());
  return plan;
}

/// The same with I and W in place of B, and with the bug in its W's.
RankPlan split_plan(const ScheduleInput& in, const RankPlan& whole) {
  const std::string bug = bug_of(in);
  RankPlan plan;
  for (const Action& a : whole.actions) {
    if (a.kind == ActionKind::forward) {
      plan.actions.push_back(a);
      continue;
    }
    const bool first = a.microbatch == 0, last = a.microbatch == in.microbatches - 1;
    if (bug == "w_early" && first) plan.backward_weight(a.stage, a.microbatch);
    plan.backward_input(a.stage, a.microbatch);
    if (bug == "w_late" || (bug == "w_early" && first) || (bug == "w_never" && last)) continue;
    plan.backward_weight(a.stage, bug == "w_twice" && last ? a.microbatch - 1 : a.microbatch);
  }
  for (int m = 0; m < in.microbatches && bug == "w_late"; ++m) plan.backward_weight(whole.actions.front().stage, m);
  return plan;
}

/// 1F1B, right with bug = none and wrong in one way with each of the others (planted_bugs.hpp says which).
Plan planted_1f1b(const ScheduleInput& in) {
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    const RankPlan whole = rank_plan(in, rank);
    plan.ranks.push_back(bug_of(in).starts_with("w_") ? split_plan(in, whole) : whole);
  }
  return plan;
}

/// min(m, p - r) microbatches on rank r; law_same says those of rank 0 everywhere.
ScheduleLaw planted_1f1b_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, bug_of(in) == "law_same" ? in.ranks : in.ranks - rank)};
}

}  // namespace

SHARDBENCH_SCHEDULE(planted_1f1b, planted_1f1b_law, "planted_1f1b", "1.0.0", "1F1B with a bug, for tests",
                    "bug=none|late_release|too_early|law_same|w_never|w_twice|w_early|w_late")
