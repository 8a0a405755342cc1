#include "compare/signed_rank.hpp"

#include <gtest/gtest.h>
#include <random>

using namespace shardbench;

// Wilcoxon's T of 10 pairs is 10 or less in 43 of 1024 ways: that many sets of different numbers up to 10 have such a
// sum.
TEST(SignedRank, IsExact) {
  EXPECT_DOUBLE_EQ(signed_rank({1, 2, 3, 4, 5}).above, 1.0 / 32);
  EXPECT_DOUBLE_EQ(signed_rank({1, 2, 3, 4, 5}).below, 1);
  EXPECT_DOUBLE_EQ(signed_rank({1, 2, 3, 4, 5, 6, 7, 8, 9, -10}).above, 43.0 / 1024);
  EXPECT_DOUBLE_EQ(signed_rank({-1, -2, -3, -4, -5, -6, -7, -8, -9, 10}).below, 43.0 / 1024);
}

// Darwin's 15 pairs of maize, in Fisher, The Design of Experiments (1935), section 17; R's wilcox.test gives V = 96 and
// a two-sided p of 0.04126.
TEST(SignedRank, MeetsDarwinsMaize) {
  const std::vector<double> eighths_of_an_inch = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  EXPECT_NEAR(2 * signed_rank(eighths_of_an_inch).above, 0.04126, 0.000005);
}

TEST(SignedRank, TiesShareTheirRankAndZerosAreLeftOut) {
  EXPECT_DOUBLE_EQ(signed_rank({1, 1, -1}).above, 4.0 / 8);  // all have rank 2: two of three or more are above
  EXPECT_DOUBLE_EQ(signed_rank({1, 1, -1}).below, 7.0 / 8);
  EXPECT_DOUBLE_EQ(signed_rank({0, 3}).above, 0.5);
  EXPECT_DOUBLE_EQ(signed_rank({0, 0}).above, 1);
  EXPECT_DOUBLE_EQ(signed_rank({}).below, 1);
}

TEST(SignedRank, TheApproximationOfManyMeetsTheExactOne) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0.1, 1);
  std::vector<double> many(100);
  for (double& d : many) d = normal(random);
  const SignedRankTest exact = signed_rank(many);
  many.push_back(1e-9);  // the least rank of all
  EXPECT_NEAR(signed_rank(many).above, exact.above, 0.002);
  EXPECT_NEAR(signed_rank(many).below, exact.below, 0.002);
}

TEST(SignedRank, TheMiddleIsThatOfAllMeans) {
  EXPECT_DOUBLE_EQ(middle_difference({1, 2, 9}), 3.5);  // of 1, 1.5, 2, 5, 5.5, 9
}

TEST(SignedRank, TheCriticalSumIsTheLeastThatIsSignificant) {
  EXPECT_EQ(critical_sum(10, 43.0 / 1024), 45u);  // T of 10 on the other side
  EXPECT_EQ(critical_sum(10, 42.0 / 1024), 46u);
  EXPECT_EQ(critical_sum(5, 1.0 / 32), 15u);
  EXPECT_EQ(critical_sum(5, 0.03), 16u);  // none: more than all ranks
  EXPECT_NEAR(static_cast<double>(critical_sum(101, 0.0001)) / (101 * 102 / 2),
              static_cast<double>(critical_sum(100, 0.0001)) / (100 * 101 / 2), 0.003);  // approximate and exact
}
