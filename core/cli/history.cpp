#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "history/change_points.hpp"
#include "history/history_csv.hpp"
#include "history/history_folder.hpp"
#include "history/history_text.hpp"
#include "result/read_results.hpp"

namespace shardbench {

ExitCode history(const Arguments& arguments) {
  const HistoryArguments& a = arguments.history;
  for (const auto& results : a.add)
    fmt::print(stderr, "added {}\n", add_to_history(a.folder, read_results(results)).string());
  const History all = read_history(a.folder);
  const HistorySelection selection{a.since, a.case_regex, a.metric};
  const auto runs = selected_runs(all, selection);
  const auto series = series_of(runs, selection);
  if (a.csv) {
    fmt::print("{}", history_csv(runs, selection));
    for (const DamagedFile& d : all.damaged) fmt::print(stderr, "skipped {}: {}\n", d.file.string(), d.problem);
  } else {
    fmt::print("{}", history_text(runs, all.damaged, lasting_changes(series), {colour_wanted(STDOUT_FILENO)}));
  }
  if (!runs.empty() && !series.empty()) return ExitCode::ok;
  fmt::print(stderr, "{}\n",
             runs.empty() ? "no run is left by --since" : "no case and metric is left by --case and --metric");
  return ExitCode::nothing_ran;
}

}  // namespace shardbench
