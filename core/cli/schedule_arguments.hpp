#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library CLI11's
class App;
}

namespace shardbench {

/// What `simulate` and `schedule export` are asked for, as typed.
struct ScheduleArguments {
  std::string schedule;               ///< a plugin; empty: `file` or `compare`
  std::filesystem::path file;         ///< a plan to simulate
  int ranks = 0, microbatches = 0;    ///< 0: not given
  int chunks = 0;                     ///< 0: not given
  std::vector<std::string> options;   ///< "NAME=VALUE"
  std::string cost;                   ///< "F=1,B=1,W=1"
  double latency = 0, bandwidth = 0;  ///< 0: without end
  std::string bytes;                  ///< of a stage's output for one microbatch
  std::vector<std::string> compare;   ///< schedules, or "all"
  std::filesystem::path svg, trace;   ///< files
  bool communication = false;         ///< export: with sends and receives
  std::filesystem::path out;          ///< export: the file; empty: standard output
};

/// The subcommands, whose options are of no other.
struct ScheduleCommands {
  CLI::App* simulate = nullptr;
  CLI::App* schedule = nullptr;
  CLI::App* schedule_export = nullptr;
};
ScheduleCommands add_schedule_commands(CLI::App& app, ScheduleArguments& arguments);

/// Throws `CLI::ParseError` where the options of `simulate` do not go together.
void check_simulate(const ScheduleArguments& arguments);

}  // namespace shardbench
