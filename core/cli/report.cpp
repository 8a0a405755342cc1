#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "history/history_folder.hpp"
#include "report/markdown.hpp"
#include "report/page.hpp"
#include "report/read_comparison.hpp"
#include "report/reported_history.hpp"
#include "result/read_results.hpp"
#include "result/swapped_file.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& results) { return fs::is_directory(results) ? results : results.parent_path(); }

/// The run, the comparison beside it, and its history where one is named; damaged files of it are said and skipped.
ReportInput read_input(const ReportArguments& a) {
  ReportInput input{read_results(a.results), read_comparison(folder_of(a.results)), std::nullopt};
  if (!a.history.empty()) {
    const History history = read_history(a.history);
    for (const DamagedFile& d : history.damaged) fmt::print(stderr, "skipped {}: {}\n", d.file.string(), d.problem);
    input.history = reported_history(history, input.run);
  }
  return input;
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  const ReportArguments& a = arguments.report;
  const ReportInput input = read_input(a);
  const std::string text = a.markdown ? report_markdown(input) : report_page(input);
  const bool to_stdout = a.markdown && a.output.empty();
  const fs::path file = a.output.empty() ? folder_of(a.results) / "report.html" : a.output;
  if (to_stdout)
    fmt::print("{}", text);
  else
    SwappedFile(file).put(text, "");
  if (!to_stdout) fmt::print("report: {}\n", file.string());
  return ExitCode::ok;
}

}  // namespace shardbench
