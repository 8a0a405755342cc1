#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "control/rank_start.hpp"

namespace shardbench {

using RankSocket = boost::asio::local::stream_protocol::socket;

/// How a rank's process ended.
struct RankEnd {
  bool well = false;
  std::string text;  ///< "was killed by signal 11 (Segmentation fault)"
};

/// The processes of one group, whatever started them. They end with this object, and with the driver.
class RankProcesses {
 public:
  virtual ~RankProcesses() = default;
  RankProcesses() = default;
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  /// The driver's ends of the ranks' sockets, in rank order; they can be taken once.
  std::vector<RankSocket> take_sockets() { return std::move(sockets_); }
  /// Waits up to that long for the end of a rank; nothing if it goes on.
  virtual std::optional<RankEnd> end_of(int rank, std::chrono::milliseconds patience) = 0;
  /// The rank that the launcher says was the first to end badly, where it says so.
  virtual std::optional<int> first_to_end_badly() { return std::nullopt; }
  /// Ends all of them and what they started, at once.
  virtual void end_all() = 0;

 protected:
  std::vector<RankSocket> sockets_;
};

/// What a launcher needs to know of the group.
struct GroupPlace {
  boost::asio::io_context& io;
  int world = 1;
  std::filesystem::path folder;  ///< private to the group; rank r writes its output to `rank_log(folder, r)`
  std::chrono::steady_clock::time_point deadline;
};

/// Starts the processes of a group. Throws `GroupFault` where they cannot be started by the deadline.
using Launcher = std::function<std::unique_ptr<RankProcesses>(const GroupPlace&)>;

/// Forks this process once per rank; `main` is shardbench_rank_main of the loaded library.
Launcher fork_launcher(int (*main)(const RankStart*));

/// One mpirun (Open MPI) per group, which starts `program` once per rank; each on a core of its own where there are
/// enough, unless `arguments` have a --bind-to.
struct MpirunInput {
  std::filesystem::path mpirun;        ///< see `find_mpirun`
  std::vector<std::string> arguments;  ///< further ones, as the comm plugin wants them
  std::vector<std::string> program;    ///< a rank's command line but for the group's folder, which is added to it
};
Launcher mpirun_launcher(MpirunInput in);

/// mpirun in the search path. Throws `Error` that says what to install where there is none.
std::filesystem::path find_mpirun();

std::filesystem::path rank_log(const std::filesystem::path& folder, int rank);

}  // namespace shardbench
