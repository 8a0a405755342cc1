#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "law/plan.hpp"
#include "law/plan_text.hpp"
#include "plugins/schedules/schedule.hpp"
#include "simulate/simulate.hpp"

// pytorch-2.13-plans.jsonl holds the plans (pipeline_order, as _dump_csv writes them) that torch.distributed.pipelining
// of PyTorch 2.13.0 makes: ScheduleGPipe, ScheduleInterleaved1F1B, ScheduleLoopedBFS, ScheduleInterleavedZeroBubble,
// ScheduleZBVZeroBubble and ScheduleDualPipeV at many p, v and m; one JSON object a line, one text per rank.

namespace shardbench {
namespace {

struct PyTorchPlan {
  std::string schedule;
  ScheduleInput in;
  Plan plan;
};

std::vector<PyTorchPlan> plans() {
  std::vector<PyTorchPlan> all;
  std::ifstream lines(PYTORCH_PLANS);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    std::string text;
    for (const auto& row : json.at("plan")) text += row.get<std::string>() + "\n";
    all.push_back({json.at("schedule"),
                   {json.at("ranks"), json.at("chunks"), json.at("microbatches"), {}},
                   parse_plan(text, "PyTorch's plan").plan});
  }
  return all;
}

template <class Check>
void for_all_plans(Check check) {
  const auto all = plans();
  ASSERT_EQ(all.size(), 161u);
  for (const PyTorchPlan& p : all) {
    SCOPED_TRACE(p.schedule + ", " + std::to_string(p.in.ranks) + " ranks, " + std::to_string(p.in.chunks) +
                 " chunks, " + std::to_string(p.in.microbatches) + " microbatches");
    check(p);
  }
}

TEST(PyTorchsPlans, AreReadAndValid) {
  for_all_plans([](const PyTorchPlan& p) {
    EXPECT_EQ(microbatches_of(p.plan), p.in.microbatches);
    EXPECT_NO_THROW(validate(p.plan, p.in));
  });
}

TEST(PyTorchsPlans, AreSimulated) {
  for_all_plans([](const PyTorchPlan& p) {
    const Simulation simulation = simulate(p.plan, {});
    EXPECT_GE(simulation.makespan, 3.0 * p.in.microbatches * p.in.chunks);
  });
}

TEST(PyTorchsPlans, AreThoseOfOurPlugins) {
  std::map<std::string, testing::Schedule> schedules;
  for_all_plans([&](const PyTorchPlan& p) {
    const Plan ours = schedules.try_emplace(p.schedule, p.schedule).first->second.plan(p.in);
    EXPECT_EQ(ours.placement, p.plan.placement);
    EXPECT_EQ(plan_text(ours), plan_text(p.plan));
  });
}

}  // namespace
}  // namespace shardbench
