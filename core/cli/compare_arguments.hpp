#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library CLI11's
class App;
}

namespace shardbench {

/// What `compare`, `run --baseline` and `run --history` are asked for, as typed.
struct CompareArguments {
  std::vector<std::filesystem::path> base, next;
  std::vector<std::string> allow;    ///< --allow
  double threshold = 0;              ///< 0: the suite's
  int launches = 0;                  ///< 0: the suite's
  std::optional<bool> confirm;       ///< --confirm or --no-confirm
  std::filesystem::path base_build;  ///< --base-build, or empty
  std::filesystem::path output;      ///< -o, or empty
  bool all = false;                  ///< print verdicts of "same" too
  std::string baseline;              ///< run --baseline: a folder, "auto", or empty
  std::filesystem::path history;     ///< run --history, or empty

  /// Suspects are run again: `run` does it unless told not to, `compare`, whose results may be from anywhere, where it
  /// is told to.
  bool confirms() const { return confirm.value_or(!baseline.empty()); }
};

/// The subcommand `compare`.
CLI::App* add_compare(CLI::App& app, CompareArguments& arguments);
/// The same for what `run` has measured: --baseline, --history and what goes with them.
void add_baseline(CLI::App& run, CompareArguments& arguments);
/// Throws what CLI11 throws where the two ways to name the results of `compare` are mixed, or something is missing.
void check_compare(CompareArguments& arguments);

}  // namespace shardbench
