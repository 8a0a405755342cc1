#include "cli/comparing.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/annotations.hpp"
#include "cli/base_build.hpp"
#include "cli/measured_with.hpp"
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

/// As many as the strictest of the suspects asks for.
int strictest(const Comparison& comparison, int TimeRule::*launches) {
  int most = 1;
  for (const CaseVerdict& c : comparison.cases)
    for (const MetricVerdict& m : c.metrics)
      if (m.worth_rerun) most = std::max(most, m.rule.*launches);
  return most;
}

/// Runs the suspects again until none is left that a re-run could settle. Those for which the base's plugins are not to
/// be had take no turns: this build alone, or the base's build with other plugins, would tell nothing of the change.
void settle(Comparison& comparison, const CompareArguments& arguments, const std::vector<RecordedRun>& base,
            const std::vector<RecordedRun>& next) {
  auto ids = suspects(comparison);
  comparison.confirmed = ids.empty();
  if (ids.empty()) return;
  const BaseBuild build(arguments.base_build, base);
  const auto at_hand = plugins_at_hand(next, ids);
  for (const std::string& id : ids)
    if (const auto why = build.missing_plugin(id, at_hand)) leave_suspect(comparison, id, *why);
  ids = suspects(comparison);
  const auto most = static_cast<std::size_t>(strictest(comparison, &TimeRule::most_confirming_launches));
  for (std::vector<Turn> turns; !ids.empty() && turns.size() < most; ids = suspects(comparison)) {
    auto more = run_again({ids, next, build, build.plugins(ids, at_hand),
                           strictest(comparison, &TimeRule::confirming_launches), turns.size()});
    if (interrupted()) return;
    std::move(more.begin(), more.end(), std::back_inserter(turns));
    confirm(comparison, base, next, turns);
  }
}

}  // namespace

Comparison compare_and_tell(const CompareArguments& arguments, const std::vector<RecordedRun>& base,
                            const std::vector<RecordedRun>& next, const std::filesystem::path& output) {
  Comparison comparison = compare(base, next, options_of(arguments));
  if (arguments.confirms()) settle(comparison, arguments, base, next);
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
