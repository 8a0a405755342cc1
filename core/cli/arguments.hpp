#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/compare_arguments.hpp"
#include "cli/history_arguments.hpp"
#include "cli/schedule_arguments.hpp"
#include "control/planted.hpp"

namespace shardbench {

/// What `predict` is asked for, as typed.
struct PredictArguments {
  double parameters = 0;  ///< 0: not given, as ranks; then there are suites
  std::uint64_t ranks = 0;
  std::uint64_t units = 1;
  std::string optimizer = "adamw";
  std::string precision = "mixed";
  std::string memory;                   ///< "80GB", or empty
  std::vector<std::string> strategies;  ///< empty: all
  bool bytes = false;                   ///< exact counts in place of "31.4 GB"
};

/// What `report` is asked for, as typed.
struct ReportArguments {
  std::filesystem::path results;  ///< a run's folder or results.json
  std::filesystem::path history;  ///< --history, or empty
  std::filesystem::path output;   ///< -o; empty: report.html beside the results, Markdown to standard output
  bool markdown = false;
};

/// What `gate-check` is asked for, as typed; its suites and filter are as of `run`.
struct GateCheckArguments {
  int rounds = 60;
  double slowdown = 0.25;
  std::filesystem::path output;  ///< -o: raw medians, or empty
  std::filesystem::path replay;  ///< --replay: such a file, judged in place of new launches; or empty
};

/// The command line, parsed.
struct Arguments {
  enum class Command { run, list, check, predict, simulate, schedule, rank, report, compare, history, gate_check };
  Command command = Command::run;
  std::vector<std::filesystem::path> suites;
  std::vector<std::filesystem::path> plugins;  ///< --plugin
  std::filesystem::path out;                   ///< --out, or empty
  std::string filter;                          ///< --filter, a regular expression searched in case ids
  std::optional<int> iterations, warmup;       ///< of `run` and `gate-check`: in place of the suites'
  bool dry_run = false;
  bool phases = false;                 ///< print the phases of every case's step
  std::filesystem::path trace;         ///< run: folder for traces, empty: none
  std::filesystem::path svg;           ///< --svg: a folder for pictures, or empty
  std::filesystem::path keep_plugins;  ///< run: folder for copies of plugins from outside, or empty
  PredictArguments predict;
  ScheduleArguments schedule;   ///< of `simulate` and `schedule`
  std::filesystem::path group;  ///< of `rank`: the folder of its group
  ReportArguments report;
  HistoryArguments history;
  GateCheckArguments gate_check;
  Planted planted;                           ///< of `run`: --inject
  CompareArguments compare;                  ///< of `compare`, and --baseline and --history of `run`
  std::vector<std::string> benchmark_flags;  ///< Google Benchmark's own, as typed
  std::vector<std::string> as_typed;

  /// The value of --benchmark_NAME=VALUE, "true" of --benchmark_NAME alone, or `otherwise`.
  std::string benchmark_flag(const std::string& name, const std::string& otherwise = {}) const;
};

/// Parses, or prints help, versions or what is wrong with the command line: then `done` is true and `status` is what to
/// exit with.
struct Parsed {
  Arguments arguments;
  bool done = false;
  int status = 0;
};
Parsed parse_arguments(int argc, char** argv);

}  // namespace shardbench
