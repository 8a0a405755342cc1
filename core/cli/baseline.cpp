#include "cli/baseline.hpp"

#include <fmt/format.h>

#include "cli/comparing.hpp"
#include "compare/compare.hpp"
#include "history/baseline.hpp"
#include "history/history_folder.hpp"
#include "launch/interrupts.hpp"
#include "result/read_results.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

AfterRun::AfterRun(const CompareArguments& arguments) : arguments_(arguments) {
  if (arguments.baseline == "auto" && arguments.history.empty())
    throw Error("--baseline auto has no history to choose from", "the command line", "name one with --history DIR");
  if (arguments.baseline.empty() && arguments.confirm)
    throw Error(*arguments.confirm ? "--confirm has no baseline to compare with"
                                   : "--no-confirm has no baseline to compare with",
                "the command line", "name one with --baseline");
  if (arguments.baseline.empty() || arguments.baseline == "auto") return;
  named_ = read_results(arguments.baseline);
  require_baseline(*named_);
}

std::optional<RecordedRun> AfterRun::baseline_for(const RecordedRun& now) const {
  if (named_ || arguments_.baseline.empty()) return named_;
  if (!std::filesystem::exists(arguments_.history)) {
    fmt::print("no baseline: the history {} has no runs yet\n", arguments_.history.string());
    return std::nullopt;
  }
  const History history = read_history(arguments_.history);
  for (const DamagedFile& d : history.damaged) fmt::print(stderr, "skipped {}: {}\n", d.file.string(), d.problem);
  Baseline found = find_baseline(history, now);
  if (!found.run) fmt::print("no baseline: {}\n", found.reason);
  return found.run;
}

ExitCode AfterRun::conclude(const std::filesystem::path& results) const {
  if (arguments_.baseline.empty() && arguments_.history.empty()) return ExitCode::ok;
  RecordedRun now = read_results(results);
  ExitCode code = ExitCode::ok;
  if (const auto baseline = baseline_for(now)) {
    const Comparison comparison = compare_and_tell(arguments_, {*baseline}, {now}, results / "comparison.json");
    code = exit_code_of(comparison);
    // Else the next run would be held against what may have got slower.
    now.regressed = code == ExitCode::regression || comparison.count(Change::suspect) > 0;
  }
  if (!arguments_.history.empty() && !interrupted())
    fmt::print("history: {}\n", add_to_history(arguments_.history, now).string());
  return code;
}

}  // namespace shardbench
