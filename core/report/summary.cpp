#include "report/summary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "compare/detectable.hpp"

namespace shardbench {
namespace {

/// "2 failed, 1 crashed": the cases that are not ok, by status.
std::string not_ok(const std::map<std::string, std::size_t>& cases) {
  std::string text;
  for (const Status status : {Status::failed, Status::crashed, Status::timeout, Status::skipped})
    if (const auto it = cases.find(name_of(status)); it != cases.end())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", it->second, it->first);
  return text;
}

}  // namespace

std::size_t ReportedComparison::regressions() const {
  return static_cast<std::size_t>(
      std::count_if(changes.begin(), changes.end(), [](const ReportedChange& c) { return c.regression; }));
}

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string noisy_text(const ReportedComparison& comparison) {
  std::set<std::string> cases;
  for (const NoisyTime& time : comparison.noisy) cases.insert(time.id);
  return fmt::format("{} too noisy to show a slowdown of {:.0f} %",
                     cases.size() == 1 ? "1 case is" : fmt::format("{} cases are", cases.size()),
                     100 * expected_slowdown);
}

Summary summary_of(const ReportInput& input) {
  Summary summary;
  const auto& cases = input.run.cases;
  for (const RecordedCase& c : cases) {
    ++summary.cases[name_of(c.status)];
    for (const InvariantOutcome& outcome : c.invariants) ++summary.invariants[name_of(outcome.verdict)];
  }
  if (input.comparison) summary.regressions = input.comparison->regressions();
  std::vector<std::string> problems;
  if (!input.run.injected.empty())
    problems.push_back(fmt::format("{} was injected on purpose, so no number is a measurement", input.run.injected));
  if (cases.empty()) problems.emplace_back("no case ran");
  if (input.run.finished.empty()) problems.emplace_back("the run was cut short");
  const auto ok = summary.cases.find(name_of(Status::ok));
  const std::size_t wrong = cases.size() - (ok == summary.cases.end() ? 0 : ok->second);
  if (wrong > 0)
    problems.push_back(fmt::format("{} of {} {} not right: {}", wrong, counted(cases.size(), "case"),
                                   wrong == 1 ? "is" : "are", not_ok(summary.cases)));
  if (summary.regressions > 0) problems.push_back(counted(summary.regressions, "regression"));
  if (input.comparison && !input.comparison->compared)
    problems.emplace_back("nothing could be compared with the baseline");
  summary.green = problems.empty();
  summary.headline =
      summary.green ? fmt::format("Green: {} right", cases.size() == 1 ? std::string("the case is")
                                                                       : fmt::format("all {} cases are", cases.size()))
                    : fmt::format("Red: {}", fmt::join(problems, "; "));
  if (input.comparison)
    if (const auto suspects = input.comparison->counts.find("suspect"); suspects != input.comparison->counts.end())
      summary.headline += fmt::format("; {} that no re-run has decided", counted(suspects->second, "suspect"));
  if (input.comparison && !input.comparison->noisy.empty()) summary.headline += "; " + noisy_text(*input.comparison);
  return summary;
}

}  // namespace shardbench
