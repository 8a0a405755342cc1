#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

Suite suite_with(std::vector<Expectation> expectations) {
  Suite suite;
  suite.reference_file = "suites/reference/x.toml";
  suite.expectations = std::move(expectations);
  return suite;
}

Expectation expectation(std::optional<int> rank, std::string quantity, double value) {
  Expectation e;
  e.case_id = "zero2-w2";
  e.rank = rank;
  e.quantity = std::move(quantity);
  e.value = value;
  e.source = "notebook 3.13, cell 7";
  e.place = {"suites/reference/x.toml", 12, 3};
  return e;
}

constexpr auto reference_file = "reference_file";

}  // namespace

TEST(ReferenceFile, PassesWhereEveryNumberIsMet) {
  const Suite suite = suite_with({expectation({}, "weights_bytes", 1052672), expectation(1, "loss_last", 3.0)});
  expect(good_training(), reference_file, Verdict::passed, "", suite);
}

TEST(ReferenceFile, NamesTheNumberItsPlaceAndItsSource) {
  CaseResult result = good_training();
  result.launches[0].ranks[1].weights_bytes = 1052668;
  expect(result, reference_file, Verdict::failed,
         "weights_bytes of rank 1 is 1052668, but 1052672 is expected (suites/reference/x.toml:12:3, source notebook "
         "3.13, "
         "cell 7)",
         suite_with({expectation({}, "weights_bytes", 1052672)}));
}

TEST(ReferenceFile, OneChangedNumberOfAnotherRankIsFound) {
  expect(good_training(), reference_file, Verdict::failed,
         "optimizer_bytes of rank 0 is 2105348, but 2105349 is expected (suites/reference/x.toml:12:3, source notebook "
         "3.13, cell 7)",
         suite_with({expectation({}, "weights_bytes", 1052672), expectation(0, "optimizer_bytes", 2105349)}));
}

TEST(ReferenceFile, EveryLaunchIsCompared) {
  CaseResult result = good_training(2, 2);
  result.launches[1].ranks[0].saved.peak = 17;
  expect(
      result, reference_file, Verdict::failed,
      "saved_peak of launch 2, rank 0 is 17, but 16 is expected (suites/reference/x.toml:12:3, source notebook 3.13, "
      "cell 7)",
      suite_with({expectation(0, "saved_peak", 16)}));
}

TEST(ReferenceFile, WhatCannotBeEvaluatedIsNeverPassed) {
  const auto met = expectation({}, "weights_bytes", 1052672);
  expect(good_training(), reference_file, Verdict::not_run,
         "there is no column 'weight_bytes' (suites/reference/x.toml:12:3)",
         suite_with({met, expectation({}, "weight_bytes", 1052672)}));
  expect(good_training(), reference_file, Verdict::not_run, "rank 2 is outside 0 to 1 (suites/reference/x.toml:12:3)",
         suite_with({met, expectation(2, "weights_bytes", 1052672)}));
  expect(good_training(), reference_file, Verdict::not_run,
         "in_flight of rank 0 has no number (suites/reference/x.toml:12:3)",
         suite_with({met, expectation({}, "in_flight", 2)}));
  expect(good_training(), reference_file, Verdict::not_run,
         "strategy of rank 0 has no number (suites/reference/x.toml:12:3)",
         suite_with({met, expectation(0, "strategy", 2)}));
}

TEST(ReferenceFile, AFailureIsNotHiddenByWhatCannotBeEvaluated) {
  const Suite suite = suite_with({expectation({}, "nothing", 1), expectation(0, "saved_peak", 15)});
  EXPECT_EQ(outcome_of(good_training(), reference_file, suite).verdict, Verdict::failed);
}

TEST(ReferenceFile, IsNotRunWithoutANumber) {
  expect(good_training(), reference_file, Verdict::not_run, "the suite names no reference file");
  auto other = expectation({}, "weights_bytes", 1);
  other.case_id = "zero3-w2";
  expect(good_training(), reference_file, Verdict::not_run, "suites/reference/x.toml has no number for this case",
         suite_with({other}));
}

TEST(ReferenceFile, AnAtMostNumberIsMetBelowAndFailsAbove) {
  auto bound = expectation(0, "saved_peak", 16);
  bound.at_most = true;
  expect(good_training(), reference_file, Verdict::passed, "", suite_with({bound}));
  bound.value = 17;
  expect(good_training(), reference_file, Verdict::passed, "", suite_with({bound}));
  bound.value = 15;
  expect(good_training(), reference_file, Verdict::failed,
         "saved_peak of rank 0 is 16, but at most 15 is expected (suites/reference/x.toml:12:3, source notebook 3.13, "
         "cell 7)",
         suite_with({bound}));
}

// machine_total_bytes is of the case, not of a rank: two ranks of 4210692 bytes each (zero2 of the notebook at world
// 2).
TEST(ReferenceFile, ComparesTheNumbersOfTheWholeCase) {
  expect(good_training(), reference_file, Verdict::passed, "",
         suite_with({expectation({}, "machine_total_bytes", 8421384)}));
  expect(good_training(), reference_file, Verdict::failed,
         "machine_total_bytes of the case is 8421384, but 8421385 is expected (suites/reference/x.toml:12:3, source "
         "notebook "
         "3.13, cell 7)",
         suite_with({expectation({}, "machine_total_bytes", 8421385)}));
}
