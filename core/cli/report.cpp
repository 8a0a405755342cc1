#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "report/markdown.hpp"
#include "report/page.hpp"
#include "result/read_results.hpp"
#include "result/swapped_file.hpp"

namespace shardbench {
namespace {

namespace fs = std::filesystem;

/// Where the page goes if nobody says: beside the results.
fs::path default_output(const fs::path& results) {
  return (fs::is_directory(results) ? results : results.parent_path()) / "report.html";
}

}  // namespace

ExitCode report(const Arguments& arguments) {
  const ReportArguments& a = arguments.report;
  const ReportInput input{read_results(a.results), std::nullopt, std::nullopt};
  const std::string text = a.markdown ? report_markdown(input) : report_page(input);
  const bool to_stdout = a.markdown && a.output.empty();
  const fs::path file = a.output.empty() ? default_output(a.results) : a.output;
  if (to_stdout)
    fmt::print("{}", text);
  else
    SwappedFile(file).put(text, "");
  if (!to_stdout) fmt::print("report: {}\n", file.string());
  return ExitCode::ok;
}

}  // namespace shardbench
