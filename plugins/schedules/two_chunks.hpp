#pragma once
#include <array>

#include "shardbench/schedule.hpp"

namespace shardbench {

/// The plan of a rank that has two chunks, each taking its microbatches in order: chunk 0 is stage r, chunk 1 stage
/// 2p-1-r (`v_placement`). Actions on microbatches that there are not are left out.
class TwoChunks {
 public:
  TwoChunks(const ScheduleInput& in, int rank)
      : microbatches_(in.microbatches), chunks_{{{rank}, {2 * in.ranks - 1 - rank}}} {}

  void forward(int chunk) { add(ActionKind::forward, chunk, at(chunk).forwards++); }
  void backward_input(int chunk) { add(ActionKind::backward_input, chunk, at(chunk).inputs++); }
  void backward_weight(int chunk) { add(ActionKind::backward_weight, chunk, at(chunk).weights++); }
  void backward(int chunk) {
    add(ActionKind::backward, chunk, at(chunk).inputs++);
    ++at(chunk).weights;
  }
  int forwards(int chunk) const { return chunks_[static_cast<std::size_t>(chunk)].forwards; }
  /// Weight gradients of a chunk that are due: their input gradients were taken.
  int due(int chunk) const {
    const Chunk& c = chunks_[static_cast<std::size_t>(chunk)];
    return c.inputs - c.weights;
  }
  const RankPlan& plan() const { return plan_; }

 private:
  struct Chunk {
    int stage = 0, forwards = 0, inputs = 0, weights = 0;
  };
  Chunk& at(int chunk) { return chunks_[static_cast<std::size_t>(chunk)]; }
  void add(ActionKind kind, int chunk, int microbatch) {
    if (microbatch < microbatches_) plan_.actions.push_back({kind, at(chunk).stage, microbatch});
  }
  int microbatches_;
  std::array<Chunk, 2> chunks_;
  RankPlan plan_;
};

}  // namespace shardbench
