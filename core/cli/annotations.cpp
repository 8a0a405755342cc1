#include "cli/annotations.hpp"

#include <cstdlib>
#include <string_view>

#include "compare/comparison_text.hpp"
#include "result/quantities.hpp"

namespace shardbench {
namespace {

std::string escaped(std::string_view text, std::string_view reserved) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string safe;
  for (const char c : text) {
    if (reserved.find(c) == std::string_view::npos) {
      safe += c;
      continue;
    }
    const auto code = static_cast<unsigned char>(c);
    safe += '%';
    safe += digits[code >> 4U];
    safe += digits[code & 15U];
  }
  return safe;
}

}  // namespace

bool annotations_wanted() {
  const char* set = std::getenv("GITHUB_ACTIONS");
  return set != nullptr && *set != '\0';
}

std::string annotation(const char* level, const std::string& title, const std::string& message) {
  return std::string("::") + level + " title=" + escaped(title, "%\r\n:,") + "::" + escaped(message, "%\r\n") + '\n';
}

std::string annotations(const std::vector<CaseResult>& results) {
  std::string lines;
  for (const CaseResult& result : results)
    if (result.status != Status::ok && result.status != Status::skipped)
      lines += annotation("error", name_of(result.status) + ": " + result.spec.id, detail_line(result));
  return lines;
}

std::string annotations(const Comparison& comparison) {
  std::string lines;
  for (const CaseVerdict& c : comparison.cases) {
    for (const MetricVerdict& m : c.metrics)
      if (m.regression) lines += annotation("error", name_of(m.change, m.timed) + ": " + c.id, change_text(m));
    for (const std::string& metric : c.metrics_gone) lines += annotation("warning", "metric gone: " + c.id, metric);
    for (const std::string& check : c.checks_gone) lines += annotation("warning", "check not run: " + c.id, check);
    if (!c.reason.empty()) lines += annotation("warning", "not comparable: " + c.id, c.reason);
  }
  for (const std::string& id : comparison.cases_gone) lines += annotation("warning", "case gone", id);
  return lines;
}

}  // namespace shardbench
