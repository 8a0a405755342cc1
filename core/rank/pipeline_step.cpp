#include "rank/pipeline_step.hpp"

#include <algorithm>
#include <optional>

#include "law/plan_text.hpp"
#include "measure/allocator.hpp"

namespace shardbench {
namespace {

/// Counts microbatches in flight and bytes of activations while a step is recorded.
class Recorder {
 public:
  explicit Recorder(StepRecord& record) : record_(record) { record_ = {}; }
  void before(const Action& a) {
    measure::next_phase(text(a));
    record_.executed.push_back(a);
    if (a.kind == ActionKind::forward) {
      record_.in_flight_until_input = std::max(record_.in_flight_until_input, ++until_input_);
      record_.in_flight_until_weight = std::max(record_.in_flight_until_weight, ++until_weight_);
    }
  }
  void after(const Action& a) {
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_input) --until_input_;
    if (a.kind == ActionKind::backward || a.kind == ActionKind::backward_weight) --until_weight_;
    const std::uint64_t bytes = measure::live_bytes()[static_cast<std::size_t>(Role::activations)];
    record_.activations_bytes = std::max(record_.activations_bytes, bytes);
  }

 private:
  StepRecord& record_;
  int until_input_ = 0, until_weight_ = 0;
};

}  // namespace

PipelineStep::PipelineStep(const Input& in)
    : rows_(in.spec.batch / in.spec.horizon),
      actions_(in.lowered.ranks.at(static_cast<std::size_t>(in.comm.rank())).actions),
      local_(in.lowered.placement.size(), -1),
      boundaries_({in.spec, in.lowered, in.comm}),
      times_(actions_.size()) {
  const int stages = static_cast<int>(in.lowered.placement.size());
  for (int s = 0; s < stages; ++s) {
    if (in.lowered.placement[static_cast<std::size_t>(s)] != in.comm.rank()) continue;
    local_[static_cast<std::size_t>(s)] = static_cast<int>(stages_.size());
    stages_.emplace_back(Stage::Input{in.spec, s, stages});
    if (stages_.back().is_last()) losses_.resize(static_cast<std::size_t>(in.spec.horizon));
  }
}

void PipelineStep::run(const at::Tensor& batch, const at::Tensor& target, StepRecord* record) {
  std::optional<Recorder> recorder;
  if (record != nullptr) recorder.emplace(*record);
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    if (recorder) recorder->before(actions_[i]);
    times_[i].start = Clock::now();
    run(actions_[i], i, batch, target);
    boundaries_.collect(i);
    times_[i].end = Clock::now();
    if (recorder) recorder->after(actions_[i]);
  }
  boundaries_.collect_all();
}

void PipelineStep::run(const Action& a, std::size_t index, const at::Tensor& batch, const at::Tensor& target) {
  switch (a.kind) {
    case ActionKind::forward: forward(stage(a.stage), a, batch, target); return;
    case ActionKind::backward:
      boundaries_.give_input_gradient(
          a.stage, a.microbatch,
          stage(a.stage).backward(a.microbatch, boundaries_.take_output_gradient(a.stage, a.microbatch)));
      return;
    case ActionKind::backward_input:
      boundaries_.give_input_gradient(
          a.stage, a.microbatch,
          stage(a.stage).backward_input(a.microbatch, boundaries_.take_output_gradient(a.stage, a.microbatch)));
      return;
    case ActionKind::backward_weight: stage(a.stage).backward_weight(a.microbatch); return;
    default: boundaries_.communicate(a, index); return;
  }
}

void PipelineStep::forward(Stage& stage, const Action& a, const at::Tensor& batch, const at::Tensor& target) {
  at::Tensor input =
      a.stage == 0 ? batch.narrow(0, a.microbatch * rows_, rows_) : boundaries_.take_input(a.stage, a.microbatch);
  at::Tensor output = stage.forward(a.microbatch, std::move(input));
  if (stage.is_last()) losses_[static_cast<std::size_t>(a.microbatch)] = stage.loss(a.microbatch, output, target);
  boundaries_.give_output(a.stage, a.microbatch, std::move(output));
}

}  // namespace shardbench
