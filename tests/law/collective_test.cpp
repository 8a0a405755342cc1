#include "law/collective.hpp"

#include <gtest/gtest.h>

#include <set>

#include "shardbench/error.hpp"

namespace shardbench {
namespace {

Case case_of(Collective operation, int world, std::uint64_t bytes, DType dtype = DType::float32) {
  Case c;
  c.program = Program::collective;
  c.operation = operation;
  c.world = world;
  c.bytes = bytes;
  c.dtype = dtype;
  return c;
}

// The factors of nccl-tests (doc/PERFORMANCE.md) for 4 ranks.
TEST(BusShare, IsThatOfNcclTests) {
  EXPECT_EQ(bus_share(Collective::all_reduce, 4), 1.5);
  EXPECT_EQ(bus_share(Collective::reduce_scatter_all_gather, 4), 1.5);
  EXPECT_EQ(bus_share(Collective::reduce_scatter, 4), 0.75);
  EXPECT_EQ(bus_share(Collective::all_gather, 4), 0.75);
  EXPECT_EQ(bus_share(Collective::all_to_all, 4), 0.75);
  EXPECT_EQ(bus_share(Collective::broadcast, 4), 1);
  EXPECT_EQ(bus_share(Collective::send, 4), 1);
  EXPECT_EQ(bus_share(Collective::all_reduce, 2), 1);
  EXPECT_EQ(bus_share(Collective::barrier, 4), std::nullopt);
}

// An all-reduce of 16 MiB by 4 ranks in 10 ms: 1677.7 MB/s, and 2516.6 on the bus.
TEST(Bandwidth, IsOfTheWholeArray) {
  const Bandwidth b = bandwidth(case_of(Collective::all_reduce, 4, 16 << 20), 0.01);
  EXPECT_DOUBLE_EQ(*b.algbw_Bps, 1677721600.0);
  EXPECT_DOUBLE_EQ(*b.busbw_Bps, 2516582400.0);
}

TEST(Bandwidth, IsEmptyAndNotZeroWhereNothingIsMoved) {
  for (const Collective operation : all_collectives) {
    const Bandwidth b = bandwidth(case_of(operation, 1, 4096), 0.01);
    EXPECT_FALSE(b.algbw_Bps) << name_of(operation);
    EXPECT_FALSE(b.busbw_Bps) << name_of(operation);
  }
  EXPECT_FALSE(bandwidth(case_of(Collective::barrier, 2, 0), 0.01).algbw_Bps);
  EXPECT_FALSE(bandwidth(case_of(Collective::all_reduce, 2, 8), 0).algbw_Bps);
  EXPECT_FALSE(bandwidth(Case{}, 0.01).busbw_Bps) << "a training step";
}

// 10 float64 over 4 ranks: parts of 3, 3, 2 and 2.
TEST(CollectiveTraffic, IsThatOfTheWireLaws) {
  const Case scatter = case_of(Collective::reduce_scatter, 4, 80, DType::float64);
  EXPECT_EQ(array_elements(scatter), 10u);
  EXPECT_EQ(collective_traffic(scatter, 0)[Operation::reduce_scatter], (OperationTraffic{1, 80, 56, 64}));
  EXPECT_EQ(collective_traffic(scatter, 2)[Operation::reduce_scatter], (OperationTraffic{1, 80, 64, 56}));
  const Case to_all = case_of(Collective::all_to_all, 4, 96, DType::float64);
  EXPECT_EQ(collective_traffic(to_all, 1)[Operation::all_to_all], (OperationTraffic{1, 96, 72, 72}));
  const Case broadcast = case_of(Collective::broadcast, 4, 80);
  EXPECT_EQ(collective_traffic(broadcast, 0).sent_bytes(), 160u);
  EXPECT_EQ(collective_traffic(broadcast, 3).received_bytes(), 80u);
  const Case send = case_of(Collective::send, 3, 80);
  EXPECT_EQ(collective_traffic(send, 1)[Operation::send], (OperationTraffic{1, 80, 80, 0}));
  EXPECT_EQ(collective_traffic(send, 1)[Operation::recv], (OperationTraffic{1, 80, 0, 80}));
  EXPECT_EQ(collective_traffic(case_of(Collective::barrier, 2, 0), 0)[Operation::barrier].calls, 1u);
}

// 10 float64 in two messages of 5, and in four of 3, 3, 2 and 2.
TEST(CollectiveTraffic, OfAnExchangeIsTheArrayInMessages) {
  const Traffic tags = collective_traffic(case_of(Collective::send_tags, 2, 80, DType::float64), 1);
  EXPECT_EQ(tags[Operation::send], (OperationTraffic{2, 80, 80, 0}));
  EXPECT_EQ(tags[Operation::recv], (OperationTraffic{2, 80, 0, 80}));
  for (const Collective operation : {Collective::send_order, Collective::send_both_ways})
    EXPECT_EQ(collective_traffic(case_of(operation, 3, 80, DType::float64), 0)[Operation::send],
              (OperationTraffic{4, 80, 80, 0}));
  EXPECT_EQ(bus_share(Collective::send_tags, 2), 1);
}

/// Each message is received once; tags tell apart what one rank gets from the others, order what has one tag.
TEST(Exchanges, AreWhatTheirNamesSay) {
  for (const Collective operation : all_collectives) {
    if (!exchanges(operation)) {
      EXPECT_THROW(exchange_of(operation), Error);
      continue;
    }
    const Exchange& exchange = exchange_of(operation);
    const std::set<std::size_t> received(exchange.received.begin(), exchange.received.end());
    EXPECT_EQ(received.size(), exchange.messages.size());
    EXPECT_EQ(*received.rbegin(), exchange.messages.size() - 1);
  }
  EXPECT_NE(exchange_of(Collective::send_tags).messages[0].tag, exchange_of(Collective::send_tags).messages[1].tag);
  for (const auto& message : exchange_of(Collective::send_order).messages) EXPECT_EQ(message.tag, 0u);
}

TEST(CollectiveTraffic, OfTheCompositeIsThatOfAnAllReduce) {
  for (int world = 1; world <= 5; ++world)
    for (int rank = 0; rank < world; ++rank) {
      const Traffic both = collective_traffic(case_of(Collective::reduce_scatter_all_gather, world, 52), rank);
      const Traffic one = collective_traffic(case_of(Collective::all_reduce, world, 52), rank);
      EXPECT_EQ(both.sent_bytes(), one.sent_bytes());
      EXPECT_EQ(both.received_bytes(), one.received_bytes());
    }
}

TEST(CollectiveTraffic, NeedsAnOperation) { EXPECT_THROW(collective_traffic(Case{}, 0), Error); }

}  // namespace
}  // namespace shardbench
