#include "simulate/critical_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan_text.hpp"
#include "law/plans.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using testing::plan_of;

std::vector<std::string> texts(const Plan& plan, const std::vector<CriticalAction>& path) {
  std::vector<std::string> all;
  for (const CriticalAction& c : path)
    all.push_back(text(plan.ranks[static_cast<std::size_t>(c.rank)].actions[c.index]));
  return all;
}

TEST(CriticalPath, GoesOverRanksAndMessages) {
  const Plan plan = plan_of({0, 1}, {"0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"});
  const Simulation simulation = simulate(plan, {.latency = 0.5});
  const auto path = critical_path(plan, simulation);
  EXPECT_THAT(texts(plan, path), ElementsAre("0F0", "1F0", "1B0", "1F1", "1B1", "0B1"));
  EXPECT_EQ(path.front().begin, 0);
  EXPECT_EQ(path.back().end, simulation.makespan);
  EXPECT_EQ(path[1].waited, 0.5);
  EXPECT_EQ(path[2].waited, 0);
  EXPECT_EQ(path[5].waited, 0.5);
}

TEST(CriticalPath, AddsUpToTheMakespan) {
  const Plan plan = plan_of({0, 1, 1, 0}, {"0F0 3F0 3I0 0I0 0W0 3W0", "1F0 2F0 2I0 1I0 1W0 2W0"});
  const Simulation simulation =
      simulate(plan, {.stages = {{1, 2, 3}, {3, 2, 1}, {2, 2, 2}, {0, 1, 0}}, .latency = 0.25});
  double sum = 0, before = 0;
  for (const CriticalAction& c : critical_path(plan, simulation)) {
    EXPECT_EQ(c.begin, before + c.waited);
    before = c.end;
    sum += c.waited + c.end - c.begin;
  }
  EXPECT_EQ(sum, simulation.makespan);
}

}  // namespace
}  // namespace shardbench
