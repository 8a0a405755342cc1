#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "control/board.hpp"
#include "control/channel.hpp"
#include "launch/fault.hpp"
#include "launch/rank_processes.hpp"

namespace shardbench {

/// One launch: the processes of all ranks, under a deadline.
///
///     RankGroup group({.world = 2, .launcher = fork_launcher(entry), .folder = folder, .deadline_s = 60});
///     group.ask({{"type", "train"}});
///     group.finish();
///
/// Whatever happens, no process is left when it is gone.
class RankGroup {
 public:
  struct Input {
    int world = 1;
    Launcher launcher;
    std::filesystem::path folder;  ///< for the board and the ranks' logs; must exist, private to this group
    double deadline_s = 60;        ///< from now to the end of the last answer, or to `begin_again`
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

  /// For the next of several cases: a new board, and a deadline that many seconds from now.
  void begin_again(double deadline_s);
  double seconds_left() const;
  /// Moves the deadline by a time in which the ranks had nothing to do.
  void extend(std::chrono::steady_clock::duration idle) { deadline_ += idle; }
  /// The board that the ranks are to open: its path goes with the request that needs it.
  const std::filesystem::path& board_file() const noexcept { return board_file_; }

 private:
  struct Peer;
  void new_board();
  void listen(Peer& peer);
  template <class Step>
  void guarded(Peer& peer, Step step);
  void receive(Peer& peer);
  void exchange();
  void note_error(Peer& peer, std::string problem);
  [[noreturn]] void fail_by_death();
  [[noreturn]] void fail(FaultKind kind, const std::string& text);
  std::string died(Peer& peer);

  boost::asio::io_context io_;
  std::filesystem::path folder_, board_file_;
  int world_;
  int boards_ = 0;
  std::chrono::steady_clock::time_point deadline_;
  double deadline_s_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::unique_ptr<RankProcesses> processes_;
  Peer* first_to_fail_ = nullptr;  ///< the first that reported an error: its peers' errors follow from it
  std::unique_ptr<Board> board_;
  std::string asked_;
};

}  // namespace shardbench
