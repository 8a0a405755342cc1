#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library CLI11's
class App;
}

namespace shardbench {

/// What `history` is asked for, as typed.
struct HistoryArguments {
  std::filesystem::path folder;
  std::string since, case_regex, metric;
  bool csv = false;
  std::vector<std::filesystem::path> add;  ///< results to add first
};

/// The subcommand `history`.
CLI::App* add_history(CLI::App& app, HistoryArguments& arguments);

}  // namespace shardbench
