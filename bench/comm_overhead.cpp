// Times a communication plugin's operations between two ranks and, interleaved with them, Gloo's own.
//
//   comm_overhead PLUGIN [key=value...] [Google Benchmark's flags]
//
// Rank 0 runs the benchmarks and, before each loop, tells rank 1 which one and how many iterations, so that both do the
// same. Names end in the bytes of the whole array and in whether each operation stands "alone" or "amid" 0.4 ms of
// arithmetic that is not timed, as in a training step, where a thread that waited must be woken.
#include <benchmark/benchmark.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/dll/shared_library.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "raw_gloo.hpp"
#include "shardbench/comm.hpp"
#include "shardbench/error.hpp"
#include "shardbench/plugin.hpp"
#include "shardbench/wire.hpp"

namespace shardbench::bench {
namespace {

/// The other rank, at the end of a stream socket.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}
  void put(const void* data, std::size_t bytes) {
    if (::send(fd_, data, bytes, MSG_NOSIGNAL) != static_cast<ssize_t>(bytes)) throw Error("the other rank is gone");
  }
  bool get(void* data, std::size_t bytes) {
    return ::recv(fd_, data, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
  }
  std::string swap(const std::string& mine) {
    const std::uint64_t size = mine.size();
    put(&size, sizeof size);
    put(mine.data(), mine.size());
    std::uint64_t their_size = 0;
    if (!get(&their_size, sizeof their_size)) throw Error("the other rank is gone");
    std::string theirs(their_size, '\0');
    if (their_size > 0 && !get(theirs.data(), their_size)) throw Error("the other rank is gone");
    return theirs;
  }

 private:
  int fd_;
};

void plugin_ping_pong(Comm& comm, float* data, std::size_t count) {
  for (const int sender : {0, 1})
    finish(comm.rank() == sender ? comm.send(data, count, DType::float32, 1 - comm.rank(), 1)
                                 : comm.recv(data, count, DType::float32, 1 - comm.rank(), 1));
}

std::vector<Contender> contenders(Comm& comm, const std::shared_ptr<gloo::Context>& raw,
                                  const std::shared_ptr<gloo::Context>& raw_sync, float* data, float* more) {
  std::vector<Contender> all;
  for (std::size_t bytes = 8; bytes <= largest; bytes *= bytes < 512 ? 64 : 8) {
    const std::size_t n = bytes / sizeof(float);
    const auto at = "/" + std::to_string(bytes);
    const auto halves = even_parts(n, 2);
    all.push_back(
        {"all_reduce/plugin" + at, [=, &comm] { finish(comm.all_reduce(data, n, DType::float32, ReduceOp::sum)); }});
    all.push_back({"all_reduce/gloo_ring" + at, [=] { raw_all_reduce(raw, data, n); }});
    all.push_back({"all_reduce/gloo_halving_doubling" + at, raw_halving_doubling(raw, data, n)});
    if (bytes <= 4U << 20U)  // it deadlocks somewhere above
      all.push_back({"all_reduce/gloo_halving_doubling_sync" + at, raw_halving_doubling(raw_sync, data, n)});
    all.push_back({"reduce_scatter/plugin" + at,
                   [=, &comm] { finish(comm.reduce_scatter(data, more, halves, DType::float32, ReduceOp::sum)); }});
    all.push_back(
        {"all_gather/plugin" + at, [=, &comm] { finish(comm.all_gather(data, more, halves, DType::float32)); }});
    all.push_back({"all_gather/gloo" + at, [=] { raw_all_gather(raw, data, more, n / 2); }});
    all.push_back({"ping_pong/plugin" + at, [=, &comm] { plugin_ping_pong(comm, data, n); }});
    all.push_back({"ping_pong/gloo" + at, [=] { raw_ping_pong(raw, data, n); }});
  }
  return all;
}

/// Arithmetic for about 0.4 ms.
void work() {
  double x = 1;
  const auto end = Clock::now() + std::chrono::microseconds(400);
  while (Clock::now() < end)
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(x = x * 1.0000001 + 1e-9);
}

struct Command {
  std::uint64_t contender = 0, iterations = 0, amid = 0;
};

/// Seconds of one iteration.
double iterate(const Contender& contender, bool amid) {
  if (amid) work();
  const auto start = Clock::now();
  contender.run();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void follow(Peer& peer, const std::vector<Contender>& all) {
  for (Command c; peer.get(&c, sizeof c);)
    for (std::uint64_t i = 0; i < c.iterations; ++i) iterate(all[c.contender], c.amid != 0);
}

void lead(Peer& peer, const std::vector<Contender>& all) {
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const bool amid : {false, true})
      benchmark::RegisterBenchmark((all[k].name + (amid ? "/amid" : "/alone")).c_str(),
                                   [&, k, amid](benchmark::State& s) {
                                     const Command c{k, static_cast<std::uint64_t>(s.max_iterations), amid};
                                     peer.put(&c, sizeof c);
                                     for (auto _ : s) s.SetIterationTime(iterate(all[k], amid));
                                   })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}

void be_rank(int rank, int fd, const std::string& plugin, const std::map<std::string, std::string>& options,
             const std::string& folder) {
  Peer peer(fd);
  boost::dll::shared_library library(plugin, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  const auto& descriptor = library.get<const PluginDescriptor>(plugin_symbol);
  CommInput in{rank, 2, options, Clock::now() + std::chrono::seconds(30), [&](const std::string& mine) {
                 const std::string theirs = peer.swap(mine);
                 return rank == 0 ? std::vector{mine, theirs} : std::vector{theirs, mine};
               }};
  const std::unique_ptr<Comm, void (*)(Comm*)> comm(descriptor.create_comm(in), descriptor.destroy_comm);
  const auto raw = raw_context(rank, folder + "/a", Pairs::as_made);
  const auto raw_sync = raw_context(rank, folder + "/b", Pairs::synchronous);
  std::vector<float> data(largest / sizeof(float)), more(data.size());
  const auto all = contenders(*comm, raw, raw_sync, data.data(), more.data());
  peer.swap({});
  rank == 0 ? lead(peer, all) : follow(peer, all);
}

int run(int argc, char** argv) {
  Words words(argc, argv);
  int count = static_cast<int>(words.rest.size());
  std::string folder = (std::filesystem::temp_directory_path() / "comm_overhead_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw Error("no temporary folder '" + folder + "'");
  for (const char* name : {"/a", "/b"}) std::filesystem::create_directory(folder + name);
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) throw Error("no socketpair");
  const pid_t child = fork();
  if (child < 0) throw Error("no fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(fds[0]);
    be_rank(1, fds[1], argv[1], words.options, folder);
    return 0;
  }
  close(fds[1]);
  benchmark::Initialize(&count, words.rest.data());
  be_rank(0, fds[0], argv[1], words.options, folder);
  close(fds[0]);
  waitpid(child, nullptr, 0);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace shardbench::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: comm_overhead PLUGIN [key=value...] [--benchmark_...]\n");
    return 2;
  }
  try {
    return shardbench::bench::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "comm_overhead: %s\n", e.what());
    return 1;
  }
}
