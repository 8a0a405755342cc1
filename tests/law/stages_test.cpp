#include "law/stages.hpp"

#include <gtest/gtest.h>

#include "law/plan.hpp"
#include "law/plans.hpp"

namespace shardbench {
namespace {

TEST(StageLayers, TheFirstStagesHaveOneMore) {
  const int firsts[] = {0, 3, 6, 8}, counts[] = {3, 3, 2, 2};
  for (int s = 0; s < 4; ++s) {
    EXPECT_EQ(stage_layers(10, 4, s).first, firsts[s]);
    EXPECT_EQ(stage_layers(10, 4, s).count, counts[s]);
  }
}

TEST(StageLayers, CoverEveryLayerOnceWhateverTheNumbers) {
  for (int layers = 1; layers <= 20; ++layers)
    for (int stages = 1; stages <= layers; ++stages) {
      int next = 0;
      for (int s = 0; s < stages; ++s) {
        const StageLayers part = stage_layers(layers, stages, s);
        EXPECT_EQ(part.first, next);
        EXPECT_GE(part.count, layers / stages);
        EXPECT_LE(part.count, layers / stages + 1);
        next += part.count;
      }
      EXPECT_EQ(next, layers);
    }
}

// Microbatch boundaries of 1024 and 512 bytes. An inner rank sends its output and its input's gradient, an end rank one
// of them (LAWS: an inner rank sends 2·m·a, the end ranks half, where all boundaries are alike).
TEST(PipelineTraffic, CountsEveryBoundaryBothWays) {
  const Plan plan = lower(testing::plan_of({0, 1, 2}, {"0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1", "2F0 2B0 2F1 2B1"}));
  const auto traffic = pipeline_traffic(plan, {1024, 512, 4});
  ASSERT_EQ(traffic.size(), 3u);
  EXPECT_EQ(traffic[0][Operation::send], (OperationTraffic{2, 2048, 2048, 0}));
  EXPECT_EQ(traffic[0][Operation::recv], (OperationTraffic{2, 2048, 0, 2048}));
  EXPECT_EQ(traffic[1][Operation::send], (OperationTraffic{4, 3072, 3072, 0}));
  EXPECT_EQ(traffic[1][Operation::recv], (OperationTraffic{4, 3072, 0, 3072}));
  EXPECT_EQ(traffic[2][Operation::send], (OperationTraffic{2, 1024, 1024, 0}));
  EXPECT_EQ(traffic[2][Operation::recv], (OperationTraffic{2, 1024, 0, 1024}));
}

TEST(PipelineTraffic, OneRankSendsNothing) {
  const auto traffic = pipeline_traffic(lower(testing::plan_of({0}, {"0F0 0B0"})), {1024});
  EXPECT_EQ(traffic.at(0), Traffic{});
}

}  // namespace
}  // namespace shardbench
