#include "building_block.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

/// V-Min's building block (Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024, section 4, Figure 4;
/// for any p as in sail-sg/zero-bubble-pipeline-parallelism, scheduler/zbv_greedy.py): every action follows what it
/// needs at once, which keeps lifespans shortest. A p that 3 divides needs 2 units in between, so that no two actions
/// meet.
BuildingBlock block(int p, int rank) {
  const int apart = p % 3 == 0 ? 2 : 0;
  return BuildingBlock({rank, 2 * p - rank - 1, 2 * p + apart + rank, 4 * p + apart - rank - 1});
}

Plan v_min(const ScheduleInput& in) {
  require_chunks(in, "v_min", 2);
  Plan plan{v_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(block(in.ranks, rank).plan(in, rank));
  return plan;
}

/// At most (p + 4) / 3 microbatches, rounded down: twice as many of the chunks' on the rank that holds most.
ScheduleLaw v_min_law(const ScheduleInput& in, int rank) { return block(in.ranks, rank).law(in.microbatches); }

}  // namespace

SHARDBENCH_SCHEDULE(v_min, v_min_law, "v_min", "1.0.0", "A V with a third of 1F1B's memory on every rank", "chunks=2")
