// Times MPI's collectives as they are, through the plugin `mpi`, and through the core's `Communicator` on top of it.
//
//   mpirun -n 2 mpi_overhead PLUGIN [key=value...] [Google Benchmark's flags]
//
// Rank 0 runs the benchmarks and, before each loop, tells the others which one and how many iterations. A barrier
// stands before every iteration, untimed; the time is rank 0's. Names end in the bytes of the whole array.
#include <ATen/ops/from_blob.h>
#include <benchmark/benchmark.h>
#include <mpi.h>
#include <unistd.h>

#include <boost/dll/shared_library.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "control/board.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/communicator.hpp"
#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::bench {
namespace {

/// The three ways to do one operation on the same memory.
class Contenders {
 public:
  Contenders(Comm& comm, Communicator& communicator, float* data, float* more)
      : comm_(comm), communicator_(communicator), data_(data), more_(more) {
    for (std::size_t bytes = 8; bytes <= largest; bytes *= bytes < 512 ? 64 : 8) add(bytes);
  }
  const std::vector<Contender>& all() const { return all_; }

 private:
  void add(std::size_t bytes) {
    const std::size_t n = bytes / sizeof(float);
    const int count = static_cast<int>(n), world = comm_.world();
    const auto parts = even_parts(n, world);
    std::vector<int> sizes(parts.begin(), parts.end()), places(parts.size(), 0);
    for (std::size_t r = 1; r < places.size(); ++r) places[r] = places[r - 1] + sizes[r - 1];
    const auto mine = parts[static_cast<std::size_t>(comm_.rank())];
    const at::Tensor data = at::from_blob(data_, {static_cast<std::int64_t>(n)});
    const at::Tensor more = at::from_blob(more_, {static_cast<std::int64_t>(n)});
    const at::Tensor part = at::from_blob(more_, {static_cast<std::int64_t>(mine)});
    const std::string at = "/" + std::to_string(bytes);
    add("all_reduce/raw" + at,
        [=, this] { MPI_Allreduce(MPI_IN_PLACE, data_, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); });
    add("all_reduce/plugin" + at, [=, this] { finish(comm_.all_reduce(data_, n, DType::float32, ReduceOp::sum)); });
    add("all_reduce/communicator" + at, [=, this] { communicator_.all_reduce(data); });
    add("reduce_scatter/raw" + at,
        [=, this] { MPI_Reduce_scatter(data_, more_, sizes.data(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); });
    add("reduce_scatter/plugin" + at,
        [=, this] { finish(comm_.reduce_scatter(data_, more_, parts, DType::float32, ReduceOp::sum)); });
    add("reduce_scatter/communicator" + at, [=, this] { communicator_.reduce_scatter(data, part, parts); });
    add("all_gather/raw" + at, [=, this] {
      MPI_Allgatherv(data_, static_cast<int>(mine), MPI_FLOAT, more_, sizes.data(), places.data(), MPI_FLOAT,
                     MPI_COMM_WORLD);
    });
    add("all_gather/plugin" + at, [=, this] { finish(comm_.all_gather(data_, more_, parts, DType::float32)); });
    const at::Tensor own = data.narrow(0, 0, static_cast<std::int64_t>(mine));
    add("all_gather/communicator" + at, [=, this] { communicator_.all_gather(own, more, parts); });
    add("broadcast/raw" + at, [=, this] { MPI_Bcast(data_, count, MPI_FLOAT, 0, MPI_COMM_WORLD); });
    add("broadcast/plugin" + at, [=, this] { finish(comm_.broadcast(data_, n, DType::float32, 0)); });
    add("broadcast/communicator" + at, [=, this] { communicator_.broadcast(data, 0); });
  }
  void add(std::string name, std::function<void()> run) { all_.push_back({std::move(name), std::move(run)}); }

  Comm& comm_;
  Communicator& communicator_;
  float *data_, *more_;
  std::vector<Contender> all_;
};

/// Seconds of one iteration.
double iterate(const Contender& contender) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = Clock::now();
  contender.run();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::size_t end = SIZE_MAX;

void lead(const std::vector<Contender>& all) {
  for (std::size_t k = 0; k < all.size(); ++k)
    benchmark::RegisterBenchmark(all[k].name.c_str(),
                                 [&, k](benchmark::State& s) {
                                   std::size_t command[2] = {k, static_cast<std::size_t>(s.max_iterations)};
                                   MPI_Bcast(command, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
                                   for (auto _ : s) s.SetIterationTime(iterate(all[k]));
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  std::size_t command[2] = {end, 0};
  MPI_Bcast(command, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

void follow(const std::vector<Contender>& all) {
  for (;;) {
    std::size_t command[2];
    MPI_Bcast(command, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (command[0] == end) return;
    for (std::size_t i = 0; i < command[1]; ++i) iterate(all[command[0]]);
  }
}

/// One board for all ranks, whose processes are of one machine.
Board shared_board(int rank, int world) {
  char file[] = "/tmp/mpi_overhead_XXXXXX";
  if (rank == 0) {
    if (::mkstemp(file) < 0) throw Error("no temporary file");
    std::filesystem::remove(file);
    Board::create(file, world);
  }
  MPI_Bcast(file, sizeof file, MPI_CHAR, 0, MPI_COMM_WORLD);
  Board board = Board::open(file, world);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::filesystem::remove(file);
  return board;
}

void run(int argc, char** argv) {
  CommInput in;
  Words words(argc, argv);
  in.options = words.options;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &in.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &in.world);
  {
    boost::dll::shared_library library(argv[1], boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    const auto& descriptor = library.get<const PluginDescriptor>(plugin_symbol);
    const std::unique_ptr<Comm, void (*)(Comm*)> comm(descriptor.create_comm(in), descriptor.destroy_comm);
    Board board = shared_board(in.rank, in.world);
    Communicator communicator({comm.get(), &board, never});
    std::vector<float> data(largest / sizeof(float)), more(data.size());
    const Contenders contenders(*comm, communicator, data.data(), more.data());
    int count = static_cast<int>(words.rest.size());
    if (in.rank == 0) benchmark::Initialize(&count, words.rest.data());
    in.rank == 0 ? lead(contenders.all()) : follow(contenders.all());
  }
  MPI_Finalize();
}

}  // namespace
}  // namespace shardbench::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: mpirun -n WORLD mpi_overhead PLUGIN [key=value...] [--benchmark_...]\n");
    return 2;
  }
  try {
    shardbench::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mpi_overhead: %s\n", e.what());
    return 1;
  }
  return 0;
}
