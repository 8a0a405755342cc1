#include <algorithm>

#include "shardbench/plugin.hpp"
#include "warm_up.hpp"

namespace {

using namespace shardbench;

/// Eager 1F1B: 1F1B with twice the warm-up, 2(p-1-r) forwards on rank r, so that a message in flight delays nobody
/// (Zhuang et al., On Optimizing the Communication of Model Parallelism, MLSys 2023, section 4).
Plan eager_1f1b(const ScheduleInput& in) {
  require_chunks(in, "eager_1f1b", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank)
    plan.ranks.push_back(warm_up_then_alternate(in, rank, 2 * (in.ranks - 1 - rank)));
  return plan;
}

/// min(m, 2(p - r) - 1) microbatches are in flight on rank r.
ScheduleLaw eager_1f1b_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, 2 * (in.ranks - rank) - 1)};
}

}  // namespace

SHARDBENCH_SCHEDULE(eager_1f1b, eager_1f1b_law, "eager_1f1b", "1.0.0",
                    "1F1B with twice the warm-up, which hides communication", "")
