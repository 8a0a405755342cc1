#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "result/recorded_run.hpp"

namespace shardbench {

/// Suspects of a comparison, measured again.
struct Rerun {
  std::vector<RecordedRun> base;  ///< by the base's build; empty where there is none, or where it cannot run them
  std::vector<RecordedRun> next;  ///< by this program
};

struct RerunInput {
  std::vector<std::string> cases;            ///< ids
  const std::vector<RecordedRun>& measured;  ///< tells suites and plugins: they are found from the same working folder
  std::filesystem::path base_build;          ///< a program, or a build folder with bin/shardbench; or empty
  int launches = 5;                          ///< of each build
};

/// Runs the cases again, one launch of a build at a time and the two builds in turn (A B, B A, A B, ...), each as a run
/// of its own, so that whatever the machine does in these minutes it does to both. Says on standard error what it does.
/// Throws `Error` where a suite is not there or this program cannot run it; gives up when interrupted.
Rerun run_again(const RerunInput& input);

/// A regular expression that matches these texts alone.
std::string exactly_these(const std::vector<std::string>& texts);

}  // namespace shardbench
