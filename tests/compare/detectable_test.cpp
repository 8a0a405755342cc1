#include "compare/detectable.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <random>

#include "compare/runs.hpp"
#include "compare/signed_rank.hpp"

using namespace shardbench;
using shardbench::testing::steady;
using shardbench::testing::times;

namespace {

const TimeRule rule{0.15, 5, 0.05, 20, 100, 0.0001};
const LaunchMedians none;

/// Launches whose logarithms spread by `deviation`.
LaunchMedians noise(std::size_t size, double deviation, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, deviation);
  LaunchMedians values(size);
  for (double& v : values) v = std::exp(normal(random));
  return values;
}

double of_turns(const LaunchMedians& base, const LaunchMedians& next, const TimeRule& by = rule) {
  return detectable_slowdown({none, none, base, next}, by).value();
}

}  // namespace

TEST(Detectable, WhereNothingSpreadsItIsTheThreshold) {
  const LaunchMedians still(20, 1.0);
  EXPECT_NEAR(of_turns(still, still), 0.15, 1e-12);
  EXPECT_NEAR(of_turns(still, times(still, 2)), 0.15, 1e-12);  // a change of all is no spread
  EXPECT_NEAR(detectable_slowdown({still, still, none, none}, rule).value(), 0.15, 1e-12);
}

// Normal differences: the test's own size is small beside the threshold's, which the estimate with deviation
// s sqrt(pi / 3 / n) exceeds 19 times in 20 (asymptotic efficiency 3 / pi: Hodges and Lehmann, Annals of Mathematical
// Statistics 27 (1956)).
TEST(Detectable, MeetsTheNormalTheoryOfTheEstimate) {
  const double deviation = 0.2;  // of a launch; of a turn's ratio sqrt(2) times that
  const auto base = noise(2000, deviation, 1), next = noise(2000, deviation, 2);
  const double expected =
      std::log(1.15) + 1.645 * deviation * std::sqrt(2.0) * std::sqrt(M_PI / 3 / rule.most_confirming_launches);
  EXPECT_NEAR(std::log1p(of_turns(base, next)), expected, 0.012);
}

TEST(Detectable, IsWhatTheGateFindsNineteenTimesInTwenty) {
  for (const double deviation : {0.1, 0.3, 0.6}) {
    const auto base = noise(500, deviation, 1), next = noise(500, deviation, 2);
    const double slowdown = of_turns(base, next);
    int found = 0, less = 0;
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
      const auto before = noise(100, deviation, 10 + 2 * trial), now = noise(100, deviation, 11 + 2 * trial);
      const auto look = [&](double by) {
        return confirm_times(steady, times(steady, by), before, times(now, by), rule).change == Change::larger;
      };
      found += look(1 + slowdown);
      less += look(1 + slowdown / 2);
    }
    EXPECT_NEAR(found, 190, 12) << deviation;
    EXPECT_LT(less, 100) << deviation;
  }
}

TEST(Detectable, NoisyCasesAreBeyondWhatIsExpected) {
  EXPECT_LT(of_turns(noise(20, 0.1, 1), noise(20, 0.1, 2)), expected_slowdown);
  EXPECT_GT(of_turns(noise(20, 0.8, 1), noise(20, 0.8, 2)), expected_slowdown);
}

TEST(Detectable, WithoutTurnsTheSpreadIsThatWithinASide) {
  const auto base = noise(30, 0.2, 1), next = noise(30, 0.2, 2);
  const double within = detectable_slowdown({base, times(next, 3), none, none}, rule).value();
  EXPECT_NEAR(within, of_turns(base, next), 0.05);
}

TEST(Detectable, AgainstOldLaunchesTheRankSumTestFindsLess) {
  const auto base = noise(5, 0.1, 1), again = noise(20, 0.1, 2);
  const double alone = detectable_slowdown({base, base, none, again}, rule).value();
  EXPECT_GT(alone, of_turns(noise(20, 0.1, 3), again));
  // 3 old launches and 8 new ones have no p below 1 in 165: nothing is ever found.
  const LaunchMedians three = {1, 1.1, 1.2};
  EXPECT_TRUE(
      std::isinf(detectable_slowdown({three, three, none, noise(8, 0.1, 2)}, {0.15, 3, 0.05, 8, 8, 0.0001}).value()));
}

TEST(Detectable, TooFewTurnsFindNothingHoweverSlow) {  // 2^-8 is 0.0039
  EXPECT_TRUE(std::isinf(of_turns(steady, steady, {0.15, 5, 0.05, 8, 8, 0.001})));
  EXPECT_FALSE(std::isinf(of_turns(steady, steady, {0.15, 5, 0.05, 8, 8, 0.004})));
}

TEST(Detectable, FewLaunchesTellNothing) {
  const LaunchMedians four = {1, 1, 1, 1};
  EXPECT_EQ(detectable_slowdown({four, four, none, none}, rule), std::nullopt);
  EXPECT_EQ(detectable_slowdown({four, steady, none, steady}, rule), std::nullopt);
  EXPECT_TRUE(detectable_slowdown({steady, steady, four, four}, rule).has_value());  // by the first look's then
}
