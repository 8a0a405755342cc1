#pragma once
#include <cstdint>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "rank/boundaries.hpp"
#include "rank/stage.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/schedule.hpp"

namespace shardbench {

/// What the instruments see of one step, action by action.
struct StepRecord {
  std::vector<Action> executed;         ///< compute and communication, in order
  int in_flight_until_input = 0;        ///< most microbatches, each chunk's counted, between F and I (or B)
  int in_flight_until_weight = 0;       ///< ... between F and W (or B)
  std::uint64_t activations_bytes = 0;  ///< most bytes of activations alive between two actions
};

/// When an action began and ended.
struct ActionTimes {
  Clock::time_point start, end;
};

/// Runs a rank's actions of a lowered plan, in their order.
class PipelineStep {
 public:
  struct Input {
    const Case& spec;
    const Plan& lowered;
    Communicator& comm;  ///< all outlive it
  };
  explicit PipelineStep(const Input& in);

  std::vector<Stage>& stages() noexcept { return stages_; }
  const std::vector<Stage>& stages() const noexcept { return stages_; }
  const std::vector<Action>& actions() const noexcept { return actions_; }

  /// Forward and backward of a whole batch; gradients are summed over the microbatches. `record` where the instruments
  /// are on.
  void run(const at::Tensor& batch, const at::Tensor& target, StepRecord* record = nullptr);
  /// Of the last step, by microbatch, on the rank of the last stage; else empty.
  const std::vector<double>& losses() const noexcept { return losses_; }
  /// Of the last step, by action.
  const std::vector<ActionTimes>& times() const noexcept { return times_; }

 private:
  void run(const Action& a, std::size_t index, const at::Tensor& batch, const at::Tensor& target);
  void forward(Stage& stage, const Action& a, const at::Tensor& batch, const at::Tensor& target);
  Stage& stage(int index) { return stages_[static_cast<std::size_t>(local_[static_cast<std::size_t>(index)])]; }

  std::int64_t rows_;  ///< of a microbatch
  const std::vector<Action>& actions_;
  std::vector<Stage> stages_;
  std::vector<int> local_;  ///< by stage: its place in `stages_`, or -1
  Boundaries boundaries_;
  std::vector<double> losses_;
  std::vector<ActionTimes> times_;
};

}  // namespace shardbench
