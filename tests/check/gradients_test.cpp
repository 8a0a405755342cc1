#include <gtest/gtest.h>

#include "check/good_case.hpp"
#include "check/outcomes.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(GradientsAveraged, FailsOnTheGradientsOfARanksOwnRows) {
  CaseResult result = good_training(3);
  expect_passed(result, "gradients_averaged");
  rank_one(result).gradients_difference = {true, 0.5, 9, false, "layer0.bias[0]", 1, 0};
  expect_failed(result, "gradients_averaged",
                "rank 1: the gradients that differ are those of its own rows alone: they were not averaged");
}

TEST(GradientsAveraged, FailsOnAMultipleOfTheAverage) {
  CaseResult result = good_training();
  rank_one(result).gradients_difference = {true, 0.5, 9, false, "layer0.bias[0]", 0, 2.00001};
  expect_failed(
      result, "gradients_averaged",
      "rank 1: all gradients are 2 times the average over 2 ranks: they were divided by the wrong number, or not "
      "once");
}

TEST(GradientsAveraged, LeavesOtherDifferencesToTheComparison) {
  CaseResult result = good_training();
  rank_one(result).gradients_difference = {true, 0.5, 9, false, "layer0.bias[0]", 0, 0};
  expect_passed(result, "gradients_averaged");
}

TEST(GradientsAveraged, IsNotRunOnOneRankOrWithoutAReference) {
  expect_not_run(good_training(1), "gradients_averaged", "there is one rank");
  CaseResult result = good_training();
  rank_one(result).gradients_difference = {};
  expect_not_run(result, "gradients_averaged", "rank 1: no reference");
}

TEST(GradientsCoverParameters, FailsWhereElementsWereNotShown) {
  CaseResult result = good_training(3);
  expect_passed(result, "gradients_cover_parameters");
  rank_one(result).gradient_pieces = {{200000, 300000}, {180000, 210000}};
  expect_failed(result, "gradients_cover_parameters",
                "no rank showed the gradients of 55445 of 526336 elements, from element 175445 on");
  for (auto& rank : result.launches[0].ranks) rank.gradient_pieces.clear();
  expect_failed(result, "gradients_cover_parameters",
                "no rank showed the gradients of 526336 of 526336 elements, from element 0 on");
}

TEST(GradientsCoverParameters, AllowsPiecesOfSeveralRanksToOverlap) {
  CaseResult result = good_training();
  for (auto& rank : result.launches[0].ranks) rank.gradient_pieces = {{0, 526336}};
  expect_passed(result, "gradients_cover_parameters");
}

TEST(OptimizerSteps, FailsWhereARankSkippedAnUpdate) {
  CaseResult result = good_training();
  expect_passed(result, "optimizer_steps");
  rank_one(result).optimizer_steps = {2, 3};
  expect_failed(result, "optimizer_steps", "rank 1: the optimizer has counted 2 steps, but 3 were made");
}

TEST(OptimizerSteps, IsNotRunWhereNothingCounts) {
  CaseResult result = good_training();
  rank_one(result).optimizer_steps.clear();
  expect_not_run(result, "optimizer_steps", "rank 1: no holding of the optimizer is named `step`");
  result.spec.optimizer.kind = OptimizerKind::momentum;
  expect_not_run(result, "optimizer_steps", "rank 1: the optimizer's state here has no `step`");
}
