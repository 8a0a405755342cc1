#pragma once
#include <algorithm>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// The shape that 1F1B and its kin share: `warmup` forwards, then one forward and one backward in turn, then the
/// backwards that are left.
inline RankPlan warm_up_then_alternate(const ScheduleInput& in, int rank, int warmup) {
  RankPlan plan;
  const int first = std::min(in.microbatches, warmup);
  for (int m = 0; m < first; ++m) plan.forward(rank, m);
  for (int m = 0; m < in.microbatches; ++m) {
    if (first + m < in.microbatches) plan.forward(rank, first + m);
    plan.backward(rank, m);
  }
  return plan;
}

/// The same with the backward split: weight gradients follow their input gradients `behind` microbatches later, and
/// what is left of them comes last.
inline RankPlan warm_up_then_alternate_split(const ScheduleInput& in, int rank, int warmup, int behind) {
  RankPlan plan;
  const int first = std::min(in.microbatches, warmup);
  for (int m = 0; m < first; ++m) plan.forward(rank, m);
  for (int m = 0; m < in.microbatches; ++m) {
    if (first + m < in.microbatches) plan.forward(rank, first + m);
    plan.backward_input(rank, m);
    if (m >= behind) plan.backward_weight(rank, m - behind);
  }
  for (int m = std::max(0, in.microbatches - behind); m < in.microbatches; ++m) plan.backward_weight(rank, m);
  return plan;
}

}  // namespace shardbench
