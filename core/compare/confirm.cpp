#include <algorithm>

#include "compare/compare.hpp"

namespace shardbench {
namespace {

/// Medians per launch of one metric in a re-run; says in `obstacle` where it is not comparable with what was measured.
LaunchMedians medians_of(const std::vector<RecordedRun>& again, const std::string& id, const std::string& metric,
                         const std::vector<RecordedRun>& next, const std::vector<std::string>& allow,
                         std::string& obstacle) {
  LaunchMedians medians;
  for (const RecordedRun& run : again) {
    const RecordedCase* c = run.find(id);
    if (c == nullptr || c->status != Status::ok) continue;
    for (const RecordedRun& measured : next)
      if (const RecordedCase* m = measured.find(id))
        for (const FieldDifference& d : differences(fingerprint_of(measured, *m), fingerprint_of(run, *c)))
          if (std::find(allow.begin(), allow.end(), d.field) == allow.end())
            obstacle = "the re-run is not comparable: " + text(d);
    for (const RecordedLaunch& launch : c->launches)
      if (const auto seconds = launch.times.find(metric)) medians.push_back(*seconds);
  }
  return medians;
}

}  // namespace

std::vector<std::string> suspects(const Comparison& comparison) {
  std::vector<std::string> ids;
  for (const CaseVerdict& c : comparison.cases)
    if (std::any_of(c.metrics.begin(), c.metrics.end(), [](const MetricVerdict& m) { return m.suspect; }))
      ids.push_back(c.id);
  return ids;
}

void confirm(Comparison& comparison, const std::vector<RecordedRun>& next, const std::vector<RecordedRun>& base_again,
             const std::vector<RecordedRun>& next_again) {
  comparison.confirmed = true;
  for (CaseVerdict& c : comparison.cases)
    for (MetricVerdict& m : c.metrics) {
      if (!m.suspect) continue;
      std::string obstacle;
      m.base_again = medians_of(base_again, c.id, m.metric, next, comparison.allowed_fields, obstacle);
      m.next_again = medians_of(next_again, c.id, m.metric, next, comparison.allowed_fields, obstacle);
      TimeJudgement j = confirm_times(m.base_launches, m.next_launches, m.base_again, m.next_again, m.rule);
      if (!obstacle.empty()) {
        j.change = Change::ambiguous;
        j.reason = obstacle;
      }
      take_judgement(m, j);
    }
}

}  // namespace shardbench
