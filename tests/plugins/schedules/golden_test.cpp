#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"
#include "plugins/schedules/schedule.hpp"
#include "simulate/simulate.hpp"

namespace shardbench {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using testing::Schedule;

// torch.distributed.pipelining.ScheduleGPipe and Schedule1F1B of two ranks, three microbatches.
TEST(Schedules, PlansOfTwoRanks) {
  EXPECT_THAT(testing::rows_of(Schedule("gpipe").plan(2, 3)),
              ElementsAre("0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1F2 1B0 1B1 1B2"));
  EXPECT_THAT(testing::rows_of(Schedule("1f1b").plan(2, 3)),
              ElementsAre("0F0 0F1 0B0 0F2 0B1 0B2", "1F0 1B0 1F1 1B1 1F2 1B2"));
}

/// One schedule at p = 4, m = 8 with tF = tB = tW = 1 and no cost of communication. The numbers are those that are
/// published: Narayanan et al., SC 2021 (gpipe, 1f1b, interleaved); Qi et al., ICLR 2024, Table 1 and sections 2 and 6
/// (zb_*, zbv); Qi et al., NeurIPS 2024 (v_*); Lamy-Poirier, MLSys 2023; DeepSeek-V3, 2024.
struct Golden {
  const char* name;
  int chunks;
  double makespan, idle;
  std::vector<int> until_input, until_weight;
  std::vector<double> idle_in_span;
};

const std::vector<Golden> goldens{
    {"gpipe", 1, 33, 9, {8, 8, 8, 8}, {8, 8, 8, 8}, {9, 6, 3, 0}},
    {"1f1b", 1, 33, 9, {4, 3, 2, 1}, {4, 3, 2, 1}, {9, 6, 3, 0}},
    {"eager_1f1b", 1, 33, 9, {7, 5, 3, 1}, {7, 5, 3, 1}, {9, 6, 3, 0}},
    {"interleaved_1f1b", 2, 57, 9, {11, 9, 7, 5}, {11, 9, 7, 5}, {9, 6, 3, 0}},
    {"interleaved_1f1b", 4, 105, 9, {19, 17, 15, 13}, {19, 17, 15, 13}, {9, 6, 3, 0}},
    {"looped_bfs", 2, 57, 9, {16, 16, 16, 16}, {16, 16, 16, 16}, {9, 6, 3, 0}},
    {"zb_h1", 1, 27, 3, {4, 3, 2, 1}, {4, 4, 4, 4}, {3, 2, 1, 0}},
    {"zb_h2", 1, 27, 3, {7, 5, 3, 1}, {7, 7, 7, 7}, {0, 0, 0, 0}},
    {"interleaved_zb", 2, 51, 3, {8, 7, 6, 5}, {8, 8, 8, 8}, {3, 2, 1, 0}},
    {"zbv", 2, 51, 3, {8, 8, 8, 8}, {8, 8, 8, 8}, {0, 0, 0, 0}},
    {"dualpipev", 2, 51, 3, {9, 9, 9, 9}, {9, 9, 9, 9}, {3, 2, 1, 0}},
    // (p + 2) / 2 = 3 and (p + 4) / 3 = 2 microbatches of two chunks; 3p = 12 is p / (2m) of the 6m that a step takes.
    {"v_half", 2, 60, 12, {6, 6, 6, 6}, {6, 6, 6, 6}, {12, 10, 8, 6}},
    {"v_min", 2, 59, 11, {4, 4, 3, 4}, {4, 4, 4, 4}, {11, 9, 7, 6}}};

TEST(Schedules, OfFourRanksAndEightMicrobatchesSimulateToTheirPublishedNumbers) {
  for (const Golden& golden : goldens) {
    SCOPED_TRACE(golden.name);
    const Simulation simulation = simulate(Schedule(golden.name).plan(4, 8, golden.chunks), {});
    EXPECT_EQ(simulation.makespan, golden.makespan);
    EXPECT_EQ(simulation.in_flight.until_input, golden.until_input);
    EXPECT_EQ(simulation.in_flight.until_weight, golden.until_weight);
    std::vector<double> in_span;
    for (const SimulatedRank& rank : simulation.ranks) {
      EXPECT_EQ(rank.idle_in_makespan(simulation.makespan), golden.idle);
      in_span.push_back(rank.idle_in_span());
    }
    EXPECT_EQ(in_span, golden.idle_in_span);
  }
}

Simulation uneven(const char* name, int chunks) {
  return simulate(Schedule(name).plan(4, 8, chunks), {.stages = {{1, 1.3, 0.7}}});
}

// A split backward whose halves differ: zbv's zero bubble needs tF = tB = tW.
TEST(Schedules, WithUnevenHalvesOfTheBackward) {
  EXPECT_NEAR(uneven("1f1b", 1).makespan, 33, 1e-9);
  EXPECT_NEAR(uneven("zb_h1", 1).makespan, 28.8, 1e-9);
  EXPECT_NEAR(uneven("dualpipev", 2).makespan, 52.8, 1e-9);
  const Simulation zbv = uneven("zbv", 2);
  EXPECT_NEAR(zbv.makespan, 51.9, 1e-9);
  std::vector<double> in_span;
  for (const SimulatedRank& rank : zbv.ranks) in_span.push_back(rank.idle_in_span());
  EXPECT_THAT(in_span,
              ElementsAre(DoubleNear(3.6, 1e-9), DoubleNear(2.7, 1e-9), DoubleNear(1.8, 1e-9), DoubleNear(0.9, 1e-9)));
}

// Zhuang et al., MLSys 2023: with a message as long as a forward, eager 1F1B hides what 1F1B waits for.
TEST(Schedules, EagerHidesCommunication) {
  const SimulationCosts costs{.latency = 1};
  EXPECT_EQ(simulate(Schedule("1f1b").plan(4, 8), costs).makespan, 49);
  EXPECT_EQ(simulate(Schedule("eager_1f1b").plan(4, 8), costs).makespan, 39);
}

TEST(Schedules, InFlightWithFewerMicrobatchesThanRanks) {
  EXPECT_THAT(peak_in_flight(Schedule("gpipe").plan(4, 2)).until_input, ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(peak_in_flight(Schedule("1f1b").plan(4, 2)).until_input, ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(peak_in_flight(Schedule("zbv").plan(4, 2, 2)).until_weight, ElementsAre(3, 4, 4, 4));
}

// Qi et al., NeurIPS 2024, section 4: (p + 2) / 2 and at most (p + 4) / 3 microbatches, and the bubbles p / (2m) and 2p
// / (3m) of the step, nearly.
TEST(Schedules, TheVsKeepTheirMemoryAtAnySize) {
  for (int p = 2; p <= 32; ++p) {
    SCOPED_TRACE(p);
    const int m = 4 * p;
    const Simulation half = simulate(Schedule("v_half").plan(p, m, 2), {});
    EXPECT_THAT(half.in_flight.until_weight, Each((p + 2) / 2 * 2));
    EXPECT_LE(half.makespan - 6.0 * m, 3.5 * p);
    const Simulation least = simulate(Schedule("v_min").plan(p, m, 2), {});
    EXPECT_THAT(least.in_flight.until_weight, Each(::testing::Le((p + 4) / 3 * 2)));
    EXPECT_LE(least.makespan - 6.0 * m, 4.0 * p);
  }
}

}  // namespace
}  // namespace shardbench
