#include "compare/mann_whitney.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <random>

using namespace shardbench;

// Mann and Whitney 1947, table I: P(U <= u), n = m = 5. U counts the pairs in which the second value is the smaller.
TEST(MannWhitney, MeetsTheTableOfItsPaper) {
  const std::vector<double> first = {1, 2, 3, 4, 5};
  EXPECT_NEAR(mann_whitney(first, {6, 7, 8, 9, 10}).second_larger, 0.004, 0.0005);
  EXPECT_NEAR(mann_whitney(first, {4.5, 7, 8, 9, 10}).second_larger, 0.008, 0.0005);
  EXPECT_NEAR(mann_whitney({1, 2, 3, 4, 9}, {5, 6, 7, 8, 10}).second_larger, 0.048, 0.0005);
  EXPECT_DOUBLE_EQ(mann_whitney({1, 2, 3, 4, 9}, {5, 6, 7, 8, 10}).u, 21);
}

TEST(MannWhitney, IsExactWithTies) {  // 7 of the 35 choices have at least this rank sum, 34 at most
  const RankTest test = mann_whitney({1, 2, 2, 3}, {2, 3, 4});
  EXPECT_DOUBLE_EQ(test.u, 9.5);
  EXPECT_DOUBLE_EQ(test.second_larger, 7.0 / 35);
  EXPECT_DOUBLE_EQ(test.second_smaller, 34.0 / 35);
  EXPECT_DOUBLE_EQ(mann_whitney({1, 1}, {1, 1}).second_larger, 1);
}

TEST(MannWhitney, IsTheSameFromTheOtherSide) {
  const std::vector<double> a = {3, 1, 4, 1, 5}, b = {9, 2, 6, 5, 3, 5};
  EXPECT_DOUBLE_EQ(mann_whitney(a, b).second_larger, mann_whitney(b, a).second_smaller);
  EXPECT_DOUBLE_EQ(mann_whitney(a, b).u + mann_whitney(b, a).u, 30);
}

TEST(MannWhitney, NothingSaysNothing) {
  EXPECT_DOUBLE_EQ(mann_whitney({}, {1, 2}).second_larger, 1);
  EXPECT_DOUBLE_EQ(mann_whitney({1, 2}, {}).second_smaller, 1);
  EXPECT_DOUBLE_EQ(mann_whitney({2}, std::vector<double>(100, 2.0)).second_larger, 1);
}

TEST(MannWhitney, TheApproximationOfManyMeetsTheExactOne) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 1);
  std::vector<double> a(15), b(15);
  for (double& x : a) x = normal(random);
  for (double& x : b) x = normal(random) + 0.3;
  const double exact = mann_whitney(a, b).second_larger;
  a.push_back(*std::min_element(a.begin(), a.end()) - 1);  // 31 values: approximate, and hardly another sample
  const double approximate = mann_whitney(a, b).second_larger;
  EXPECT_NEAR(approximate, exact, 0.3 * exact);
}

TEST(MannWhitney, RejectsAsOftenAsItSays) {  // of exchangeable samples; p is discrete, so at most 5 %
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(0, 1);
  int rejected = 0;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> a(5), b(5);
    for (double& x : a) x = uniform(random);
    for (double& x : b) x = uniform(random);
    rejected += mann_whitney(a, b).second_larger <= 0.05;
  }
  EXPECT_NEAR(rejected / 4000.0, 12.0 / 252, 0.012);  // U >= 21: 12 of 252
}

TEST(MannWhitney, TheCriticalUIsTheLeastThatIsSignificant) {
  EXPECT_EQ(critical_u(5, 5, 0.05), 21u);  // 12 of 252
  EXPECT_EQ(critical_u(5, 5, 0.004), 25u);
  EXPECT_EQ(critical_u(5, 5, 0.003), 26u);  // none: more than all pairs
  EXPECT_NEAR(static_cast<double>(critical_u(16, 15, 0.05)) / 240, static_cast<double>(critical_u(15, 15, 0.05)) / 225,
              0.01);  // approximate and exact
}
