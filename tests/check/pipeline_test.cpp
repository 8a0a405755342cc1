#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(ExecutedEqualsPlan, NamesTheFirstDifference) {
  CaseResult result = good_pipeline();
  expect_passed(result, "executed_equals_plan");
  rank_one(result).executed = {"1RECV_F0", "1F0", "1RECV_F1", "1F1", "1B0", "1B1"};
  expect_failed(result, "executed_equals_plan",
                "rank 1: action 2 is 1F1, but the plan says 1B0 (4 actions ran, 4 are planned)");
}

TEST(ExecutedEqualsPlan, NamesWhatIsMissingAndWhatIsTooMuch) {
  CaseResult result = good_pipeline();
  rank_one(result).executed = {"1F0", "1B0", "1F1"};
  expect_failed(result, "executed_equals_plan",
                "rank 1: action 4 is missing, but the plan says 1B1 (3 actions ran, 4 are planned)");
  rank_one(result).executed = {"1F0", "1B0", "1F1", "1B1", "1B1"};
  expect_failed(result, "executed_equals_plan",
                "rank 1: action 5 is 1B1, but the plan says nothing more (5 actions ran, 4 are planned)");
}

TEST(ExecutedEqualsPlan, IsNotRunWithoutAPlan) {
  CaseResult result = good_pipeline();
  result.schedule.plan.ranks.clear();
  expect_not_run(result, "executed_equals_plan", "rank 0: the plan covers 0 ranks only");
}

TEST(InFlightEqualsSimulation, FailsWhereMoreAreInFlight) {
  CaseResult result = good_pipeline();
  expect_passed(result, "in_flight_equals_simulation");
  rank_one(result).executed_in_flight = 2;
  expect_failed(result, "in_flight_equals_simulation",
                "rank 1: 2 microbatches in flight until I (or B), but the simulation has 1");
  rank_one(result).executed_in_flight = 1;
  rank_one(result).executed_in_flight_until_weight = 2;
  expect_failed(result, "in_flight_equals_simulation",
                "rank 1: 2 microbatches in flight until W (or B), but the simulation has 1");
}

TEST(InFlightEqualsSimulation, IsNotRunWithoutASimulation) {
  CaseResult result = good_pipeline();
  result.schedule.simulated_in_flight = result.schedule.simulated_in_flight_until_weight = {2};
  expect_not_run(result, "in_flight_equals_simulation", "rank 1: the simulation covers 1 ranks only");
}

TEST(SimulationEqualsLaw, FailsWhereTheScheduleClaimsLess) {
  CaseResult result = good_pipeline();
  expect_passed(result, "simulation_equals_law");
  result.schedule.law_in_flight = {1, 1};
  expect_failed(result, "simulation_equals_law",
                "rank 0: the simulation has 2 microbatches in flight until I (or B), but the law says 1");
  result.schedule.law_in_flight = {2, 1};
  result.schedule.law_in_flight_until_weight = {2, 2};
  expect_failed(result, "simulation_equals_law",
                "rank 1: the simulation has 1 microbatches in flight until W (or B), but the law says 2");
}

TEST(SimulationEqualsLaw, IsNotRunWithoutALaw) {
  CaseResult result = good_pipeline();
  result.schedule.law_in_flight.clear();
  result.schedule.law_in_flight_until_weight.clear();
  expect_not_run(result, "simulation_equals_law", "the law covers 0 ranks only");
}

TEST(SavedPeakEqualsLaw, ComparesPeakBytesAndTotal) {
  CaseResult result = good_pipeline();
  expect_passed(result, "saved_peak_equals_law");
  rank_one(result).saved.peak = 10;
  rank_one(result).saved.peak_bytes = 12288;
  rank_one(result).saved.saved = 11;
  expect_failed(result, "saved_peak_equals_law",
                "rank 1: most saved at once: 10 tensors, but the plan gives 5 tensors (5 more); "
                "most saved at once: 12288 bytes, but the plan gives 6144 bytes (6144 more); "
                "saved in the step: 11 tensors, but the plan gives 10 tensors (1 more)");
}

TEST(ActivationsEqualLaw, FailsByOneTensorKeptTooLong) {
  CaseResult result = good_pipeline();
  expect_passed(result, "activations_equal_law");
  rank_one(result).activations_bytes += 1024;
  expect_failed(
      result, "activations_equal_law",
      "rank 1: most activations alive between two actions: 3072 bytes, but the plan gives 2048 bytes (1024 more)");
}

TEST(MemoryOfAPipelineRank, IsThatOfItsLaw) {
  CaseResult result = good_pipeline();
  for (const char* name : {"rest_equals_law", "peak_within_law", "peak_close_to_law"}) expect_passed(result, name);
  rank_one(result).peak.bytes += 4;
  rank_one(result).gradients_bytes -= 128;
  expect_failed(result, "peak_within_law",
                "rank 1: peak: 20004 bytes, but the law allows 20000 bytes (4 more), in 0B0");
  expect_failed(result, "rest_equals_law", "rank 1: gradients: 4096 bytes, but the law says 4224 bytes (128 less)");
}
