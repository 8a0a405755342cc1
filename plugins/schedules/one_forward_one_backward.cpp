#include <algorithm>

#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// Rank r runs p-1-r forwards, then alternates one forward and one backward, then the backwards that are left.
RankPlan rank_plan(const ScheduleInput& in, int rank) {
  const int warmup = std::min(in.microbatches, in.ranks - 1 - rank);
  RankPlan plan;
  for (int m = 0; m < warmup; ++m) plan.forward(rank, m);
  for (int m = warmup; m < in.microbatches; ++m) {
    plan.forward(rank, m);
    plan.backward(rank, m - warmup);
  }
  for (int m = in.microbatches - warmup; m < in.microbatches; ++m) plan.backward(rank, m);
  return plan;
}

/// 1F1B (Narayanan et al., PipeDream, SOSP 2019, section 3.2; with a flush, Fan et al., DAPPLE, PPoPP 2021, section 3).
Plan one_forward_one_backward(const ScheduleInput& in) {
  require_chunks(in, "1f1b", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(rank_plan(in, rank));
  return plan;
}

/// min(m, p - r) microbatches are in flight on rank r, whatever the horizon.
ScheduleLaw one_forward_one_backward_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, in.ranks - rank)};
}

}  // namespace

SHARDBENCH_SCHEDULE(one_forward_one_backward, one_forward_one_backward_law, "1f1b", "1.0.0",
                    "One forward, one backward: at most p-r microbatches in flight on rank r", "")
