#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// A text of several lines, each indented.
std::string indented(std::string_view text, std::string_view by) {
  std::string lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (!line.empty()) lines += fmt::format("{}{}\n", by, line);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

}  // namespace

std::string failures(const std::vector<CaseResult>& results, TextStyle style) {
  std::string text;
  for (const auto& result : results) {
    if (!is_bad(result)) continue;
    text += "  " + red(fmt::format("{}: {}", name_of(result.status), result.spec.id), style) + '\n';
    const bool fault = result.status == Status::crashed || result.status == Status::timeout;
    if (fault) text += indented(result.detail, "    ");
    for (const auto& outcome : result.invariants)
      if (outcome.verdict == Verdict::failed) text += indented(outcome.name + ": " + outcome.message, "    ");
  }
  return text.empty() ? text : "What is wrong\n" + text + '\n';
}

std::string unoptimized(const std::vector<CaseResult>& results) {
  std::set<std::string> plugins;
  for (const auto& result : results)
    if (!result.unoptimized.empty()) plugins.insert(result.unoptimized);
  if (plugins.empty()) return {};
  return fmt::format("Compiled without optimization, so the times of their cases are not to be compared: {}\n\n",
                     fmt::join(plugins, "; "));
}

}  // namespace shardbench
