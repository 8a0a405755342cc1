#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shardbench/law.hpp"

namespace shardbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// ZeroRedundancyOptimizer._partition_parameters of PyTorch 2.13: largest first, to the smallest total, lowest rank on
// ties.
TEST(GreedyOwners, LargestFirstToTheSmallestTotal) {
  EXPECT_THAT(greedy_owners({10, 9, 8, 7}, 2), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(greedy_owners({1, 100, 2, 3}, 2), ElementsAre(1, 0, 1, 1));
}

TEST(GreedyOwners, TiesGoToTheLowestRankInTheOrderOfTheModel) {
  EXPECT_THAT(greedy_owners({5, 5, 5, 5}, 3), ElementsAre(0, 1, 2, 0));
}

// The notebook's model at world 4: two weights and two biases each, 1052688 bytes of AdamW on every rank.
TEST(GreedyOwners, OfTheNotebooksModel) {
  std::vector<std::uint64_t> tensors;
  for (int layer = 0; layer < 8; ++layer) tensors.insert(tensors.end(), {256 * 256, 256});
  const auto owners = greedy_owners(tensors, 4);
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<std::uint64_t> mine;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (owners[i] == rank) mine.push_back(tensors[i]);
    EXPECT_EQ(optimizer_state_bytes(OptimizerKind::adamw, mine, 4), 1052688u) << rank;
  }
}

TEST(GreedyOwners, FewerTensorsThanRanks) {
  EXPECT_THAT(greedy_owners({3, 4}, 8), ElementsAre(1, 0));
  EXPECT_THAT(greedy_owners({}, 3), IsEmpty());
}

TEST(GreedyOwners, TensorsWithoutElementsWeighNothing) {
  EXPECT_THAT(greedy_owners({0, 4, 0}, 2), ElementsAre(1, 0, 1));
}

// n = 5, N = 4 gives shards of 2, the last padded.
TEST(ShardElements, AreRoundedUp) {
  EXPECT_EQ(shard_elements(5, 4), 2u);
  EXPECT_EQ(shard_elements(8, 4), 2u);
  EXPECT_EQ(shard_elements(1, 8), 1u);
  EXPECT_EQ(shard_elements(0, 8), 0u);
  EXPECT_EQ(shard_elements(526336, 1), 526336u);
}

}  // namespace
}  // namespace shardbench
