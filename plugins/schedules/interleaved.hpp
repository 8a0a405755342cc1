#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "shardbench/error.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// The order in which interleaved schedules take the stages of one rank: rounds of microbatches, and within a round
/// chunk by chunk (Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM,
/// SC 2021, section 2.2). The paper's rounds are of p microbatches; like torch.distributed.pipelining, these may be
/// larger where m is no multiple of p, and are smaller where m < p: max(1, m / p) rounds of equal size.
class Rounds {
 public:
  Rounds(const ScheduleInput& in, const std::string& name) : ranks_(in.ranks), chunks_(in.chunks) {
    const int rounds = std::max(1, in.microbatches / in.ranks);
    if (in.microbatches % rounds != 0)
      throw Error(name + " on " + std::to_string(in.ranks) + " ranks takes the microbatches in " +
                      std::to_string(rounds) + " rounds, but " + std::to_string(in.microbatches) +
                      " microbatches cannot be dealt evenly to them",
                  {}, "take a multiple of " + std::to_string(rounds) + " microbatches, best one of the ranks");
    round_ = in.microbatches / rounds;
  }

  int size() const { return round_; }
  /// The k-th forward of a rank.
  Action forward(int rank, int k) const { return at(ActionKind::forward, rank, k, k / round_ % chunks_); }
  /// The k-th backward (or part of it), which takes the chunks in reversed order.
  Action backward(ActionKind kind, int rank, int k) const {
    return at(kind, rank, k, chunks_ - 1 - k / round_ % chunks_);
  }

 private:
  Action at(ActionKind kind, int rank, int k, int chunk) const {
    return {kind, chunk * ranks_ + rank, k / (round_ * chunks_) * round_ + k % round_};
  }
  int ranks_, chunks_, round_ = 1;
};

}  // namespace shardbench
