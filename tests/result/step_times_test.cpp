#include "result/step_times.hpp"

#include <gtest/gtest.h>

using namespace shardbench;

namespace {

/// A case with these step times, one list per launch; rank 1 takes half as long as rank 0.
CaseResult timed(const TimesByLaunch& launches) {
  CaseResult result;
  for (const auto& seconds : launches) {
    Launch& launch = result.launches.emplace_back();
    for (const double s : seconds) launch.samples.push_back({s, {{s, 0, 0, 0, 0}, {s / 2, 0, 0, 0, 0}}});
  }
  return result;
}

}  // namespace

TEST(StepTimes, TheMedianIsOverLaunchesNotOverSamples) {
  // One slow launch with many samples: the median of all six samples would be 10.
  const auto times = step_times(timed({{1}, {2}, {10, 10, 10, 11}}));
  EXPECT_EQ(median_of_medians(times), 2);
  EXPECT_EQ(smallest(times), 1);
  EXPECT_DOUBLE_EQ(*ninetieth_percentile(times), 10.5);
}

TEST(StepTimes, ARankHasItsOwn) {
  const auto result = timed({{2, 4, 6}});
  EXPECT_EQ(median_of_medians(rank_times(result, 1, &StepTime::step)), 2);
}

TEST(StepTimes, ALaunchThatIsRejectedGivesNone) {
  CaseResult result = timed({{1}, {20}, {30}});
  result.launches[0].rejected_by = "timed_sent_equals_law";
  EXPECT_EQ(step_times(result), (TimesByLaunch{{20}, {30}}));
  EXPECT_EQ(rank_times(result, 1, &StepTime::step), (TimesByLaunch{{10}, {15}}));
  for (Launch& launch : result.launches) launch.rejected_by = "timed_sent_equals_law";
  EXPECT_EQ(median_of_medians(step_times(result)), std::nullopt);
}

TEST(StepTimes, NothingWithoutSamples) {
  const auto times = step_times(timed({{}, {}}));
  EXPECT_EQ(median_of_medians(times), std::nullopt);
  EXPECT_EQ(smallest(times), std::nullopt);
  EXPECT_EQ(ninetieth_percentile(times), std::nullopt);
}
