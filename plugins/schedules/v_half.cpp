#include "building_block.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

/// V-Half's building block (Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024, section 4, Figure
/// 4; for any p as in sail-sg/zero-bubble-pipeline-parallelism, scheduler/zbv_greedy.py): forwards of chunk 0 go down
/// at half speed, so that both lifespans together are half of what 1F1B's are. An even p needs 3 units in between, so
/// that no two actions meet.
BuildingBlock block(int p, int rank) {
  const int apart = p % 2 == 0 ? 3 : 0;
  return BuildingBlock({2 * rank, 3 * p - rank - 2, 3 * p + apart + 2 * rank - 1, 6 * p + apart - rank - 2});
}

Plan v_half(const ScheduleInput& in) {
  require_chunks(in, "v_half", 2);
  Plan plan{v_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(block(in.ranks, rank).plan(in, rank));
  return plan;
}

/// (p + 2) / 2 microbatches, rounded down: twice as many of the chunks' on every rank, where there are enough.
ScheduleLaw v_half_law(const ScheduleInput& in, int rank) { return block(in.ranks, rank).law(in.microbatches); }

}  // namespace

SHARDBENCH_SCHEDULE(v_half, v_half_law, "v_half", "1.0.0", "A V with half of 1F1B's memory on every rank", "chunks=2")
