#include "history/baseline.hpp"

#include <fmt/format.h>

#include "compare/comparability.hpp"
#include "history/record.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

Baseline find_baseline(const History& history, const RecordedRun& now) {
  const std::string fingerprint = fingerprint_digest(now);
  const std::string what =
      fmt::format("suite {}{}", now.suite, now.filter.empty() ? "" : fmt::format(" with the filter {}", now.filter));
  Baseline baseline;
  if (history.runs.empty()) baseline.reason = "the history has no runs yet";
  bool suite_known = false;
  for (auto it = history.runs.rbegin(); it != history.runs.rend(); ++it) {
    if (it->suite != now.suite || it->filter != now.filter || !it->green) continue;
    try {
      if (it->fingerprint == fingerprint) {
        baseline.run = read_record(it->file);
        baseline.reason.clear();
        return baseline;
      }
      if (suite_known) continue;
      suite_known = true;
      baseline.reason = fmt::format("the history has no green run of {} with this fingerprint:", what);
      for (const FieldDifference& d : differences(fingerprint_of(read_record(it->file)), fingerprint_of(now)))
        baseline.reason += ' ' + text(d) + ';';
      baseline.reason.pop_back();
    } catch (const Error& e) {
      if (baseline.reason.empty()) baseline.reason = e.problem();
    }
  }
  if (baseline.reason.empty()) baseline.reason = "the history has no green run of " + what;
  return baseline;
}

}  // namespace shardbench
