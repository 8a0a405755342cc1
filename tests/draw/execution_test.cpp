#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "check/good_case.hpp"
#include "draw/execution.hpp"
#include "result/simulated_step.hpp"
#include "result/temporary_folder.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

/// F takes 1 ms, B 2 ms, a message 0.5 ms.
CaseResult traced() {
  CaseResult result = good_pipeline();
  Launch& launch = result.launches[0];
  for (Sample& sample : launch.samples)
    for (int stage = 0; stage < 2; ++stage)
      sample.ranks[static_cast<std::size_t>(stage)].stages = {{stage, 0.001, 0.002, 0, 0}};
  launch.traces = {{{"0F0", 100.000, 100.001},
                    {"0SEND_F0", 100.001, 100.0011},
                    {"0F1", 100.0011, 100.0021},
                    {"0RECV_B0", 100.0021, 100.005},
                    {"0B0", 100.005, 100.007},
                    {"0B1", 100.008, 100.010}},
                   {{"1RECV_F0", 100.0, 100.0015},
                    {"1F0", 100.0015, 100.0025},
                    {"1B0", 100.0025, 100.0045},
                    {"1F1", 100.0045, 100.0055},
                    {"1B1", 100.0055, 100.0075}}};
  return result;
}

}  // namespace

// 1F1B on 2 ranks, 2 microbatches, F 1, B 2 ms: rank 1 begins at 1 and is busy for 6, rank 0 ends with its last B: 9.
TEST(SimulatedStep, IsThePlanWithTheTimesOfTheRun) {
  const auto simulation = simulated_step(traced());
  ASSERT_TRUE(simulation);
  EXPECT_NEAR(simulation->makespan, 0.009, 1e-12);
  EXPECT_NEAR(simulation->ranks[1].idle_in_makespan(simulation->makespan), 0.003, 1e-12);
  EXPECT_FALSE(simulated_step(good_pipeline())) << "no step has times of stages";
  EXPECT_FALSE(simulated_step(good_training()));
}

TEST(ExecutionGantt, HasTheSimulatedStepAboveTheExecutedOne) {
  const auto gantt = execution_gantt(traced());
  ASSERT_TRUE(gantt);
  ASSERT_EQ(gantt->parts.size(), 2U);
  EXPECT_EQ(gantt->parts[0].title, "simulated");
  EXPECT_EQ(gantt->parts[1].title, "executed");
  ASSERT_EQ(gantt->parts[1].rows[1].boxes.size(), 4U);
  EXPECT_NEAR(gantt->parts[1].rows[1].boxes[0].begin, 1.5, 1e-6);
  EXPECT_NEAR(gantt->end(), 10, 1e-6);
  EXPECT_FALSE(execution_gantt(good_pipeline()));
}

TEST(ExecutionTrace, IsAnEventForEachActionOfEachRank) {
  const auto trace = nlohmann::json::parse(execution_trace(traced()));
  std::size_t slices = 0;
  for (const auto& event : trace.at("traceEvents")) slices += event.at("ph") == "X" ? 1 : 0;
  EXPECT_EQ(slices, 11U);
  const auto& first = trace.at("traceEvents").at(2);
  EXPECT_EQ(first.at("name"), "0F0");
  EXPECT_EQ(first.at("ts"), 0);
  EXPECT_EQ(execution_trace(good_pipeline()), "");
}

TEST(ExecutionTrace, IsAFileForEachCaseThatHasOne) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_trace_files({traced(), good_pipeline(), good_training()}, folder.path() / "traces"), 1U);
  EXPECT_TRUE(contents(folder.path() / "traces/1f1b-w2-h2.json").starts_with("{\"displayTimeUnit\""));
}
