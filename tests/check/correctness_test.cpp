#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

namespace {

constexpr std::pair<const char*, Difference RankReport::*> differences[] = {
    {"loss_equals_reference", &RankReport::loss_difference},
    {"gradients_equal_reference", &RankReport::gradients_difference},
    {"parameters_equal_reference", &RankReport::parameters_difference}};

}  // namespace

TEST(SameParameters, FailsWhereOneRankDiffers) {
  CaseResult result = good_training(3);
  expect_passed(result, "same_parameters");
  rank_one(result).parameters_hash = 0x123;
  expect_failed(result, "same_parameters",
                "rank 1: parameters have hash 0000000000000123, but those of rank 0 have 0000000000abcdef");
  expect_not_run(good_training(1), "same_parameters", "there is one rank");
}

TEST(EqualsReference, DemandsEveryBitOfTwoRanksAndOfAPipeline) {
  for (const auto& [name, difference] : differences)
    for (CaseResult result : {good_training(2), good_pipeline()}) {
      expect_passed(result, name);
      rank_one(result).*difference = {true, 1e-9, 0.001, false, "layer3.weight[17]"};
      const auto outcome = outcome_of(result, name);
      EXPECT_EQ(outcome.verdict, Verdict::failed) << name;
      EXPECT_THAT(outcome.message,
                  ::testing::StartsWith("rank 1: layer3.weight[17] differs by 1e-09 from the reference, "
                                        "but every bit should be equal"));
    }
}

TEST(EqualsReference, AllowsGradientsWhatTheOrderOfAdditionsCanDo) {
  CaseResult result = good_training(3);
  Difference& d = rank_one(result).gradients_difference;
  d = {true, 1e-6, 1.0, false, "layer3.weight[17]", 0, 0, /*exact=*/false, 1};
  expect_passed(result, "gradients_equal_reference");
  d.max_tolerated_ratio = 1.5;
  expect_failed(
      result, "gradients_equal_reference",
      "rank 1: layer3.weight[17] differs by 1e-06 from the reference after checked step 1, 1.5 times what the "
      "order of additions can do");
  d.max_tolerated_ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(outcome_of(result, "gradients_equal_reference").verdict, Verdict::failed);
}

TEST(EqualsReference, NamesTheGradientThatTheReferenceRefused) {
  CaseResult result = good_training(3);
  rank_one(result).parameters_difference = {true, 0.5, 0, false, "layer0.bias[0]"};
  rank_one(result).refused_gradient = "the gradient of layer0.bias[0] in checked step 2 is 1, but the average is 2";
  expect_failed(result, "parameters_equal_reference",
                "rank 1: layer0.bias[0] differs by 0.5 from the reference, but every bit should be equal; the gradient "
                "of layer0.bias[0] in checked step 2 is 1, but the average is 2");
}

TEST(Finite, NamesRankStepAndElementAndWhetherTheReferenceDivergesToo) {
  for (CaseResult result : {good_training(2), good_training(3), good_pipeline()}) {
    expect_passed(result, "finite");
    rank_one(result).not_finite = NotFinite{2, "the gradient of layer0.bias[0]", "nan"};
    expect_failed(result, "finite",
                  "rank 1: in checked step 2 the gradient of layer0.bias[0] is nan, but the reference stays finite");
    rank_one(result).reference_not_finite = NotFinite{2, "the loss", "inf"};
    expect_failed(
        result, "finite",
        "diverged: rank 1: in checked step 2 the gradient of layer0.bias[0] is nan, and the reference diverges "
        "too: lower the learning rate, or say expect = \"diverged\"");
    rank_one(result).gradients_difference.bitwise = false;
    expect_not_run(result, "gradients_equal_reference",
                   "rank 1: the training diverges: in checked step 2 the gradient of layer0.bias[0] is nan");
    result.spec.expect = Expect::diverged;
    expect_passed(result, "finite");
  }
}

