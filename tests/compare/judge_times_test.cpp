#include "compare/judge_times.hpp"

#include <gtest/gtest.h>

#include "compare/runs.hpp"

using namespace shardbench;
using shardbench::testing::steady;
using shardbench::testing::times;

namespace {

const TimeRule rule{0.15, 5, 0.05, 5, 60, 0.01};

/// Seven launches of a machine that is in a mood.
const LaunchMedians again = {1.0, 1.4, 0.9, 1.6, 1.1, 1.3, 2.0};

/// By the first look.
Change change(double by) { return judge_times(steady, times(steady, by), rule).change; }

}  // namespace

TEST(JudgeTimes, TheFirstLookAloneMakesNothingSlower) {
  EXPECT_EQ(change(1.25), Change::suspect);
  EXPECT_EQ(change(30), Change::suspect);
  EXPECT_EQ(change(1 / 1.25), Change::suspect);
  EXPECT_EQ(judge_times(steady, times(steady, 1.25), rule).reason, "slower by the first look");
  EXPECT_EQ(judge_times(steady, times(steady, 1 / 1.25), rule).reason, "faster by the first look");
  EXPECT_EQ(change(1.0), Change::same);
  EXPECT_EQ(change(1.04), Change::same);                 // significant, but far below the threshold
  const LaunchMedians wild = {0.7, 0.8, 1.2, 1.9, 2.0};  // far beyond the threshold, but all over the place
  const TimeJudgement j = judge_times(steady, wild, rule);
  EXPECT_EQ(j.change, Change::suspect);
  EXPECT_TRUE(j.worth_rerun);
  EXPECT_EQ(j.reason, "the launches spread too far to tell");
}

TEST(JudgeTimes, AReRunNeedsTheThresholdAndTheTest) {
  const auto again_by = [](double by) { return confirm_times(steady, steady, again, times(again, by), rule).change; };
  EXPECT_EQ(again_by(1.25), Change::larger);
  EXPECT_EQ(again_by(1 / 1.25), Change::smaller);
  EXPECT_EQ(again_by(1.05), Change::same);
  EXPECT_EQ(again_by(1.0), Change::same);
}

TEST(JudgeTimes, TheRatioIsTheMedianOfAllPairs) {
  EXPECT_DOUBLE_EQ(judge_times({1, 2}, {2, 6}, rule).ratio, 2.5);  // of 1, 2, 3, 6
}

TEST(JudgeTimes, NearTheThresholdItIsASuspect) {
  const TimeJudgement j = judge_times(steady, times(steady, 1.14), rule);
  EXPECT_EQ(j.change, Change::suspect);
  EXPECT_EQ(j.reason, "significant, but too near to the threshold to tell");
  const TimeJudgement third = judge_times(steady, times(steady, 1.06), rule);  // of the threshold
  EXPECT_EQ(third.change, Change::suspect);
  EXPECT_EQ(third.reason, "within the threshold, but too near to it for the first look");
  EXPECT_EQ(change(1.04), Change::same);
  // No sign of a change, and none of "same".
  EXPECT_EQ(judge_times(steady, {0.7, 0.9, 1.02, 1.2, 1.3}, rule).change, Change::suspect);
}

TEST(JudgeTimes, TooFewLaunchesAreNeverTheSame) {
  for (const double by : {1.0, 3.0}) {
    const TimeJudgement j = judge_times(steady, times({1.0, 1.01, 1.02, 1.03}, by), rule);
    EXPECT_EQ(j.change, Change::ambiguous);
    EXPECT_EQ(j.reason, "5 and 4 launches, but 5 on each side are needed");
    EXPECT_FALSE(j.worth_rerun);
  }
  EXPECT_EQ(judge_times({1, 1}, {1, 1}, {0.15, 2, 0.05, 5}).change, Change::suspect);  // p cannot be below 1/6
  EXPECT_EQ(judge_times({}, steady, rule).change, Change::not_comparable);
  EXPECT_EQ(judge_times(steady, {}, rule).reason, "there are no times now");
}

TEST(JudgeTimes, AReRunDecides) {
  const auto slow = times(steady, 1.3), near = times(steady, 1.14);
  EXPECT_EQ(confirm_times(steady, slow, again, times(again, 1.3), rule).change, Change::larger);
  EXPECT_EQ(confirm_times(steady, near, again, times(again, 1.3), rule).change, Change::larger);
  EXPECT_EQ(confirm_times(steady, slow, {}, slow, rule).change, Change::larger);  // against the old base
  EXPECT_EQ(confirm_times(steady, slow, again, again, rule).change, Change::same);
  // The machine was slow that night, and when it ran again so was the base.
  EXPECT_EQ(confirm_times(steady, slow, times(again, 1.3), times(again, 1.3), rule).change, Change::same);
}

