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

/// 1F1B, right with bug = none and wrong in one way with each of the others (planted_bugs.hpp says which).
Plan planted_1f1b(const ScheduleInput& in) {
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(rank_plan(in, rank));
  return plan;
}

/// min(m, p - r) microbatches on rank r; law_same says those of rank 0 everywhere.
ScheduleLaw planted_1f1b_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, bug_of(in) == "law_same" ? in.ranks : in.ranks - rank)};
}

}  // namespace

SHARDBENCH_SCHEDULE(planted_1f1b, planted_1f1b_law, "planted_1f1b", "1.0.0", "1F1B with a bug, for tests",
                    "bug=none|late_release|too_early|law_same")
