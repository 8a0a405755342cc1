#include "shardbench/wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace shardbench {
namespace {

using ::testing::ElementsAre;

constexpr int most_ranks = 9;

std::vector<std::size_t> random_parts(std::mt19937& random, int world) {
  std::vector<std::size_t> parts;
  for (int r = 0; r < world; ++r) parts.push_back(random() % 4 == 0 ? 0 : random() % 1000);
  return parts;
}

TEST(Wire, EvenPartsDifferByOneAtMost) {
  EXPECT_THAT(even_parts(10, 4), ElementsAre(3, 3, 2, 2));
  EXPECT_THAT(even_parts(2, 4), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(even_parts(0, 2), ElementsAre(0, 0));
  for (int world = 1; world <= most_ranks; ++world)
    for (std::size_t n = 0; n < 40; ++n) EXPECT_EQ(wire::sum(even_parts(n, world)), n);
}

// Ring, 4 ranks, parts 5 1 2 3: rank 1 sends all but its own part and receives all but its left neighbour's.
TEST(Wire, ReduceScatterByHand) {
  const std::vector<std::size_t> parts = {5, 1, 2, 3};
  EXPECT_EQ(wire::reduce_scatter(parts, 1).sent, 10u);
  EXPECT_EQ(wire::reduce_scatter(parts, 1).received, 6u);
  EXPECT_EQ(wire::reduce_scatter(parts, 0).received, 8u);
}

TEST(Wire, AllGatherByHand) {
  const std::vector<std::size_t> parts = {5, 1, 2, 3};
  EXPECT_EQ(wire::all_gather(parts, 3).sent, 6u);
  EXPECT_EQ(wire::all_gather(parts, 3).received, 8u);
}

// 2f of the whole array, f = (N-1)/N, where N divides it.
TEST(Wire, AllReduceIsTwiceTheFraction) {
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(wire::all_reduce(400, 4, rank).sent, 600u);
  EXPECT_EQ(wire::all_reduce(3, 2, 0).sent, 3u);  // parts 2 and 1: sends 1, then 2
  EXPECT_EQ(wire::all_reduce(3, 2, 1).sent, 3u);
}

TEST(Wire, WhatAllRanksSendAllRanksReceive) {
  std::mt19937 random(1);
  for (int world = 1; world <= most_ranks; ++world)
    for (int round = 0; round < 50; ++round) {
      const auto parts = random_parts(random, world);
      const std::size_t n = wire::sum(parts);
      const int root = static_cast<int>(random() % static_cast<unsigned>(world));
      std::uint64_t sent[5] = {}, received[5] = {};
      for (int rank = 0; rank < world; ++rank) {
        const wire::Moved moved[] = {wire::reduce_scatter(parts, rank), wire::all_gather(parts, rank),
                                     wire::all_reduce(n, world, rank), wire::broadcast(n, world, rank, root),
                                     wire::all_to_all(n, world)};
        for (int i = 0; i < 5; ++i) {
          sent[i] += moved[i].sent;
          received[i] += moved[i].received;
        }
      }
      const auto others = static_cast<std::uint64_t>(world - 1);
      const std::uint64_t all[] = {others * n, others * n, 2 * others * n, others * n,
                                   others * n * static_cast<std::uint64_t>(world)};
      for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(sent[i], received[i]) << "operation " << i << ", world " << world;
        EXPECT_EQ(sent[i], all[i]) << "operation " << i << ", world " << world;
      }
    }
}

TEST(Wire, OneRankMovesNothing) {
  const std::vector<std::size_t> all = {7};
  for (const wire::Moved moved : {wire::reduce_scatter(all, 0), wire::all_gather(all, 0), wire::all_reduce(7, 1, 0),
                                  wire::broadcast(7, 1, 0, 0), wire::all_to_all(7, 1)}) {
    EXPECT_EQ(moved.sent, 0u);
    EXPECT_EQ(moved.received, 0u);
  }
}

// Binomial tree of 8 from rank 0: 0 -> 1, 2, 4; 2 -> 3; 4 -> 5, 6; 6 -> 7.
TEST(Wire, BroadcastTreeOfEight) {
  const int children[] = {3, 0, 1, 0, 2, 0, 1, 0};
  for (int rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(wire::broadcast_children(8, rank, 0), children[rank]) << rank;
    EXPECT_EQ(wire::broadcast_children(8, (rank + 3) % 8, 3), children[rank]) << rank;
  }
}

TEST(Wire, EveryRankButTheRootIsAChildOnce) {
  for (int world = 1; world <= most_ranks; ++world)
    for (int root = 0; root < world; ++root) {
      int children = 0;
      for (int rank = 0; rank < world; ++rank) children += wire::broadcast_children(world, rank, root);
      EXPECT_EQ(children, world - 1) << "world " << world << ", root " << root;
    }
}

TEST(Wire, CallsAddUp) {
  Traffic traffic;
  add_call(traffic, Operation::all_gather, 10, {5, 4}, 4);
  add_call(traffic, Operation::all_gather, 1, {1, 0}, 4);
  add_call(traffic, Operation::send, 2, {2, 0}, 8);
  EXPECT_EQ(traffic[Operation::all_gather], (OperationTraffic{2, 44, 24, 16}));
  EXPECT_EQ(traffic.sent_bytes(), 40u);
  EXPECT_EQ(traffic.received_bytes(), 16u);
}

}  // namespace
}  // namespace shardbench
