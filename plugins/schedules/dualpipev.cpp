#include <deque>

#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "two_chunks.hpp"

namespace {

using namespace shardbench;

/// One rank, in the steps of the source. Its "B" is our whole backward, except where a step "uses zero bubble": there
/// it is the input gradient, and the weight gradient waits in a queue.
class DualPipeVRank {
 public:
  DualPipeVRank(const ScheduleInput& in, int rank) : in_(in), rank_(rank), mine_(in, rank) {}

  RankPlan plan() {
    const int behind = in_.ranks - rank_ - 1;
    for (int i = 0; i < 2 * behind; ++i) mine_.forward(0);  // step 1: F0
    for (int i = 0; i <= rank_; ++i) {                      // step 2: F0 F1
      mine_.forward(0);
      mine_.forward(1);
    }
    for (int i = 0; i < behind; ++i) {  // step 3: I1 W1 F1
      backward(1, Split::yes);
      oldest_weight();
      mine_.forward(1);
    }
    for (int i = 0; i < in_.microbatches - 2 * in_.ranks + rank_ + 1; ++i) {  // step 4: F0 B1, F1 B0
      mine_.forward(0);
      mine_.backward(1);
      mine_.forward(1);
      mine_.backward(0);
    }
    for (int i = 0; i < behind; ++i) {  // step 5: B1, F1 B0
      mine_.backward(1);
      mine_.forward(1);
      mine_.backward(0);
    }
    for (int i = 0; i <= rank_; ++i) {  // step 6: B1 B0, the second half of them split
      backward(1, 2 * i > rank_ ? Split::yes : Split::no);
      backward(0, 2 * i >= rank_ ? Split::yes : Split::no);
    }
    for (int i = 0; i < behind; ++i) {  // step 7: W I0
      oldest_weight();
      backward(0, Split::yes);
    }
    while (!weights_.empty()) oldest_weight();  // step 8: W
    return mine_.plan();
  }

 private:
  enum class Split { no, yes };
  void backward(int chunk, Split split) {
    if (split == Split::no) return mine_.backward(chunk);
    mine_.backward_input(chunk);
    weights_.push_back(chunk);
  }
  void oldest_weight() {
    mine_.backward_weight(weights_.front());
    weights_.pop_front();
  }
  const ScheduleInput& in_;
  int rank_;
  TwoChunks mine_;
  std::deque<int> weights_;  ///< chunks, oldest first
};

/// DualPipeV: ZB-V's placement with whole backwards in the steady phase, each next to a forward that it may overlap
/// with (DeepSeek-V3 technical report, 2024, section 3.2.1, cut in half as in "Cut-in-half": deepseek-ai/DualPipe,
/// dualpipev.py; the order is that of torch.distributed.pipelining.ScheduleDualPipeV). The pairs run one after the
/// other here.
Plan dualpipev(const ScheduleInput& in) {
  require_chunks(in, "dualpipev", 2);
  if (in.microbatches < 2 * in.ranks)
    throw Error("dualpipev fills " + std::to_string(2 * in.ranks) + " stages at once, but there are " +
                    std::to_string(in.microbatches) + " microbatches",
                {}, "take at least " + std::to_string(2 * in.ranks) + " microbatches, or zbv");
  Plan plan{v_placement(in), {}};
  for (int rank = 0; rank < in.ranks; ++rank) plan.ranks.push_back(DualPipeVRank(in, rank).plan());
  return plan;
}

/// 2p + 1 in flight on every rank, each chunk's microbatches counted, until I and until W.
ScheduleLaw dualpipev_law(const ScheduleInput& in, int /*rank*/) { return {2 * in.ranks + 1}; }

}  // namespace

SHARDBENCH_SCHEDULE(dualpipev, dualpipev_law, "dualpipev", "1.0.0",
                    "DeepSeek's DualPipe on half the ranks: a V, forwards next to whole backwards", "chunks=2")
