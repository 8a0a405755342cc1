#pragma once
#include <sys/types.h>

#include <vector>

#include "control/rank_start.hpp"
#include "launch/rank_group.hpp"

/// Ranks without LibTorch for the tests of the launcher. They answer
///   who          with their rank, world and process id
///   exchange     with what all ranks gave
///   misbehave    not at all, each in its own way: `fault` on rank `culprit`, while the others wait for ever

namespace shardbench::testing {

enum class Misbehaviour {
  exit,      ///< writes a line and exits with 3
  kill,      ///< SIGKILL
  segv,      ///< SIGSEGV
  hang,      ///< computes for ever after an all_reduce, which its peers are in
  error,     ///< reports an error, as a rank does whose strategy throws
  close,     ///< closes its connection and goes on
  garbage,   ///< writes something that is no message
  child,     ///< hangs, with a process of its own
  late_exit  ///< answers `finish`, then exits with 9
};

/// What ranks forked from now on do when asked to.
void plan_misbehaviour(Misbehaviour fault, int culprit);

int rank_main(const RankStart* start);

/// Whether there is such a process that has not ended.
bool alive(pid_t process);
/// Waits until none of them is alive, at most a minute.
bool all_gone(const std::vector<pid_t>& processes);
/// The process ids of a group's ranks.
std::vector<pid_t> processes_of(RankGroup& group);

}  // namespace shardbench::testing
