#include <algorithm>

#include "shardbench/plugin.hpp"
#include "warm_up.hpp"

namespace {

using namespace shardbench;

/// 1F1B: rank r runs p-1-r forwards, then alternates one forward and one backward (Narayanan et al., PipeDream, SOSP
/// 2019, section 3.2; with a flush, Fan et al., DAPPLE, PPoPP 2021, section 3). The order is that of
/// torch.distributed.pipelining.Schedule1F1B, which wants m >= p; this one does not.
Plan one_forward_one_backward(const ScheduleInput& in) {
  require_chunks(in, "1f1b", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank)
    plan.ranks.push_back(warm_up_then_alternate(in, rank, in.ranks - 1 - rank));
  return plan;
}

/// min(m, p - r) microbatches are in flight on rank r, whatever the horizon.
ScheduleLaw one_forward_one_backward_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, in.ranks - rank)};
}

}  // namespace

SHARDBENCH_SCHEDULE(one_forward_one_backward, one_forward_one_backward_law, "1f1b", "1.0.0",
                    "One forward, one backward: at most p-r microbatches in flight on rank r", "")
