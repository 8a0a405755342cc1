#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(RestEqualsLaw, PassesExactlyAndFailsByOneByte) {
  CaseResult result = good_training();
  expect_passed(result, "rest_equals_law");
  rank_one(result).weights_bytes -= 1;
  expect_failed(result, "rest_equals_law", "rank 1: weights: 1052671 bytes, but the law says 1052672 bytes (1 less)");
}

TEST(RestEqualsLaw, NamesEveryRoleThatDiffers) {
  CaseResult result = good_training();
  rank_one(result).gradients_bytes += 4;
  rank_one(result).optimizer_bytes += 8;
  expect_failed(result, "rest_equals_law",
                "rank 1: gradients: 1052676 bytes, but the law says 1052672 bytes (4 more); "
                "optimizer: 2105356 bytes, but the law says 2105348 bytes (8 more)");
}

TEST(EqualTotals, FailsWhereOneRankHoldsMore) {
  CaseResult result = good_training(3);
  expect_passed(result, "equal_totals");
  rank_one(result).optimizer_bytes += 1024;
  expect_failed(result, "equal_totals",
                "rank 1: 4211716 bytes at rest, but rank 0 has 4210692 bytes at rest (1024 more)");
}

TEST(EqualTotals, IsNotRunWhereTheLawSaysRanksDiffer) {
  CaseResult result = good_training(3);
  rank_one(result).optimizer_bytes += 1024;
  for (auto& r : result.launches[0].ranks) r.law.equal_on_all_ranks = false;
  expect_not_run(result, "equal_totals", "the law says ranks differ");
}

TEST(EqualTotals, IsNotRunOnOneRank) { expect_not_run(good_training(1), "equal_totals", "there is one rank"); }

TEST(HoldingsEqualAllocator, ATensorTheStrategyForgetsIsTheDifference) {
  CaseResult result = good_training();
  expect_passed(result, "holdings_equal_allocator");
  expect_passed(good_pipeline(), "holdings_equal_allocator");
  rank_one(result).live_at_rest[static_cast<std::size_t>(Role::optimizer)] += 4096;
  expect_failed(
      result, "holdings_equal_allocator",
      "rank 1: the storages of the holdings have 4210692 bytes, but the allocator has 4214788 bytes (4096 less); "
      "optimizer: 2105348 bytes held, but the allocator has 2109444 bytes held (4096 less)");
}

TEST(HoldingsEqualAllocator, AHiddenBufferOfAnyRoleIsTheDifference) {
  CaseResult result = good_training();
  rank_one(result).live_at_rest[static_cast<std::size_t>(Role::temporary)] += 4096;
  expect_failed(
      result, "holdings_equal_allocator",
      "rank 1: the storages of the holdings have 4210692 bytes, but the allocator has 4214788 bytes (4096 less)");
}

TEST(HoldingsEqualAllocator, TheWrongRoleIsADifferenceToo) {
  CaseResult result = good_pipeline();
  rank_one(result).live_at_rest = {4220, 4228, 0, 0, 0, 0};
  expect_failed(result, "holdings_equal_allocator",
                "rank 1: weights: 4224 bytes held, but the allocator has 4220 bytes held (4 more); "
                "gradients: 4224 bytes held, but the allocator has 4228 bytes held (4 less)");
}

TEST(PeakWithinLaw, FailsOneByteAbove) {
  CaseResult result = good_training();
  expect_passed(result, "peak_within_law");
  rank_one(result).peak.bytes += 1;
  expect_failed(result, "peak_within_law",
                "rank 1: peak: 7000001 bytes, but the law allows 7000000 bytes (1 more), in backward of unit 0");
  expect_passed(result, "peak_close_to_law");
}

TEST(PeakCloseToLaw, AllowsOnePercentBelow) {
  CaseResult result = good_training();
  rank_one(result).peak.bytes = 6930000;
  expect_passed(result, "peak_close_to_law");
  rank_one(result).peak.bytes = 6929999;
  expect_passed(result, "peak_within_law");
  expect_failed(
      result, "peak_close_to_law",
      "rank 1: peak: 6929999 bytes, but the law says 7000000 bytes (70001 less), over 1 %, in backward of unit 0");
}

TEST(StepLeavesNothing, FailsOnALeak) {
  for (CaseResult result : {good_training(), good_pipeline()}) {
    expect_passed(result, "step_leaves_nothing");
    rank_one(result).alive_before_step = 1000;
    rank_one(result).alive_after_step = 1256;
    expect_failed(result, "step_leaves_nothing",
                  "rank 1: alive after the step: 1256 bytes, but before it there were 1000 bytes (256 more)");
  }
}

TEST(SavedEqualsConsumed, FailsOnAnUnusedSave) {
  for (CaseResult result : {good_training(), good_pipeline()}) {
    expect_passed(result, "saved_equals_consumed");
    rank_one(result).saved.saved = 10;
    rank_one(result).saved.consumed = 9;
    expect_failed(result, "saved_equals_consumed", "rank 1: saved: 10 tensors, but backward used 9 tensors (1 more)");
  }
}

TEST(SavedReleased, FailsOnASavedTensorThatIsKept) {
  for (CaseResult result : {good_training(), good_pipeline()}) {
    expect_passed(result, "saved_released");
    rank_one(result).saved.alive_after = 1;
    expect_failed(result, "saved_released", "rank 1: 1 saved tensors are alive after the step, but 0 should be");
  }
}
