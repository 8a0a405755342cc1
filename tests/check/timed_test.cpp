#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(TimedSentEqualsLaw, ComparesCallsAndBytesOfAllSteps) {
  CaseResult result = good_training();
  expect_passed(result, "timed_sent_equals_law");
  auto& traffic = rank_one(result).timed.traffic;
  traffic[Operation::all_gather].calls = 1;
  traffic[Operation::reduce_scatter].sent_bytes = 0;
  expect_failed(result, "timed_sent_equals_law",
                "rank 1: reduce_scatter: 0 bytes sent, but for 2 steps the law says 2105344 bytes sent (2105344 less); "
                "all_gather: 1 calls, but for 2 steps the law says 2 calls (1 less)");
}

TEST(TimedSentEqualsLaw, ComparesAPipelineWithItsPlanAndACollectiveWithItsLaw) {
  CaseResult pipeline = good_pipeline(), collective = good_collective();
  expect_passed(pipeline, "timed_sent_equals_law");
  expect_passed(collective, "timed_sent_equals_law");
  rank_one(pipeline).timed.traffic[Operation::send].sent_bytes = 1024;
  expect_failed(pipeline, "timed_sent_equals_law",
                "rank 1: send: 1024 bytes sent, but for 2 steps the plan says 2048 bytes sent (1024 less)");
  rank_one(collective).timed.traffic[Operation::all_reduce].calls = 0;
  expect_failed(collective, "timed_sent_equals_law",
                "rank 1: all_reduce: 0 calls, but for 2 steps the law says 2 calls (2 less)");
}

TEST(TimedSentEqualsLaw, IsNotRunWithoutAPrediction) {
  CaseResult result = good_pipeline();
  result.schedule.traffic.pop_back();
  expect_not_run(result, "timed_sent_equals_law", "rank 1: the schedule predicts the traffic of 1 ranks only");
}

TEST(TimedWireEqualsAudit, FailsWhereTheBackendSendsLessThanInTheAudit) {
  CaseResult result = good_collective();
  expect_passed(result, "timed_wire_equals_audit");
  rank_one(result).timed.bytes_on_wire = 0;
  expect_failed(result, "timed_wire_equals_audit",
                "rank 1: the backend sent in 2 steps 0 bytes, but by the audit it sends 8192 bytes (8192 less)");
}

TEST(TimedWireEqualsAudit, IsNotRunWhereTheBackendDoesNotTell) {
  CaseResult result = good_training();
  rank_one(result).timed.bytes_on_wire.reset();
  expect_not_run(result, "timed_wire_equals_audit", "rank 1: the backend 'gloo' does not tell what it sends");
}

TEST(TimedSentEqualsReceived, FailsWhereBytesAreLost) {
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    expect_passed(result, "timed_sent_equals_received");
    rank_one(result).timed.traffic[Operation::recv].received_bytes += 8;
    EXPECT_EQ(outcome_of(result, "timed_sent_equals_received").verdict, Verdict::failed);
  }
}

TEST(TimedStepsLeaveNothing, FailsOnALeak) {
  for (CaseResult result : {good_training(), good_pipeline(), good_collective()}) {
    expect_passed(result, "timed_steps_leave_nothing");
    rank_one(result).timed.alive_before = 1000;
    rank_one(result).timed.alive_after = 1256;
    expect_failed(result, "timed_steps_leave_nothing",
                  "rank 1: alive after 2 steps: 1256 bytes, but before them there were 1000 bytes (256 more)");
  }
}

TEST(TimedOptimizerSteps, CountCheckedAuditAndTimedSteps) {
  CaseResult result = good_training();
  expect_passed(result, "timed_optimizer_steps");
  rank_one(result).timed.optimizer_steps = {5, 6};
  expect_failed(result, "timed_optimizer_steps", "rank 1: the optimizer has counted 5 steps, but 6 were made");
  expect_not_run(good_pipeline(), "timed_optimizer_steps", "rank 0: the optimizer's state here has no `step`");
}

TEST(TimedSameParameters, ComparesTheRanksOfATraining) {
  CaseResult result = good_training(3);
  expect_passed(result, "timed_same_parameters");
  rank_one(result).timed.parameters_hash = 1;
  expect_failed(
      result, "timed_same_parameters",
      "rank 1: parameters after 2 steps have hash 0000000000000001, but those of rank 0 have 0000000000fedcba");
  EXPECT_EQ(outcome_of(good_pipeline(), "timed_same_parameters").verdict, Verdict::not_run);
}

TEST(TimedSameParameters, ComparesLaunchesOfAsManySteps) {
  for (CaseResult result : {good_training(2, 2), good_pipeline(2)}) {
    expect_passed(result, "timed_same_parameters");
    auto& ranks = result.launches[1].ranks;
    for (auto& r : ranks) r.timed.parameters_hash = 1;
    EXPECT_EQ(outcome_of(result, "timed_same_parameters").verdict, Verdict::failed);
    for (auto& r : ranks) r.timed.steps = 3;
    EXPECT_NE(outcome_of(result, "timed_same_parameters").verdict, Verdict::failed);
  }
}

TEST(TimedFinite, NamesTheParameterAndWhetherTheReferenceDivergesToo) {
  CaseResult result = good_training(3);
  expect_passed(result, "timed_finite");
  rank_one(result).timed.not_finite = NotFinite{6, "layer0.bias[2]", "inf"};
  expect_failed(result, "timed_finite", "rank 1: after step 6 layer0.bias[2] is inf, but the reference stays finite");
  rank_one(result).timed.reference_not_finite = NotFinite{5, "the loss", "inf"};
  expect_failed(
      result, "timed_finite",
      "diverged: rank 1: after step 6 layer0.bias[2] is inf, and the reference diverges too, in step 5: lower "
      "the learning rate, or time fewer steps");
  expect_not_run(result, "timed_parameters_equal_reference", "rank 1: the training diverges");
  result.spec.expect = Expect::diverged;
  expect_passed(result, "timed_finite");
}

TEST(TimedParametersEqualReference, DemandsEveryBitOrWhatRoundingCanDo) {
  CaseResult result = good_training(3);
  expect_passed(result, "timed_parameters_equal_reference");
  Difference& d = rank_one(result).timed.parameters_difference;
  d = {true, 1e-7, 0, false, "layer0.bias[2]", 0, 0, /*exact=*/true, 6};
  expect_failed(
      result, "timed_parameters_equal_reference",
      "rank 1: after step 6 layer0.bias[2] differs by 1e-07 from the reference, but every bit should be equal");
  d.exact = false;
  expect_passed(result, "timed_parameters_equal_reference");
  d.max_tolerated_ratio = 2.5;
  expect_failed(
      result, "timed_parameters_equal_reference",
      "rank 1: after step 6 layer0.bias[2] and its tensor are 2.5 times as far from the reference as rounding "
      "can lead");
  d = {};
  expect_not_run(result, "timed_parameters_equal_reference", "rank 1: no reference went on for as many steps");
}
