#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>

#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/process/search_path.hpp>

#include "control/channel.hpp"
#include "launch/fault.hpp"
#include "launch/interrupts.hpp"
#include "launch/mpirun_rank.hpp"
#include "launch/process.hpp"
#include "launch/rank_processes.hpp"
#include "launch/temporary_folder.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

int cores_allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// The environment that mpirun starts in (called in the child). mpirun refuses to start inside of another, so what an
/// outer one has left is taken away, its parameters (OMPI_MCA_...) included; without an outer one, they are the user's
/// settings and hold. Open MPI asks twice before it runs as root; in a container that is all there is.
void prepare_environment() {
  const bool inside = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr ||
                      std::getenv("PMI_RANK") != nullptr;
  std::vector<std::string> foreign;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name(*entry, std::find(*entry, *entry + std::char_traits<char>::length(*entry), '='));
    const bool mpi = name.starts_with("OMPI_") || name.starts_with("PMIX_") || name.starts_with("PMI_") ||
                     name.starts_with("ORTE_") || name.starts_with("OPAL_");
    if (mpi && (inside || !name.starts_with("OMPI_MCA_"))) foreign.push_back(name);
  }
  for (const std::string& name : foreign) ::unsetenv(name.c_str());
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
}

/// A folder in memory where there is one: Open MPI's shared segments would be written to a disk otherwise.
std::filesystem::path memory_root() {
  const std::filesystem::path shm = "/dev/shm";
  return ::access(shm.c_str(), W_OK) == 0 ? shm : std::filesystem::temp_directory_path();
}

class MpirunRanks final : public RankProcesses {
 public:
  MpirunRanks(const GroupPlace& place, const MpirunInput& in)
      : world_(place.world), segments_(memory_root()), log_(place.folder / "mpirun.log") {
    boost::asio::local::stream_protocol::acceptor acceptor(place.io, socket_file(place.folder).string());
    start(place, in);
    accept_all(place, acceptor);
  }
  ~MpirunRanks() override { MpirunRanks::end_all(); }

  std::optional<RankEnd> end_of(int rank, milliseconds patience) override {
    const auto status = mpirun_->wait(patience);
    if (!status) return std::nullopt;
    if (WIFSIGNALED(*status)) return RankEnd{false, "ended with its mpirun, which " + text_of_status(*status)};
    const int code = WEXITSTATUS(*status);  // of the first rank that ended badly; 128 + signal where one killed it
    if (code == 0) return RankEnd{true, "exited with status 0"};
    const auto culprit = first_to_end_badly();
    if (culprit && *culprit != rank) return RankEnd{false, fmt::format("was ended after rank {}", *culprit)};
    return RankEnd{false, text_of_status(code > 128 ? code - 128 : W_EXITCODE(code, 0))};
  }

  /// mpirun says "process rank 1 with PID ... exited on signal 11" or "The first process to do so was: Process name:
  /// [[41,1],1] Exit code: 7".
  std::optional<int> first_to_end_badly() override {
    mpirun_->wait(milliseconds(1000));
    std::ifstream in(log_);
    const std::string words{std::istreambuf_iterator<char>(in), {}};
    std::smatch match;
    static const std::regex killed(R"(process rank (\d+) with PID)"), exited(R"(Process name: \[\[\d+,\d+\],(\d+)\])");
    if (!std::regex_search(words, match, killed) && !std::regex_search(words, match, exited)) return std::nullopt;
    const int rank = std::stoi(match[1]);
    return rank < world_ ? std::optional(rank) : std::nullopt;
  }

  void end_all() override {
    // Every rank is the leader of a group of its own, and dies with mpirun (`join_driver`).
    for (const pid_t rank : ids_)
      if (rank > 0 && ::getpgid(rank) == rank) ::kill(-rank, SIGKILL);
    if (mpirun_) {
      ::kill(-mpirun_->id(), SIGKILL);
      mpirun_->kill();
    }
  }

