// Run by mpirun, one process per rank; every rank runs the same tests. A rank that fails ends with exit code 1, which
// ends the others. The first argument after GoogleTest's own is the world that mpirun was asked for.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "plugins/comm/checks.hpp"
#include "plugins/comm/group.hpp"
#include "plugins/comm/memory.hpp"
#include "shardbench/wire.hpp"

namespace {

/// Bytes of the messages that the plugin has started: MPI's profiling interface (MPI 3.1, section 14.2) puts this
/// MPI_Isend before the library's, whose own collectives do not call it.
std::uint64_t bytes_started = 0;

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  int size = 0;
  PMPI_Type_size(type, &size);
  bytes_started += static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

namespace shardbench::test {
namespace {

int rank_in_mpi() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr ? 0 : std::atoi(rank);
}
int world = 1;

CommInput input(std::map<std::string, std::string> options = {}) {
  CommInput in;
  in.rank = rank_in_mpi();
  in.world = world;
  in.options = std::move(options);
  in.deadline = Clock::now() + std::chrono::seconds(60);
  return in;
}

/// A failure of one rank is fatal to all: the others wait for it in a collective.
void with_mpi(const CommInput& in, const std::function<void(Comm&)>& body) {
  try {
    with_comm(SHARDBENCH_PLUGIN_UNDER_TEST, in, body);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "rank %d: %s\n", in.rank, e.what());
    std::_Exit(1);
  }
}

TEST(Mpi, DoesEverythingExactly) { with_mpi(input(), check_everything); }

TEST(Mpi, DoesEverythingWithoutBlocking) { with_mpi(input({{"mode", "async"}}), check_everything); }

TEST(Mpi, DoesEverythingByEitherAlgorithm) {
  for (const char* algorithm : {"library", "ring"}) with_mpi(input({{"algorithm", algorithm}}), check_everything);
}

TEST(Mpi, SendsWhatItsRingDoes) {
  with_mpi(input({{"algorithm", "ring"}}), [](Comm& comm) {
    for (const std::size_t n : {1, 7, 1001, 100'003}) {
      const auto parts = even_parts(n, comm.world());
      Guarded whole(n, DType::float32), part(parts[static_cast<std::size_t>(comm.rank())], DType::float32);
      bytes_started = 0;
      auto work = comm.reduce_scatter(whole.data(), part.data(), parts, DType::float32, ReduceOp::sum);
      require(work->wait(Clock::now() + std::chrono::seconds(30)), "not done");
      const std::string algorithm = comm.algorithm(Operation::reduce_scatter, 4 * n);
      const auto law = wire::of_algorithm(algorithm, {Operation::reduce_scatter, parts, comm.rank()});
      require(law.has_value(), algorithm + " has no law");
      require(bytes_started == 4 * law->sent, std::to_string(n) + " elements: sent " + std::to_string(bytes_started) +
                                                  " bytes, but " + algorithm + " sends " +
                                                  std::to_string(4 * law->sent));
    }
  });
}

TEST(Mpi, BothSidesMaySendBeforeEitherReceives) {
  with_mpi(input(), [](Comm& comm) { check_crossed_sends(comm, 16'000'000); });
}

TEST(Mpi, LargeCollectives) {
  with_mpi(input(), [](Comm& comm) {
    const std::size_t n = 3'000'001;
    check_all_reduce(comm, n, DType::float32, ReduceOp::sum);
    check_reduce_scatter(comm, even_parts(n, comm.world()), DType::float32, ReduceOp::sum, true);
    check_all_gather(comm, even_parts(n, comm.world()), DType::float32, true);
    check_broadcast(comm, n, DType::float32, comm.world() - 1);
    check_all_to_all(comm, n / 4, DType::float32);
  });
}

TEST(Mpi, SeveralCollectivesMayBeInFlightWhenAsync) {
  with_mpi(input({{"mode", "async"}}), [](Comm& comm) {
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
      require(work[at]->wait(Clock::now() + std::chrono::seconds(60)), "not done");
      require(data[at].get(49'999) == comm.world() * k + comm.world() * (comm.world() - 1) / 2, "wrong sum");
    }
  });
}

TEST(Mpi, RefusesAnotherRankOrWorld) {
  auto in = input();
  in.world = world + 1;
  try {
    with_comm(SHARDBENCH_PLUGIN_UNDER_TEST, in, [](Comm&) {});
    FAIL() << "not refused";
  } catch (const Error& e) {
    const std::string rank = std::to_string(in.rank);
    EXPECT_NE(e.problem().find("is rank " + rank + " of " + std::to_string(world) + " in MPI, but rank " + rank +
                               " of " + std::to_string(world + 1) + " was asked for"),
              std::string::npos)
        << e.problem();
  }
}

TEST(Mpi, RefusesATagBeyondMpis) {
  with_mpi(input(), [](Comm& comm) {
    if (comm.world() == 1) return;
    float x = 0;
    try {
      comm.send(&x, 1, DType::float32, (comm.rank() + 1) % comm.world(), UINT32_MAX);
    } catch (const Error& e) {
      require(e.problem().find("message tag 4294967295") != std::string::npos, e.problem());
      return;
    }
    throw Error("not refused");
  });
}

TEST(Mpi, SaysWhatIsInForce) {
  with_mpi(input(), [](Comm& comm) {
    const auto d = comm.describe();
    require(d.library == "Open MPI" && d.version.rfind("4.", 0) == 0, d.library + " " + d.version);
    const char* btl = std::getenv("OMPI_MCA_btl");
    const std::string transport = btl == nullptr ? "shared memory (vader, single copy " : "tcp on lo";
    require(d.transport.rfind(transport, 0) == 0, d.transport);
    const bool oversubscribed = comm.world() > 2;  // by the flags in CMakeLists.txt
    require(d.wait_mode == (oversubscribed ? "yielding" : "polling"), d.wait_mode);
    require(d.details.at("oversubscribed") == (oversubscribed ? "true" : "false"), d.details.at("oversubscribed"));
    require(comm.algorithm(Operation::reduce_scatter, 8) == "library all_reduce, sync", "reduce_scatter");
    require(comm.algorithm(Operation::reduce_scatter, 1U << 20U) == "ring, sync", "reduce_scatter");
    require(comm.algorithm(Operation::all_reduce, 8) == "library, sync", "all_reduce");
    if (comm.world() == 2)
      require(comm.algorithm(Operation::all_reduce, 1U << 18U) == "ring and library all_gather, sync", "all_reduce");
    require(!comm.bytes_on_wire(), "counts bytes that it cannot see");
    if (comm.rank() == 0) {
      std::printf("%s, %s, %s\n", d.version.c_str(), d.transport.c_str(), d.wait_mode.c_str());
      for (const auto& [key, value] : d.details) std::printf("  %s: %s\n", key.c_str(), value.c_str());
    }
  });
}

}  // namespace
}  // namespace shardbench::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: mpirun -n WORLD %s WORLD\n", argv[0]);
    return 2;
  }
  shardbench::test::world = std::atoi(argv[1]);
  return RUN_ALL_TESTS();
}
