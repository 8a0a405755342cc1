#include "shardbench/plugin.hpp"
#include "shardbench/schedule.hpp"

namespace {

using namespace shardbench;

/// Breadth-first: all microbatches through a chunk before the next chunk, then all backwards in reversed order of
/// chunks and of microbatches (Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023, section 4; the order is
/// that of torch.distributed.pipelining.ScheduleLoopedBFS).
Plan looped_bfs(const ScheduleInput& in) {
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    RankPlan& mine = plan.ranks.emplace_back();
    for (int chunk = 0; chunk < in.chunks; ++chunk)
      for (int m = 0; m < in.microbatches; ++m) mine.forward(chunk * in.ranks + rank, m);
    for (int chunk = in.chunks; chunk-- > 0;)
      for (int m = in.microbatches; m-- > 0;) mine.backward(chunk * in.ranks + rank, m);
  }
  return plan;
}

/// All microbatches of all chunks are in flight on every rank.
ScheduleLaw looped_bfs_law(const ScheduleInput& in, int /*rank*/) { return {in.microbatches * in.chunks}; }

}  // namespace

SHARDBENCH_SCHEDULE(looped_bfs, looped_bfs_law, "looped_bfs", "1.0.0",
                    "Breadth-first over several chunks per rank: GPipe's order on each",
                    "chunks=2|1|3|4|5|6|7|8|9|10|11|12|13|14|15|16")
