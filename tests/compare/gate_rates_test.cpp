#include "compare/gate_rates.hpp"

#include <gtest/gtest.h>
#include <random>

#include "compare/runs.hpp"

using namespace shardbench;
using shardbench::testing::times;

namespace {

LaunchMedians noise(std::size_t size, double spread, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(1, spread);
  LaunchMedians values(size);
  for (double& v : values) v = normal(random);
  return values;
}

}  // namespace

TEST(GateRates, PlaysEveryPairOfBlocks) {
  const TimeRule rule{0.15, 5, 0.05, 20, 40, 0.0001};
  const auto quiet = noise(50, 0.01, 1);
  const GateRates rates = gate_rates({"a", quiet, quiet, times(quiet, 1.25)}, rule);
  EXPECT_EQ(rates.comparisons, 861u);  // the newer block begins at 5 ... 45, the base at 0 ... that - 5
  EXPECT_EQ(rates.independent, 1u);
  EXPECT_EQ(rates.false_alarms, 0u);
  EXPECT_EQ(rates.found, 861u);
  const auto few = noise(29, 0.01, 1);
  EXPECT_EQ(gate_rates({"a", few, few, few}, rule).comparisons, 0u);
}

TEST(GateRates, MeetTheGoalsWithNoiseAsOnTwoCores) {  // 12 % from launch to launch
  const TimeRule rule{0.15, 5, 0.05, 20, 40, 0.0001};
  GateRates all;
  for (std::uint64_t seed = 0; seed < 12; seed += 3)
    all += gate_rates({"a", noise(45, 0.12, seed), noise(45, 0.12, seed + 1), times(noise(45, 0.12, seed + 2), 1.25)},
                      rule);
  EXPECT_LE(200 * all.false_alarms, all.comparisons);
  EXPECT_GE(all.suspected, all.found);
  EXPECT_GT(all.reruns, all.false_alarms);
  EXPECT_GE(20 * all.found, 19 * all.comparisons);
}

TEST(GateRates, RoundsLimitTheTurns) {
  const TimeRule rule{0.15, 5, 0.05, 20, 100, 0.0001};
  EXPECT_EQ(turns_in(50, rule), 40);
  EXPECT_EQ(turns_in(200, rule), 100);
  EXPECT_EQ(turns_in(9, rule), 0);
}

TEST(GateRates, AReRunThatGoesOnFindsMore) {
  const auto base = noise(50, 0.2, 1), same = noise(50, 0.2, 2), slower = times(noise(50, 0.2, 3), 1.25);
  const GateRates once = gate_rates({"a", base, same, slower}, {0.15, 5, 0.05, 20, 20, 0.0001});
  const GateRates on = gate_rates({"a", base, same, slower}, {0.15, 5, 0.05, 20, 60, 0.0001});
  EXPECT_GT(on.found, once.found);
  EXPECT_LT(on.ambiguous, once.ambiguous);
}
