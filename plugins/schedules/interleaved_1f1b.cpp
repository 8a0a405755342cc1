#include <algorithm>

#include "interleaved.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

/// Forwards before the first backward: the chunks before the last one, and two for each rank behind.
int warmup(const ScheduleInput& in, int rank, const Rounds& rounds) {
  return std::min(in.microbatches * in.chunks, (in.chunks - 1) * rounds.size() + 2 * (in.ranks - 1 - rank));
}

/// Interleaved 1F1B: several chunks per rank, the earlier microbatch first (Narayanan et al., SC 2021, section 2.2; the
/// order is that of torch.distributed.pipelining.ScheduleInterleaved1F1B).
Plan interleaved_1f1b(const ScheduleInput& in) {
  const Rounds rounds(in, "interleaved_1f1b");
  const int total = in.microbatches * in.chunks;
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    auto& actions = plan.ranks.emplace_back().actions;
    const int first = warmup(in, rank, rounds);
    for (int k = 0; k < first; ++k) actions.push_back(rounds.forward(rank, k));
    for (int k = 0; k < total; ++k) {
      if (first + k < total) actions.push_back(rounds.forward(rank, first + k));
      actions.push_back(rounds.backward(ActionKind::backward, rank, k));
    }
  }
  return plan;
}

/// min(mv, (v-1)p + 2(p-1-r) + 1) in flight on rank r, each chunk's microbatches counted; with rounds of another size
/// than p, that size in place of the first p.
ScheduleLaw interleaved_1f1b_law(const ScheduleInput& in, int rank) {
  const Rounds rounds(in, "interleaved_1f1b");
  return {std::min(in.microbatches * in.chunks, warmup(in, rank, rounds) + 1)};
}

}  // namespace

SHARDBENCH_SCHEDULE(interleaved_1f1b, interleaved_1f1b_law, "interleaved_1f1b", "1.0.0",
                    "1F1B over several chunks per rank: 1F1B's bubble divided by their number",
                    "chunks=2|1|3|4|5|6|7|8|9|10|11|12|13|14|15|16")
