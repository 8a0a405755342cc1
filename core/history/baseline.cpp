#include "history/baseline.hpp"

#include <fmt/format.h>

#include "compare/comparability.hpp"
#include "history/record.hpp"
#include "shardbench/error.hpp"

namespace shardbench {

Baseline find_baseline(const History& history, const RecordedRun& now) {
  const std::string fingerprint = fingerprint_digest(now);
  Baseline baseline;
  if (history.runs.empty()) baseline.reason = "the history has no runs yet";
  bool suite_known = false;
  for (auto it = history.runs.rbegin(); it != history.runs.rend(); ++it) {
    if (it->suite != now.suite || !it->green) continue;
    try {
      if (it->fingerprint == fingerprint) {
        baseline.run = read_record(it->file);
        baseline.reason.clear();
        return baseline;
      }
      if (suite_known) continue;
      suite_known = true;
      baseline.reason = fmt::format("the history has no green run of suite {} with this fingerprint:", now.suite);
      for (const FieldDifference& d : differences(fingerprint_of(read_record(it->file)), fingerprint_of(now)))
        baseline.reason += ' ' + text(d) + ';';
      baseline.reason.pop_back();
    } catch (const Error& e) {
      if (baseline.reason.empty()) baseline.reason = e.problem();
    }
  }
  if (baseline.reason.empty()) baseline.reason = fmt::format("the history has no green run of suite {}", now.suite);
  return baseline;
}

}  // namespace shardbench
