#include "result/statistics.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace shardbench;

TEST(Quantile, InterpolatesLinearlyAsNumpyDoes) {
  // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], q), NumPy 1.24
  const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
  EXPECT_DOUBLE_EQ(quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 6.9);
  EXPECT_DOUBLE_EQ(quantile(values, 1), 9);
}

TEST(Quantile, OfOneValueIsThatValue) {
  EXPECT_EQ(quantile({7}, 0.9), 7);
  EXPECT_EQ(median({7}), 7);
}

TEST(Quantile, RefusesNoValuesAndOtherShares) {
  EXPECT_THROW(quantile({}, 0.5), std::invalid_argument);
  EXPECT_THROW(quantile({1}, 1.5), std::invalid_argument);
  EXPECT_THROW(quantile({1}, -0.1), std::invalid_argument);
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({9, 1, 5, 6}), 5.5);
}
