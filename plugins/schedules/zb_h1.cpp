#include <algorithm>

#include "shardbench/plugin.hpp"
#include "warm_up.hpp"

namespace {

using namespace shardbench;

/// ZB-H1: 1F1B with the backward split in two; rank r takes the weight gradients r microbatches late, so that every
/// rank holds as much as rank 0 and the late ones fill the end (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024,
/// section 2.1, Figure 2). The paper's B is our I.
Plan zb_h1(const ScheduleInput& in) {
  require_chunks(in, "zb_h1", 1);
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank)
    plan.ranks.push_back(warm_up_then_alternate_split(in, rank, in.ranks - 1 - rank, rank));
  return plan;
}

/// min(m, p - r) in flight until I, min(m, p) until W.
ScheduleLaw zb_h1_law(const ScheduleInput& in, int rank) {
  return {std::min(in.microbatches, in.ranks - rank), std::min(in.microbatches, in.ranks)};
}

}  // namespace

SHARDBENCH_SCHEDULE(zb_h1, zb_h1_law, "zb_h1", "1.0.0", "Zero bubble H1: a third of 1F1B's bubble with its memory", "")
