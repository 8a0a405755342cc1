#include "result/predicted_cases.hpp"

#include <gtest/gtest.h>

#include "check/good_case.hpp"

using namespace shardbench;
using namespace shardbench::testing;

TEST(PredictedCases, ShowTheLargestRankOfEachLaw) {
  PredictedCase training{.spec = good_training().spec};
  training.laws.resize(2);
  training.laws[0].weights = 1000;
  training.laws[1].weights = 900;
  training.laws[0].gradients = training.laws[1].gradients = 10;
  training.laws[0].optimizer = 5;
  training.laws[1].optimizer = 200;
  training.laws[0].peak = 2000;
  training.laws[1].peak = 2100;
  training.laws[0].traffic[Operation::all_reduce].sent_bytes = 64;
  const CaseResult pipeline = good_pipeline();
  PredictedCase collective{.spec = good_collective().spec};
  collective.laws.resize(2);
  collective.laws[1].traffic[Operation::all_reduce].sent_bytes = 4096;
  EXPECT_EQ(predicted_cases({training, {.spec = pipeline.spec, .schedule = pipeline.schedule}, collective}),
            R"(  case      weights  gradients  optimizer state  at rest   peak  sent per step
  zero2-w2    1,000         10              200    1,110  2,100             64

  case        in flight  sent per step
  1f1b-w2-h2      2 / 1          1,024

  case           sent per call
  all_reduce-w2          4,096
)");
}

TEST(PredictedCases, OfNone) { EXPECT_EQ(predicted_cases({}), ""); }
