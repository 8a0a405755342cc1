#include <csignal>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/asio/local/connect_pair.hpp>

#include "launch/process.hpp"
#include "launch/rank_processes.hpp"

namespace shardbench {
namespace {

class ForkedRanks final : public RankProcesses {
 public:
  ForkedRanks(const GroupPlace& place, int (*main)(const RankStart*)) {
    pid_t group = 0;
    for (int rank = 0; rank < place.world; ++rank) {
      RankSocket theirs(place.io);
      boost::asio::local::connect_pair(sockets_.emplace_back(place.io), theirs);
      const RankStart start{rank, place.world, theirs.native_handle()};
      processes_.emplace_back(group, rank_log(place.folder, rank), [&] {
        for (RankSocket& other : sockets_) ::close(other.native_handle());  // or no rank would see the driver go
        return main(&start);
      });
      if (group == 0) group = processes_.front().id();
    }
  }
  ~ForkedRanks() override { ForkedRanks::end_all(); }

  std::optional<RankEnd> end_of(int rank, std::chrono::milliseconds patience) override {
    const auto status = processes_.at(static_cast<std::size_t>(rank)).wait(patience);
    if (!status) return std::nullopt;
    return RankEnd{*status == 0, text_of_status(*status)};
  }

  void end_all() override {
    // The leader is not reaped before this, so the group's number is still ours: it takes what a rank may have started.
    if (!processes_.empty()) ::kill(-processes_.front().id(), SIGKILL);
    for (Process& process : processes_) process.kill();
  }

 private:
  std::vector<Process> processes_;
};

}  // namespace

Launcher fork_launcher(int (*main)(const RankStart*)) {
  return [main](const GroupPlace& place) { return std::make_unique<ForkedRanks>(place, main); };
}

std::filesystem::path rank_log(const std::filesystem::path& folder, int rank) {
  return folder / fmt::format("rank-{}.log", rank);
}

}  // namespace shardbench
