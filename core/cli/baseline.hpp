#pragma once
#include <filesystem>
#include <optional>

#include "cli/compare_arguments.hpp"
#include "cli/exit_code.hpp"
#include "result/recorded_run.hpp"

namespace shardbench {

/// What `run` does with what it measured: --baseline and --history. A baseline that is named is read before anything
/// runs, so that a wrong name costs no time.
class AfterRun {
 public:
  /// Throws `Error` where the baseline cannot be read or is none (`require_baseline`), or `auto` has no history to
  /// choose from.
  explicit AfterRun(const CompareArguments& arguments);

  /// Compares the results in the folder with the baseline (comparison.json is written beside them), then adds them to
  /// the history. Having no baseline is legal, and said.
  ExitCode conclude(const std::filesystem::path& results) const;

 private:
  std::optional<RecordedRun> baseline_for(const RecordedRun& now) const;

  const CompareArguments& arguments_;
  std::optional<RecordedRun> named_;
};

}  // namespace shardbench