TEST(JudgeTimes, PairsOfAReRunShareWhatTheMachineDoes) {
  const LaunchMedians wild = {1, 3, 1.5, 2.5, 0.8, 4, 2, 1.2};
  const TimeJudgement j = confirm_times(steady, times(steady, 1.3), wild, times(wild, 1.2), rule);
  EXPECT_EQ(j.change, Change::larger);
  EXPECT_NEAR(j.ratio, 1.2, 1e-12);
  EXPECT_NEAR(j.p, 1.0 / 256, 1e-12);  // 8 of 8 one way
  EXPECT_EQ(judge_times(wild, times(wild, 1.2), rule).change, Change::suspect);
}

TEST(JudgeTimes, APairedReRunGoesOnWhileItIsAmbiguous) {
  TimeRule most = rule;
  most.most_confirming_launches = 4;
  const auto slow = times(steady, 1.3);
  const TimeJudgement three = confirm_times(steady, slow, {1, 1, 1}, {1.3, 1.3, 1.3}, most);
  EXPECT_EQ(three.change, Change::suspect);
  EXPECT_TRUE(three.worth_rerun);
  const TimeJudgement four = confirm_times(steady, slow, {1, 1, 1, 1}, {1.3, 1.3, 1.3, 1.3}, most);
  EXPECT_EQ(four.change, Change::ambiguous);
  EXPECT_FALSE(four.worth_rerun);
  const TimeJudgement alone = confirm_times(steady, slow, {}, {0.7, 2.0, 1.2, 1.9, 0.8}, rule);  // against the old base
  EXPECT_EQ(alone.change, Change::ambiguous);
  EXPECT_FALSE(alone.worth_rerun);
}

TEST(JudgeTimes, AReRunThatDoesNotAgreeIsAmbiguous) {
  const auto slow = times(steady, 1.3);
  const TimeJudgement gone = confirm_times(steady, slow, steady, {}, rule);
  EXPECT_EQ(gone.change, Change::ambiguous);
  EXPECT_EQ(gone.reason, "the re-run gave no times");
  // Where the first look told nothing, there is nothing to contradict.
  EXPECT_EQ(confirm_times(steady, {0.8, 0.9, 1.0, 1.1, 0.85}, again, times(again, 1.3), rule).change, Change::larger);
  const TimeJudgement other = confirm_times(steady, slow, times(again, 1.3), again, rule);
  EXPECT_EQ(other.change, Change::ambiguous);
  EXPECT_EQ(other.reason, "the re-run points the other way: x 1.30 at first, x 0.77 again");
  const TimeJudgement wild = confirm_times(steady, slow, steady, {0.7, 0.8, 1.2, 1.9, 2.0}, rule);
  EXPECT_EQ(wild.reason, "x 1.30 at first, and the re-run does not tell: the launches spread too far to tell");
  // 21 of 25 pairs are enough at first, but not again: p is 0.048, and 0.01 is asked for.
  const LaunchMedians lower = {1.005, 1.3, 1.3, 1.3, 1.3};
  EXPECT_EQ(judge_times(steady, lower, rule).reason, "slower by the first look");
  EXPECT_EQ(confirm_times(steady, lower, {}, lower, rule).change, Change::ambiguous);
  // Likewise 5 of 5 pairs one way: p is 1/32, and more turns may tell.
  EXPECT_EQ(confirm_times(steady, slow, steady, slow, rule).change, Change::suspect);
}

TEST(JudgeTimes, TheGateGivesTheRule) {
  Gate gate;
  gate.launches = 7;
  gate.metrics["update_s"] = {.threshold = 0.5, .launches = {}, .better = Better::smaller};
  EXPECT_DOUBLE_EQ(rule_for("step_median_s", gate).threshold, 0.15);
  EXPECT_DOUBLE_EQ(rule_for("update_s", gate).threshold, 0.5);
  EXPECT_EQ(rule_for("update_s", gate).launches, 7);
  EXPECT_DOUBLE_EQ(rule_for("update_s", gate).confirming_significance, 0.0001);
}
