#include "cli/comparing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/annotations.hpp"
#include "cli/progress.hpp"
#include "cli/rerun.hpp"
#include "compare/compare.hpp"
#include "compare/comparison_json.hpp"
#include "compare/comparison_text.hpp"
#include "launch/interrupts.hpp"
#include "result/swapped_file.hpp"

namespace shardbench {
namespace {

CompareOptions options_of(const CompareArguments& a) {
  CompareOptions options;
  options.allow = a.allow;
  if (a.threshold > 0) options.threshold = a.threshold;
  if (a.launches > 0) options.launches = a.launches;
  return options;
}

/// As many as the strictest of the suspects needs.
int launches_needed(const Comparison& comparison) {
  int needed = 1;
  for (const CaseVerdict& c : comparison.cases)
    for (const MetricVerdict& m : c.metrics)
      if (m.suspect) needed = std::max(needed, m.rule.confirming_launches);
  return needed;
}

}  // namespace

Comparison compare_and_tell(const CompareArguments& arguments, const std::vector<RecordedRun>& base,
                            const std::vector<RecordedRun>& next, const std::filesystem::path& output) {
  Comparison comparison = compare(base, next, options_of(arguments));
  if (arguments.confirm) {
    const auto ids = suspects(comparison);
    if (ids.empty()) {
      comparison.confirmed = true;
    } else {
      const Rerun again = run_again({ids, next, arguments.base_build, launches_needed(comparison)});
      if (!interrupted()) confirm(comparison, next, again.base, again.next);
    }
  }
  fmt::print("{}", comparison_text(comparison, TextStyle{colour_wanted(STDOUT_FILENO)}, arguments.all));
  if (annotations_wanted()) fmt::print("{}", annotations(comparison));
  if (!output.empty()) SwappedFile(output).put(comparison_json(comparison).dump(1) + '\n');
  return comparison;
}

ExitCode exit_code_of(const Comparison& comparison) {
  if (comparison.regressions() > 0) return ExitCode::regression;
  if (comparison.compared()) return ExitCode::ok;
  fmt::print(stderr, "nothing was compared: {}\n",
             comparison.cases.empty() ? "the results have no case in common" : "no case is comparable, see above");
  return ExitCode::nothing_ran;
}

}  // namespace shardbench
