#include <algorithm>

#include "shardbench/plugin.hpp"
#include "warm_up.hpp"

namespace {

using namespace shardbench;

/// ZB-H2: rank r starts with 2(p-1-r) forwards besides the first of the steady phase, enough to keep it busy until the
/// first gradient comes, and takes weight gradients 2r microbatches late (Qi et al., Zero Bubble Pipeline Parallelism,
/// ICLR 2024, section 2.2, Figure 3). With tF = tB = tW no rank waits between its first and its last action.
Plan zb_h2(const ScheduleInput& in) {
  require_chunks(in, "zb_h2", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank)
    plan.ranks.push_back(warm_up_then_alternate_split(in, rank, 2 * (in.ranks - 1 - rank), 2 * rank));
  return plan;
}

/// min(m, 2(p - r) - 1) in flight until I, min(m, 2p - 1) until W.
ScheduleLaw zb_h2_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, 2 * (in.ranks - rank) - 1), std::min(in.microbatches, 2 * in.ranks - 1)};
}

}  // namespace

SHARDBENCH_SCHEDULE(zb_h2, zb_h2_law, "zb_h2", "1.0.0",
                    "Zero bubble H2: no bubble inside a rank, with twice 1F1B's memory", "")
