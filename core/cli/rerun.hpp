#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/base_build.hpp"
#include "compare/compare.hpp"

namespace shardbench {

struct RerunInput {
  std::vector<std::string> cases;            ///< ids
  const std::vector<RecordedRun>& measured;  ///< says suites and plugins: they are found from the same working folder
  const BaseBuild& base_build;               ///< takes turns where there is one
  std::vector<std::filesystem::path> base_plugins;  ///< that it is given (`BaseBuild::plugins`)
  int launches = 5;                                 ///< of each build
  std::size_t before = 0;                           ///< turns that ran already
};

/// Runs the cases again, one launch of a build at a time and the two builds in turn (A B, B A, A B, ...), each as a run
/// of its own, so that whatever the machine does in these minutes it does to both. The base's build gets the plugins
/// with which the base was measured, this one those of the command line that measured. Says on standard error what it
/// does.
/// Where the base's build cannot run them, which is said, the turns have this one alone. Throws `Error` where a suite
/// is not there or this program cannot run it; gives up when interrupted.
std::vector<Turn> run_again(const RerunInput& input);

/// A regular expression that matches these texts alone.
std::string exactly_these(const std::vector<std::string>& texts);

}  // namespace shardbench
