#include "result/prediction_table.hpp"

#include <gtest/gtest.h>

using namespace shardbench;

namespace {

std::vector<Prediction> paper() {
  return predict(
      {.parameters = 7'500'000'000, .ranks = 64, .bytes = mixed_precision(OptimizerKind::adamw), .units = 32});
}

}  // namespace

/// Rajbhandari et al., ZeRO, SC 2020, Figure 1: 120, 31.4, 16.6 and 1.9 GB.
TEST(PredictionTable, IsTheZeroPapers) {
  EXPECT_EQ(
      prediction_table(paper(), {.memory = 20'000'000'000}),
      R"(  strategy         weights  gradients  optimizer state   at rest  in the step  sent per step  fits 20.0 GB  that is
  ddp              15.0 GB    15.0 GB          90.0 GB  120.0 GB     120.0 GB        29.5 GB  no            whole copies
  zero1 (greedy)   15.0 GB    15.0 GB           1.4 GB   31.4 GB      31.4 GB        44.3 GB  no            PyTorch's ZeroRedundancyOptimizer
  zero1 (flat)     15.0 GB    15.0 GB           1.4 GB   31.4 GB      31.4 GB        29.5 GB  no            ZeRO paper, stage 1
  zero2 (paper)    15.0 GB   234.4 MB           1.4 GB   16.6 GB      17.1 GB        29.5 GB  yes           ZeRO paper, stage 2
  zero2           234.4 MB   234.4 MB           1.4 GB    1.9 GB      17.1 GB        29.5 GB  yes           FSDP's SHARD_GRAD_OP
  zero3           234.4 MB   234.4 MB           1.4 GB    1.9 GB       2.8 GB        44.3 GB  yes           ZeRO paper, stage 3; FSDP's FULL_SHARD
cheapest on the wire that fits 20.0 GB: zero2 (paper), which sends 29.5 GB per rank and step and has 17.1 GB in the step
)");
}

TEST(PredictionTable, ExactBytesWithoutMemory) {
  const std::string text = prediction_table(paper(), {.exact = true});
  EXPECT_EQ(text.find("fits"), std::string::npos);
  EXPECT_NE(text.find("31,406,250,000"), std::string::npos) << text;
}

TEST(PredictionTable, SaysWhereNothingFits) {
  EXPECT_TRUE(prediction_table(paper(), {.memory = 1000}).ends_with("none of them fits 1.0 kB\n"));
}
