#include "history/e_divisive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

using namespace shardbench;
using ::testing::IsEmpty;

namespace {

std::vector<double> noise(std::size_t size, double level, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(level, 0.05 * level);
  std::vector<double> values(size);
  for (double& v : values) v = normal(random);
  return values;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

// By hand: {0, 0 | 1, 1} has distance 1 between its parts and 0 within: 2*2/4 * (2*4/4 - 0 - 0) = 2.
TEST(EDivisive, TheStatisticIsThePapers) {
  EXPECT_DOUBLE_EQ(energy_statistic({0, 0, 1, 1}, 2), 2);
  // {0, 2 | 1, 5}: between 1 + 5 + 1 + 3 = 10, within 2 and 4: 1 * (2 * 10 / 4 - 2 - 4) = -1.
  EXPECT_DOUBLE_EQ(energy_statistic({0, 2, 1, 5}, 2), -1);
}

TEST(EDivisive, TheFastStatisticIsTheSame) {
  auto series = noise(61, 1, 1);
  series[10] = series[20] = series[30];  // ties
  const auto fast = energy_statistics(series, 4);
  for (std::size_t i = 4; i + 4 <= series.size(); ++i) EXPECT_NEAR(fast[i], energy_statistic(series, i), 1e-9) << i;
  EXPECT_EQ(fast[3], 0);
}

TEST(EDivisive, FindsEveryStep) {
  const auto series = joined(joined(noise(30, 1, 2), noise(25, 1.25, 3)), noise(40, 0.9, 4));
  const auto found = e_divisive(series);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(static_cast<double>(found[0].index), 30, 1);
  EXPECT_NEAR(static_cast<double>(found[1].index), 55, 1);
  EXPECT_LE(found[0].p, 0.01);
}

TEST(EDivisive, FindsNothingWhereNothingChanged) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) found += e_divisive(noise(60, 1, 100 + seed)).empty() ? 0 : 1;
  EXPECT_LE(found, 3);  // 1 % of series each
  EXPECT_THAT(e_divisive(std::vector<double>(40, 7.0)), IsEmpty());
  EXPECT_THAT(e_divisive({}), IsEmpty());
  EXPECT_THAT(e_divisive({1, 1, 1, 9, 9}), IsEmpty());  // too short for its test
}

TEST(EDivisive, OneOutlierIsNoChange) {
  auto series = noise(40, 1, 5);
  series[20] = 5;
  EXPECT_THAT(e_divisive(series), IsEmpty());
}

TEST(EDivisive, TheSameSeriesGivesTheSameAnswer) {
  const auto series = joined(noise(20, 1, 6), noise(20, 1.06, 7));
  const auto once = e_divisive(series), again = e_divisive(series);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].index, again[i].index);
    EXPECT_EQ(once[i].p, again[i].p);
  }
}
