#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// Which microbatch's backward comes at position i of the plan.
int backward_at(const std::string& bug, int i, int microbatches) {
  if (bug == "same_twice" && i == microbatches - 1) return i - 1;
  return i;
}

/// GPipe, right with bug = none and wrong in one way with each of the others (planted_bugs.hpp says which).
Plan planted_gpipe(const ScheduleInput& in) {
  const auto option = in.options.find("bug");
  const std::string bug = option == in.options.end() ? "none" : option->second;
  const int microbatches = bug == "skips_last" ? in.microbatches - 1 : in.microbatches;
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    const int stage = bug == "other_stage" ? in.ranks - 1 - rank : rank;
    RankPlan& mine = plan.ranks.emplace_back();
    for (int m = 0; m < microbatches; ++m) mine.forward(stage, m);
    for (int m = 0; m < microbatches; ++m) mine.backward(stage, backward_at(bug, m, microbatches));
  }
  return plan;
}

/// All microbatches are in flight on every rank.
ScheduleLaw planted_gpipe_law(const ScheduleInput& in, int /*rank*/) { return {in.microbatches}; }

}  // namespace

SHARDBENCH_SCHEDULE(planted_gpipe, planted_gpipe_law, "planted_gpipe", "1.0.0", "GPipe with a bug, for tests",
                    "bug=none|skips_last|same_twice|other_stage")
