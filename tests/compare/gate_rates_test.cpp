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
  const TimeRule rule{0.15, 5, 0.05, 20};
  const auto quiet = noise(60, 0.01, 1);
  const GateRates rates = gate_rates({"a", quiet, times(quiet, 1.25)}, rule);
  EXPECT_EQ(rates.comparisons, 1326u);  // the newer block begins at 5 ... 55, the base at 0 ... that - 5
  EXPECT_EQ(rates.independent, 1u);
  EXPECT_EQ(rates.false_alarms, 0u);
  EXPECT_EQ(rates.found, 1326u);
  EXPECT_EQ(gate_rates({"a", noise(49, 0.01, 1), noise(49, 0.01, 2)}, rule).comparisons, 0u);
}

TEST(GateRates, MeetTheGoalsWithNoiseAsOnTwoCores) {  // 7 % from launch to launch
  const TimeRule rule{0.15, 5, 0.05, 20};
  GateRates all;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    all += gate_rates({"a", noise(55, 0.07, 2 * seed), times(noise(55, 0.07, 2 * seed + 1), 1.25)}, rule);
  EXPECT_LE(200 * all.false_alarms, all.comparisons);
  EXPECT_LE(all.false_alarms, all.false_alarms_alone);
  EXPECT_GE(20 * all.found, 19 * all.comparisons);
}
