#include "cli/history_arguments.hpp"

#include <CLI/CLI.hpp>

namespace shardbench {
namespace {

constexpr auto history_examples = R"(
Examples:
  shardbench run suites/smoke.toml --history nights       adds a run
  shardbench history nights                               all runs, and what changed for good between which of them
  shardbench history nights --since 2026-07-01 --case 'zero3.*world=4' --metric step_median_s
  shardbench history nights --csv > history.csv
  shardbench history nights --add results/monday results/tuesday

Exit status: 0 all right, 2 bad usage, 5 nothing is left by what was asked for.)";

}  // namespace

CLI::App* add_history(CLI::App& app, HistoryArguments& a) {
  CLI::App* history = app.add_subcommand("history", "Many runs: list them, find lasting changes, export them");
  history->footer(history_examples);
  history->add_option("DIR", a.folder, "Folder that `run --history` fills")->required();
  history->add_option("--since", a.since, "Only runs from this time on, e.g. 2026-07-01 (UTC)")->type_name("TIME");
  history->add_option("--case", a.case_regex, "Only cases whose id has a match of this regular expression")
      ->type_name("REGEX");
  history->add_option("--metric", a.metric, "Only this column of results.csv, e.g. peak_bytes")->type_name("NAME");
  history->add_flag("--csv", a.csv, "Tidy CSV on standard output: one number a row");
  history->add_option("--add", a.add, "Results to add first")->type_name("PATH");
  return history;
}

}  // namespace shardbench