 private:
  void start(const GroupPlace& place, const MpirunInput& in) {
    const int slots = std::min(world_, cores_allowed());
    std::vector<std::string> words = {in.mpirun.string(), "-n", std::to_string(world_), "--host",
                                      fmt::format("localhost:{}", slots)};
    if (world_ > slots) words.emplace_back("--oversubscribe");
    for (const char* parameter : {"orte_tmpdir_base", "btl_vader_backing_directory"})
      words.insert(words.end(), {"--mca", parameter, segments_.path().string()});
    if (std::ranges::find(in.arguments, "--bind-to") == in.arguments.end())
      words.insert(words.end(), {"--bind-to", world_ > slots ? "none" : "core"});
    words.insert(words.end(), in.arguments.begin(), in.arguments.end());
    words.insert(words.end(), in.program.begin(), in.program.end());
    words.push_back(place.folder.string());
    mpirun_.emplace(0, log_, [&]() -> int {
      prepare_environment();
      std::vector<char*> pointers;
      for (std::string& word : words) pointers.push_back(word.data());
      pointers.push_back(nullptr);
      ::execv(pointers.front(), pointers.data());
      throw Error("mpirun cannot be started: " + std::string(std::strerror(errno)), in.mpirun.string());
    });
  }

  /// Ranks connect in any order; the first message says which one it is.
  void accept_all(const GroupPlace& place, boost::asio::local::stream_protocol::acceptor& acceptor) {
    ids_.assign(static_cast<std::size_t>(world_), 0);
    for (int r = 0; r < world_; ++r) sockets_.emplace_back(place.io);
    for (int there = 0; there < world_; ++there) {
      RankSocket socket(place.io);
      std::optional<boost::system::error_code> accepted;
      acceptor.async_accept(socket, [&](boost::system::error_code code) { accepted = code; });
      place.io.restart();
      while (!accepted) {
        place.io.run_one_until(std::min(place.deadline, steady_clock::now() + milliseconds(20)));
        if (place.io.stopped()) place.io.restart();
        if (!accepted) look_at_mpirun(place, there);
      }
      if (*accepted) throw GroupFault(FaultKind::crashed, "a rank could not connect: " + accepted->message());
      greet(std::move(socket));
    }
  }

  void look_at_mpirun(const GroupPlace& place, int there) {
    if (interrupted()) throw GroupFault(FaultKind::interrupted, "interrupted");
    if (const auto status = mpirun_->wait(milliseconds(0)))
      throw GroupFault(FaultKind::crashed, fmt::format("mpirun {} when {} of {} ranks were there: {}",
                                                       text_of_status(*status), there, world_, last_words(log_)));
    if (steady_clock::now() >= place.deadline)
      throw GroupFault(FaultKind::timeout, fmt::format("mpirun had started {} of {} ranks at the deadline: {}", there,
                                                       world_, last_words(log_)));
  }

  void greet(RankSocket socket) {
    char header[4] = {};
    boost::asio::read(socket, boost::asio::buffer(header));
    std::string body(body_length(header), '\0');
    boost::asio::read(socket, boost::asio::buffer(body));
    const Message hello = decode(body);
    const int rank = hello.at("rank").get<int>(), world = hello.at("world").get<int>();
    if (world != world_ || rank < 0 || rank >= world_)
      throw GroupFault(
          FaultKind::crashed,
          fmt::format("mpirun has started rank {} of {}, but a world of {} was asked for", rank, world, world_));
    sockets_[static_cast<std::size_t>(rank)] = std::move(socket);
    ids_[static_cast<std::size_t>(rank)] = hello.at("process").get<pid_t>();
  }

  int world_;
  TemporaryFolder segments_;  ///< of Open MPI: a killed mpirun leaves its files behind
  std::filesystem::path log_;
  std::optional<Process> mpirun_;
  std::vector<pid_t> ids_;
};

}  // namespace

Launcher mpirun_launcher(MpirunInput in) {
  return [in = std::move(in)](const GroupPlace& place) { return std::make_unique<MpirunRanks>(place, in); };
}

std::filesystem::path find_mpirun() {
  const auto found = boost::process::search_path("mpirun");
  if (found.empty())
    throw Error("mpirun is in no folder of PATH, but backend mpi needs it to start its ranks", "PATH",
                "install Open MPI (Debian: openmpi-bin), or take mpi out of the suite's backends");
  return found.string();
}

}  // namespace shardbench
