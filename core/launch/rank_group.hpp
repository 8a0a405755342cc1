#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "control/board.hpp"
#include "control/channel.hpp"
#include "control/rank_start.hpp"
#include "launch/fault.hpp"

namespace shardbench {

/// Set by the driver's signal handlers; a group that waits gives up when it is true.
bool interrupted() noexcept;
/// From now on SIGINT, SIGTERM and SIGHUP set `interrupted`, once; a second one ends the driver.
void watch_interrupts();

/// One launch: the processes of all ranks of a case, in their own process group, under one deadline.
///
///     RankGroup group({.world = 2, .main = entry, .folder = folder, .deadline_s = 60});
///     group.ask({{"type", "train"}});
///     group.finish();
///
/// Whatever happens, no process is left when it is gone.
class RankGroup {
 public:
  struct Input {
    int world = 1;
    int (*main)(const RankStart*) = nullptr;  ///< shardbench_rank_main of the loaded library
    std::filesystem::path folder;             ///< for the board and the ranks' logs; must exist
    double deadline_s = 60;                   ///< from now to the end of the last answer
  };
  explicit RankGroup(const Input& in);
  ~RankGroup();
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  /// Sends every rank the request and gives their answers in rank order, serving `exchange` in between.
  /// Throws `GroupFault` when a rank dies, reports an error or does not answer by the deadline; all ranks are ended
  /// then.
  std::vector<Message> ask(const Message& request);
  /// Lets the ranks end by themselves.
  void finish();

  double seconds_left() const;

 private:
  struct Peer;
  void listen(Peer& peer);
  template <class Step>
  void guarded(Peer& peer, Step step);
  void receive(Peer& peer);
  void exchange();
  void note_error(Peer& peer, std::string problem);
  [[noreturn]] void fail_by_death();
  [[noreturn]] void fail(FaultKind kind, const std::string& text);
  void end_all();
  std::string died(Peer& peer);

  boost::asio::io_context io_;
  std::filesystem::path folder_;
  std::chrono::steady_clock::time_point deadline_;
  double deadline_s_;
  std::vector<std::unique_ptr<Peer>> peers_;
  Peer* first_to_fail_ = nullptr;  ///< the first that reported an error: its peers' errors follow from it
  std::unique_ptr<Board> board_;
  std::string asked_;
};

}  // namespace shardbench
