// What the pipeline's executor itself costs: a rank runs 1F1B's actions with a backend that moves nothing and layers of
// one number, and, interleaved with it, the same layers without an executor. The difference of the two times, divided
// by the number of actions (compute and communication), is the executor's own cost per action.
//
//   pipeline_overhead [Google Benchmark's flags]
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "control/board.hpp"
#include "law/plan.hpp"
#include "rank/pipeline_step.hpp"
#include "rank/still_comm.hpp"
#include "shardbench/communicator.hpp"

namespace shardbench::bench {
namespace {

constexpr int microbatches = 64;

/// 1F1B on the middle one of three ranks; `split`: with I and W in place of B.
Plan plan(bool split) {
  Plan plan{{0, 1, 2}, std::vector<RankPlan>(3)};
  for (int rank = 0; rank < 3; ++rank)
    for (int m = 0; m < microbatches + 2 - rank; ++m) {
      RankPlan& mine = plan.ranks[static_cast<std::size_t>(rank)];
      const int b = m - (2 - rank);
      if (m < microbatches) mine.forward(rank, m);
      if (b >= 0 && !split) mine.backward(rank, b);
      if (b >= 0 && split) mine.backward_input(rank, b);
      if (b >= 0 && split) mine.backward_weight(rank, b);
    }
  return lower(plan);
}

Case spec() {
  Case c;
  c.program = Program::pipeline;
  c.world = 3;
  c.horizon = microbatches;
  c.batch = microbatches;
  c.model.widths = {1, 1, 1, 1};
  return c;
}

/// The rank's compute actions on a stage, with buffers for what would be received.
void layers_alone(Stage& stage, const std::vector<Action>& actions) {
  for (const Action& a : actions) {
    if (a.kind == ActionKind::forward) stage.forward(a.microbatch, at::empty({1, 1}));
    if (a.kind == ActionKind::backward) stage.backward(a.microbatch, at::empty({1, 1}));
    if (a.kind == ActionKind::backward_input) stage.backward_input(a.microbatch, at::empty({1, 1}));
    if (a.kind == ActionKind::backward_weight) stage.backward_weight(a.microbatch);
  }
}

void measure(benchmark::State& state, bool split, bool executor) {
  const auto file = std::filesystem::temp_directory_path() / ("pipeline-overhead-" + std::to_string(::getpid()));
  Board board = Board::create(file, 3);
  std::filesystem::remove(file);
  testing::StillComm nowhere;
  Communicator comm({&nowhere, &board, Deadline::max()});
  const Case one = spec();
  const Plan lowered = plan(split);
  PipelineStep step({one, lowered, comm});
  const at::Tensor batch = at::ones({microbatches, 1});
  for (auto _ : state) {
    if (executor)
      step.run(batch, {});
    else
      layers_alone(step.stages().front(), step.actions());
  }
  const auto actions = static_cast<double>(step.actions().size());
  state.counters["actions"] = actions;
  state.counters["per_action"] = benchmark::Counter(
      actions, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);  // seconds
}

}  // namespace
}  // namespace shardbench::bench

int main(int argc, char** argv) {
  using shardbench::bench::measure;
  at::set_num_threads(1);
  const c10::NoGradGuard no_gradient;
  for (const bool split : {false, true})
    for (const bool executor : {true, false})
      benchmark::RegisterBenchmark(
          (std::string(split ? "split/" : "whole/") + (executor ? "executor" : "layers")).c_str(),
          [=](benchmark::State& s) { measure(s, split, executor); })
          ->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