TEST(Finite, FailsWhereADivergenceWasExpectedInVain) {
  CaseResult result = good_training(3);
  result.spec.expect = Expect::diverged;
  expect_failed(result, "finite", "the suite expects the training to diverge, but every number is finite");
  rank_one(result).not_finite = NotFinite{2, "the loss", "inf"};
  expect_failed(result, "finite", "rank 1: in checked step 2 the loss is inf, but the reference stays finite");
}

TEST(EqualsReference, ParametersSayWhetherTheUpdateIsAtFault) {
  CaseResult result = good_training();
  rank_one(result).parameters_difference = {true, 0.5, 9, false, "layer0.bias[0]"};
  const std::string differs = "rank 1: layer0.bias[0] differs by 0.5 from the reference, but every bit should be equal";
  expect_failed(result, "parameters_equal_reference", differs + "; the gradients before the last update are right");
  rank_one(result).parameters_difference.known_mistake = 1;
  expect_failed(result, "parameters_equal_reference",
                differs + "; whatever differs has its value from before the last update");
  rank_one(result).parameters_difference.known_mistake = 2;
  expect_failed(result, "parameters_equal_reference",
                differs + "; whatever differs has its value from before the first update");
}

TEST(EqualsReference, IsNotRunWhereOneRankHasNoReference) {
  for (const auto& [name, difference] : differences)
    for (CaseResult result : {good_training(2), good_pipeline()}) {
      rank_one(result).*difference = {};
      expect_not_run(result, name, "rank 1: no reference");
    }
}

TEST(EqualsReference, APipelineWithoutALossIsNotRun) {
  CaseResult result = good_pipeline();
  rank_one(result).losses.clear();
  expect_not_run(result, "loss_equals_reference", "no rank reported a loss");
}

TEST(OwnRows, FailsWhereTwoRanksTrainOnTheSameRows) {
  CaseResult result = good_training(3);
  expect_passed(result, "own_rows");
  expect_passed(good_training(1), "own_rows");
  result.launches[0].ranks[2].rows_hashes[1] = result.launches[0].ranks[0].rows_hashes[1];
  result.launches[0].ranks[2].reference_rows_hashes[1] = result.launches[0].ranks[0].rows_hashes[1];
  expect_failed(result, "own_rows", "ranks 0 and 2 trained on the same rows in step 2 (hash 0000000000000064)");
}

TEST(OwnRows, FailsWhereARankTrainsOnRowsThatAreNotTheReferences) {
  CaseResult result = good_training();
  rank_one(result).rows_hashes[2] = 7;
  expect_failed(result, "own_rows",
                "rank 1: the rows of step 3 have hash 0000000000000007, but the reference's have 00000000000000c9");
  rank_one(result).reference_rows_hashes.clear();
  expect_not_run(result, "own_rows", "rank 1: the reference has the rows of 0 steps of 3");
}

TEST(OwnRows, FailsWhereAStepIsMissing) {
  CaseResult result = good_training();
  rank_one(result).rows_hashes.pop_back();
  expect_failed(result, "own_rows", "rank 1: 2 steps with rows, but the case has 3 steps with rows (1 less)");
}

TEST(SameOverLaunches, FailsOnAnyCountedColumn) {
  for (CaseResult result : {good_training(2, 3), good_pipeline(3)}) {
    expect_passed(result, "same_over_launches");
    result.launches[2].ranks[1].vm_hwm_bytes += 1;  // not counted exactly
    expect_passed(result, "same_over_launches");
    result.launches[2].ranks[1].saved.saved_before_first_use = 7;
    const auto first = std::to_string(result.ranks()[1].saved.saved_before_first_use);
    expect_failed(result, "same_over_launches",
                  "launch 3, rank 1: saved_before_first_use is 7, but " + first + " in launch 1");
  }
}

TEST(SameOverLaunches, IsNotRunOnOneLaunch) {
  expect_not_run(good_training(), "same_over_launches", "there is one launch");
}
