#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(HeapHeld, AllowsTheObjectsOfAStrategyAndNoCopyOfItsParameters) {
  CaseResult result = good_training();  // 16 parameter tensors
  rank_one(result).heap.held = 98304;
  expect_passed(result, "heap_held");
  rank_one(result).heap.held = 98304 + 2105344;
  expect_failed(result, "heap_held",
                "rank 1: the strategy held 2203648 bytes outside ATen's allocator, but 98304 are tolerated (2105344 "
                "more)");
}

TEST(StepLeavesHeap, FailsBeyondWhatMallocKeeps) {
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    rank_one(result).heap.step_growth = 262144;
    expect_passed(result, "step_leaves_heap");
    rank_one(result).heap.step_growth = 400000;
    expect_failed(result, "step_leaves_heap",
                  "rank 1: the audit step left 400000 bytes outside ATen's allocator, but 262144 are tolerated (137856 "
                  "more)");
    rank_one(result).heap.step_growth = -400000;
    expect_passed(result, "step_leaves_heap");
  }
}

TEST(TimedStepsLeaveHeap, FailsBeyondWhatMallocKeepsHoweverManySteps) {
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    rank_one(result).heap.timed_growth = 262144;
    expect_passed(result, "timed_steps_leave_heap");
    rank_one(result).heap.timed_growth = 262145;
    expect_failed(
        result, "timed_steps_leave_heap",
        "rank 1: 2 steps after the audit left 262145 bytes outside ATen's allocator, but 262144 are tolerated (1 "
        "more)");
  }
}
