#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "compare/compare.hpp"

namespace shardbench {

struct RerunInput {
  std::vector<std::string> cases;            ///< ids
  const std::vector<RecordedRun>& measured;  ///< tells suites and plugins: they are found from the same working folder
  std::filesystem::path base_build;          ///< a program, or a build folder with bin/shardbench; or empty
  int launches = 5;                          ///< of each build
  std::size_t before = 0;                    ///< turns that ran already
};

/// Runs the cases again, one launch of a build at a time and the two builds in turn (A B, B A, A B, ...), each as a run
/// of its own, so that whatever the machine does in these minutes it does to both. Says on standard error what it does.
/// Where the base's build cannot run them, which is said, the turns have this one alone. Throws `Error` where a suite
/// is not there or this program cannot run it; gives up when interrupted.
std::vector<Turn> run_again(const RerunInput& input);

/// `base_build` with the commit of `base` in place of each "{commit}" in it. Empty where it has one and no such file is
/// there, which is said on standard error. Throws `Error` where the runs of `base` have several commits.
std::filesystem::path build_of(const std::filesystem::path& base_build, const std::vector<RecordedRun>& base);

/// A regular expression that matches these texts alone.
std::string exactly_these(const std::vector<std::string>& texts);

}  // namespace shardbench
