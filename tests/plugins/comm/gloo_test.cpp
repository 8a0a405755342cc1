#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugins/comm/checks.hpp"
#include "plugins/comm/group.hpp"
#include "plugins/comm/memory.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::test {
namespace {

/// A safety net: nothing takes this long.
constexpr auto long_enough = std::chrono::seconds(50);

GroupInput gloo(int world, std::map<std::string, std::string> options = {}) {
  GroupInput in;
  in.plugin = SHARDBENCH_PLUGIN_UNDER_TEST;
  in.world = world;
  in.options = std::move(options);
  return in;
}

class GlooWorlds : public testing::TestWithParam<int> {};

TEST_P(GlooWorlds, DoesEverythingExactlyAndByTheLawsOfTheWire) {
  EXPECT_EQ(run_group(gloo(GetParam()), check_everything), "");
}

TEST_P(GlooWorlds, DoesEverythingInAThreadOfItsOwn) {
  EXPECT_EQ(run_group(gloo(GetParam(), {{"mode", "async"}}), check_everything), "");
}

TEST_P(GlooWorlds, DoesEverythingByEitherAlgorithm) {
  for (const char* algorithm : {"ring", "halving_doubling"})
    EXPECT_EQ(run_group(gloo(GetParam(), {{"algorithm", algorithm}}), check_everything), "") << algorithm;
}

/// Sizes that no world divides, by each algorithm: 5 ranks cannot halve, 8 can where every part is whole.
TEST(Gloo, SendsWhatTheAlgorithmsThatItNamesDo) {
  for (const int world : {2, 3, 4, 5, 8})
    for (const char* algorithm : {"auto", "ring", "halving_doubling"})
      EXPECT_EQ(run_group(gloo(world, {{"algorithm", algorithm}}),
                          [](Comm& comm) {
                            for (const std::size_t n : {1, 7, 64, 1001, 4096, 100'003}) {
                              check_all_reduce(comm, n, DType::float32, ReduceOp::sum);
                              check_reduce_scatter(comm, even_parts(n, comm.world()), DType::int64, ReduceOp::sum,
                                                   false);
                              check_all_gather(comm, even_parts(n, comm.world()), DType::uint8, true);
                              check_broadcast(comm, n, DType::float64, comm.world() - 1);
                              check_all_to_all(comm, n, DType::int32);
                            }
                          }),
                "")
          << world << " " << algorithm;
}

TEST_P(GlooWorlds, BothSidesMaySendBeforeEitherReceives) {
  const std::size_t bytes = GetParam() == 2 ? 16'000'000 : 1'000'000;
  EXPECT_EQ(run_group(gloo(GetParam()), [&](Comm& comm) { check_crossed_sends(comm, bytes); }), "");
}

TEST_P(GlooWorlds, LargeCollectivesDoNotDeadlock) {
  EXPECT_EQ(run_group(gloo(GetParam()),
                      [](Comm& comm) {
                        // 36 MB and 12 MB: the library's own algorithms stop at 33 MB and, with four ranks, at 8.
                        const std::size_t n = comm.world() == 2 ? 9'000'001 : 3'000'001;
                        check_all_reduce(comm, n, DType::float32, ReduceOp::sum);
                        check_reduce_scatter(comm, even_parts(n, comm.world()), DType::float32, ReduceOp::sum, true);
                        check_all_gather(comm, even_parts(n / 3, comm.world()), DType::float32, true);
                        check_broadcast(comm, n / 3, DType::float32, comm.world() - 1);
                        check_all_to_all(comm, n / 8, DType::float32);
                      }),
            "");
}

INSTANTIATE_TEST_SUITE_P(World, GlooWorlds, testing::Values(1, 2, 3, 4), testing::PrintToStringParamName());

TEST(Gloo, BroadcastsFromEveryRootOfAnyWorld) {
  for (const int world : {2, 3, 5, 8})
    EXPECT_EQ(run_group(gloo(world),
                        [](Comm& comm) {
                          for (int root = 0; root < comm.world(); ++root) {
                            check_broadcast(comm, 100'003, DType::float32, root);
                            check_barrier(comm);
                          }
                        }),
              "");
}

TEST(Gloo, PollingWaitsGiveTheSame) {
  EXPECT_EQ(run_group(gloo(2, {{"wait", "poll"}}),
                      [](Comm& comm) {
                        check_all_reduce(comm, 100'003, DType::float32, ReduceOp::sum);
                        check_barrier(comm);
                      }),
            "");
}

TEST(Gloo, SeveralCollectivesMayBeInFlightWhenAsync) {
  EXPECT_EQ(run_group(gloo(3, {{"mode", "async"}}),
                      [](Comm& comm) {
                        std::vector<Guarded> data;
                        std::vector<std::unique_ptr<Work>> work;
                        data.reserve(8);
                        for (int k = 0; k < 8; ++k) {
                          auto& d = data.emplace_back(50'000, DType::int32);
                          for (std::size_t i = 0; i < d.count(); ++i) d.set(i, k + comm.rank());
                          work.push_back(comm.all_reduce(d.data(), d.count(), DType::int32, ReduceOp::sum));
                        }
                        for (int k = 7; k >= 0; --k) {
                          const auto at = static_cast<std::size_t>(k);
                          require(work[at]->wait(Clock::now() + long_enough), "not done");
                          require(data[at].get(49'999) == 3 * k + 3, "wrong sum");
                        }
                      }),
            "");
}

TEST(Gloo, AnAsyncCollectiveWithoutItsPeersIsFalseAtTheDeadline) {
  const Gate gate;  // rank 1 comes once rank 0 has given up: waiting for it would take for ever
  EXPECT_EQ(run_group(gloo(2, {{"mode", "async"}}),
                      [&](Comm& comm) {
                        std::vector<float> data(1000, 1);
                        if (comm.rank() == 1) gate.wait();
                        auto work = comm.all_reduce(data.data(), data.size(), DType::float32, ReduceOp::sum);
                        if (comm.rank() == 0) {
                          require(!work->wait(Clock::now() + std::chrono::milliseconds(50)), "true without a peer");
                          gate.open();
                        }
                        require(work->wait(Clock::now() + long_enough), "false with a peer");
                        require(data[999] == 2, "wrong sum");
                      }),
            "");
}

TEST(Gloo, MessagesOfOneTagArriveInTheOrderSent) {
  EXPECT_EQ(run_group(gloo(2),
                      [](Comm& comm) {
                        std::vector<std::int32_t> data(10);
                        std::vector<std::unique_ptr<Work>> work;
                        for (int i = 0; i < 10; ++i) {
                          const auto at = static_cast<std::size_t>(i);
                          data[at] = comm.rank() == 0 ? i : -1;
                          work.push_back(comm.rank() == 0 ? comm.send(&data[at], 1, DType::int32, 1, 7)
                                                          : comm.recv(&data[at], 1, DType::int32, 0, 7));
                        }
                        for (auto& w : work) require(w->wait(Clock::now() + long_enough), "not done");
                        for (int i = 0; i < 10; ++i) require(data[static_cast<std::size_t>(i)] == i, "out of order");
                      }),
            "");
}

TEST(Gloo, AReceiveWithoutASendIsFalseAtTheDeadline) {
  const Gate gate;
  EXPECT_EQ(run_group(gloo(2),
                      [&](Comm& comm) {
                        if (comm.rank() == 1) return gate.wait();
                        float x = 0;
                        auto work = comm.recv(&x, 1, DType::float32, 1, 0);
                        require(!work->wait(Clock::now() + std::chrono::milliseconds(50)), "true without a send");
                        gate.open();
                      }),
            "");
}

TEST(Gloo, NamesTheOperationAndThePeerThatIsGone) {
  const std::string report = run_group(gloo(2), [](Comm& comm) {
    if (comm.rank() == 1) std::_Exit(3);
    std::vector<float> data(4'000'000, 1);
    comm.all_reduce(data.data(), data.size(), DType::float32, ReduceOp::sum);
  });
  EXPECT_NE(report.find("rank 0: all_reduce on rank 0: gloo could not "), std::string::npos) << report;
  EXPECT_NE(report.find(" rank 1: "), std::string::npos) << report;
  EXPECT_NE(report.find("rank 1: ended with exit code 3"), std::string::npos) << report;
}

TEST(Gloo, NamesThePeerOfASendThatIsGone) {
  const std::string report = run_group(gloo(2), [](Comm& comm) {
    if (comm.rank() == 1) std::_Exit(3);
    float x = 0;
    comm.recv(&x, 1, DType::float32, 1, 0)->wait(Clock::now() + long_enough);
  });
  EXPECT_NE(report.find("rank 0: gloo"), std::string::npos) << report;
  // Whether the connection is seen to be gone when the recv starts or while it waits is a matter of time.
  EXPECT_TRUE(report.find("recv from rank 1 failed") != std::string::npos ||
              report.find("could not start a recv with rank 1") != std::string::npos)
      << report;
}

TEST(Gloo, NamesAnInterfaceThatDoesNotExist) {
  const std::string report = run_group(gloo(2, {{"interface", "nowhere0"}}), [](Comm&) {});
  EXPECT_NE(report.find("rank 0: gloo cannot use the network interface 'nowhere0'"), std::string::npos) << report;
}

/// What the constructor throws for rank 0 of 2, whose peer's blob is made from its own by `theirs`.
std::string failure_of(Deadline deadline, const std::function<std::string(const std::string&)>& theirs) {
  CommInput in;
  in.world = 2;
  in.deadline = deadline;
  in.exchange = [&](const std::string& mine) { return std::vector{mine, theirs(mine)}; };
  try {
    with_comm(SHARDBENCH_PLUGIN_UNDER_TEST, in, [](Comm&) {});
  } catch (const Error& e) {
    return e.problem();
  }
  return "nothing";
}

TEST(Gloo, RefusesAddressesThatAreNotOfItsForm) {
  EXPECT_THAT(failure_of(Deadline::max(), [](const std::string&) { return "short"; }),
              testing::StartsWith("rank 1 gave 5 bytes of addresses, but rank 0 has "));
}

TEST(Gloo, SaysThatItsDeadlineHasPassed) {
  EXPECT_EQ(failure_of(Clock::now(), [](const std::string& mine) { return mine; }),
            "rank 0 of 2 was not connected by its deadline");
}

TEST(Gloo, SaysWhatIsInForce) {
  EXPECT_EQ(run_group(gloo(2, {{"interface", ""}}),
                      [](Comm& comm) {
                        const auto d = comm.describe();
                        require(d.library == "gloo" && d.version == "0.5.0", d.library + " " + d.version);
                        require(d.transport == "tcp on lo", d.transport);
                        require(d.wait_mode == "sync, block", d.wait_mode);
                        require(comm.algorithm(Operation::all_reduce, 8) == "exchange, sync", "all_reduce");
                        require(comm.algorithm(Operation::send, 8) == "direct, async", "send");
                      }),
            "");
  EXPECT_EQ(run_group(gloo(2, {{"mode", "async"}, {"wait", "poll"}}),
                      [](Comm& comm) {
                        const auto d = comm.describe();
                        require(d.wait_mode == "async, poll", d.wait_mode);
                        require(comm.algorithm(Operation::all_gather, 8) == "ring, async", "all_gather");
                      }),
            "");
}

TEST(Gloo, SaysWhichAlgorithmASizeHas) {
  EXPECT_EQ(run_group(gloo(4),
                      [](Comm& comm) {
                        require(comm.algorithm(Operation::all_reduce, 8) == "ring, sync", "parts of no whole number");
                        require(comm.algorithm(Operation::all_reduce, 1U << 16U) == "halving-doubling, sync", "64 KiB");
                      }),
            "");
}

TEST(Gloo, RefusesCallsThatAreWrongOnTheirOwn) {
  const auto refused = [](Comm& comm, auto call, const std::string& words) {
    try {
      call(comm);
    } catch (const Error& e) {
      require(std::string(e.what()).find(words) != std::string::npos, e.what());
      return;
    }
    throw Error("not refused: " + words);
  };
  EXPECT_EQ(run_group(gloo(2),
                      [&](Comm& comm) {
                        float x = 0;
                        const std::vector<std::size_t> one{1};
                        refused(
                            comm, [&](Comm& c) { c.broadcast(&x, 1, DType::float32, 2); }, "root is rank 2");
                        refused(
                            comm, [&](Comm& c) { c.send(&x, 1, DType::float32, c.rank(), 0); }, "itself");
                        refused(
                            comm, [&](Comm& c) { c.all_gather(&x, &x, one, DType::float32); }, "1 counts");
                      }),
            "");
}

}  // namespace
}  // namespace shardbench::test
