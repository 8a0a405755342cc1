#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// GPipe: every rank runs all forwards, then all backwards (Huang et al., GPipe, NeurIPS 2019, section 2.3). The
/// backwards go in the order of the forwards, as in torch.distributed.pipelining.ScheduleGPipe.
Plan gpipe(const ScheduleInput& in) {
  require_chunks(in, "gpipe", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    RankPlan& mine = plan.ranks.emplace_back();
    for (int m = 0; m < in.microbatches; ++m) mine.forward(rank, m);
    for (int m = 0; m < in.microbatches; ++m) mine.backward(rank, m);
  }
  return plan;
}

/// All m microbatches are in flight on every rank.
ScheduleLaw gpipe_law(const ScheduleInput& in, int /*rank*/) { return {in.microbatches}; }

}  // namespace

SHARDBENCH_SCHEDULE(gpipe, gpipe_law, "gpipe", "1.0.0", "All forwards, then all backwards", "")
