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

wire::Moved by(std::string_view name, Operation op, const std::vector<std::size_t>& parts, int rank, int root = 0) {
  const auto moved = wire::of_algorithm(name, {op, parts, rank, root});
  EXPECT_TRUE(moved) << name;
  return moved.value_or(wire::Moved{});
}

// 12 elements, 4 ranks, parts 5 1 2 4. Rank 1 first gives rank 3 the parts 2 and 3 and keeps 0 and 1, then gives rank 0
// part 0 and keeps its own.
TEST(Algorithms, HalvingByHand) {
  const std::vector<std::size_t> parts = {5, 1, 2, 4};
  EXPECT_EQ(by("halving", Operation::reduce_scatter, parts, 1).sent, 6u + 5u);
  EXPECT_EQ(by("halving", Operation::reduce_scatter, parts, 1).received, 6u + 1u);
  EXPECT_EQ(by("doubling", Operation::all_gather, parts, 1).sent, 6u + 1u);
  EXPECT_EQ(by("halving-doubling", Operation::all_reduce, {3, 3, 3, 3}, 2).sent, 2u * 9u);
}

TEST(Algorithms, OthersByHand) {
  const std::vector<std::size_t> three = {4, 3, 3}, four = {3, 3, 2, 2};
  EXPECT_EQ(by("exchange, sync", Operation::all_reduce, {3, 2}, 1).sent, 5u);
  EXPECT_EQ(by("recursive doubling", Operation::all_reduce, four, 0).sent, 20u);
  EXPECT_EQ(by("pairwise", Operation::reduce_scatter, three, 0).sent, 6u);
  EXPECT_EQ(by("pairwise", Operation::reduce_scatter, three, 0).received, 8u);
  EXPECT_EQ(by("pairwise", Operation::all_gather, three, 0).sent, 8u);
  EXPECT_EQ(by("linear", Operation::broadcast, three, 2, 2).sent, 20u);
  EXPECT_EQ(by("linear", Operation::broadcast, three, 0, 2).sent, 0u);
  EXPECT_EQ(by("binomial tree", Operation::broadcast, four, 0).sent, 20u);
  // Blocks of 2: with 5 ranks distances 1, 2, 3 and 4 have 1 + 1 + 2 + 1 bits.
  EXPECT_EQ(by("bruck", Operation::all_to_all, {2, 2, 2, 2, 2}, 3).sent, 10u);
  EXPECT_EQ(by("direct, async", Operation::send, three, 0).sent, 10u);
}

// The whole array is reduced, though its parts are uneven and each rank keeps one.
TEST(Algorithms, AnAllReduceInPlaceOfAReduceScatter) {
  EXPECT_EQ(by("ring all_reduce, sync", Operation::reduce_scatter, {10, 0}, 0).sent,
            by("ring", Operation::all_reduce, {5, 5}, 0).sent);
  EXPECT_EQ(by("halving-doubling all_reduce", Operation::reduce_scatter, {16, 0, 0, 0}, 3).sent, 24u);
  EXPECT_FALSE(wire::of_algorithm("library all_reduce", {Operation::reduce_scatter, even_parts(8, 2), 0}));
}

TEST(Algorithms, HaveNoLawUnderAnotherNameOrInAWorldThatTheyAreNotFor) {
  const auto three = even_parts(9, 3), two = even_parts(9, 2);
  for (const char* name :
       {"halving-doubling", "recursive doubling", "library, sync", "", "ring and library all_gather"})
    EXPECT_FALSE(wire::of_algorithm(name, {Operation::all_reduce, three, 0})) << name;
  EXPECT_FALSE(wire::of_algorithm("binomial tree", {Operation::all_reduce, two, 0}));
  EXPECT_TRUE(wire::of_algorithm("anything", {Operation::all_reduce, std::vector<std::size_t>{9}, 0})) << "one rank";
}

TEST(Algorithms, SendWhatTheyReceiveOverAllRanks) {
  std::mt19937 random(1);
  for (const auto& algorithm : wire::algorithms) {
    if (algorithm.op == Operation::send || algorithm.op == Operation::recv) continue;
    for (int world = 2; world <= most_ranks; ++world) {
      if (algorithm.power_of_two && !wire::is_power_of_two(world)) continue;
      const bool any_parts = algorithm.op == Operation::reduce_scatter || algorithm.op == Operation::all_gather;
      const auto even = static_cast<std::size_t>(world) * (1 + random() % 100);
      const auto parts = any_parts ? random_parts(random, world) : even_parts(even, world);
      std::uint64_t sent = 0, received = 0;
      for (int rank = 0; rank < world; ++rank) {
        const auto moved = by(algorithm.name, algorithm.op, parts, rank, world - 1);
        sent += moved.sent;
        received += moved.received;
      }
      EXPECT_EQ(sent, received) << algorithm.name << " " << name_of(algorithm.op) << ", world " << world;
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
