#include <algorithm>

#include "interleaved.hpp"
#include "shardbench/plugin.hpp"

namespace {

using namespace shardbench;

/// Forwards before the first input gradient: one for each rank behind suffices, for an input gradient takes half the
/// time of a whole backward.
int warmup(const ScheduleInput& in, int rank, const Rounds& rounds) {
  return std::min(in.microbatches * in.chunks, (in.chunks - 1) * rounds.size() + in.ranks - 1 - rank);
}

/// Interleaved zero bubble: zb_h1 over several chunks per rank, rank r taking weight gradients r microbatches late (Qi
/// et al., Zero Bubble Pipeline Parallelism, ICLR 2024, ZB-1P; the order is that of
/// torch.distributed.pipelining.ScheduleInterleavedZeroBubble).
Plan interleaved_zb(const ScheduleInput& in) {
  const Rounds rounds(in, "interleaved_zb");
  const int total = in.microbatches * in.chunks;
  Plan plan{round_robin_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) {
    auto& actions = plan.ranks.emplace_back().actions;
    const int first = warmup(in, rank, rounds);
    for (int k = 0; k < first; ++k) actions.push_back(rounds.forward(rank, k));
    for (int k = 0; k < total; ++k) {
      if (first + k < total) actions.push_back(rounds.forward(rank, first + k));
      actions.push_back(rounds.backward(ActionKind::backward_input, rank, k));
      if (k >= rank) actions.push_back(rounds.backward(ActionKind::backward_weight, rank, k - rank));
    }
    for (int k = std::max(0, total - rank); k < total; ++k)
      actions.push_back(rounds.backward(ActionKind::backward_weight, rank, k));
  }
  return plan;
}

/// min(mv, vp - r) in flight until I and min(mv, vp) until W, each chunk's microbatches counted; with rounds of another
/// size s than p, (v-1)s + p in place of vp.
ScheduleLaw interleaved_zb_law(const ScheduleInput& in, int rank) {
  const Rounds rounds(in, "interleaved_zb");
  const int total = in.microbatches * in.chunks, most = (in.chunks - 1) * rounds.size() + in.ranks;
  return {std::min(total, most - rank), std::min(total, most)};
}

}  // namespace

SHARDBENCH_SCHEDULE(interleaved_zb, interleaved_zb_law, "interleaved_zb", "1.0.0",
                    "Zero bubble H1 over several chunks per rank", "chunks=2|1|3|4|5|6|7|8|9|10|11|12|13|14|15|16")
