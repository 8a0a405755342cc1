#include <algorithm>

#include "shardbench/plugin.hpp"
#include "two_chunks.hpp"

namespace {

using namespace shardbench;

/// One rank. Chunk 0 is before the turn of the V, chunk 1 after it.
RankPlan rank_plan(const ScheduleInput& in, int rank) {
  TwoChunks mine(in, rank);
  const int behind = in.ranks - rank;
  const int microbatches =
      std::max(in.microbatches, 2 * in.ranks - 1);  // fewer than that: those that are not, left out
  const auto both_gradients = [&](int chunk) {
    mine.backward_input(chunk);
    mine.backward_weight(chunk);
  };
  for (int i = 0; i < 2 * behind - 1; ++i) mine.forward(0);
  for (int i = 0; i < rank; ++i) {
    mine.forward(1);
    mine.forward(0);
  }
  for (int i = 0; i < behind; ++i) {
    mine.forward(1);
    both_gradients(1);
  }
  while (mine.forwards(1) < microbatches) {
    if (mine.forwards(0) < microbatches) mine.forward(0);
    both_gradients(0);
    mine.forward(1);
    both_gradients(1);
  }
  for (int i = 0; i < rank; ++i) {
    mine.backward_input(0);
    mine.backward_input(1);
  }
  for (int i = 0; i < behind; ++i) {
    mine.backward_input(0);
    mine.backward_weight(0);
  }
  for (const int chunk : {1, 0})
    while (mine.due(chunk) > 0) mine.backward_weight(chunk);
  return mine.plan();
}

/// ZB-V: two chunks per rank, the second on the way back, so that the last stage is on rank 0 and its gradients start
/// early; the backward is split (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, section 6; the order is that
/// of torch.distributed.pipelining.ScheduleZBVZeroBubble). No rank waits inside its own span where tF = tB = tW and
/// m >= 2p-1.
Plan zbv(const ScheduleInput& in) {
  require_chunks(in, "zbv", 2);
  Plan plan{v_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(rank_plan(in, rank));
  return plan;
}

/// 2p in flight on every rank, each chunk's microbatches counted, until I and until W: as much as 1F1B's rank 0, since
/// a chunk is half a stage of it. With few microbatches min(2m, m + r + 1).
ScheduleLaw zbv_law(const ScheduleInput& in, int rank) {
  return {std::min({2 * in.ranks, 2 * in.microbatches, in.microbatches + rank + 1})};
}

}  // namespace

SHARDBENCH_SCHEDULE(zbv, zbv_law, "zbv", "1.0.0",
                    "Zero bubble with a V: two chunks per rank, 1F1B's memory on every rank", "chunks=2")
