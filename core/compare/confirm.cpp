#include <algorithm>

#include "compare/compare.hpp"
#include "result/statistics.hpp"

namespace shardbench {
namespace {

/// The median of one metric of one case, over the launches of a run; says in `obstacle` where it is not comparable with
/// what was measured.
std::optional<double> median_of(const RecordedRun& run, const std::string& id, const std::string& metric,
                                const std::vector<RecordedRun>& next, const std::vector<std::string>& allow,
                                std::string& obstacle) {
  const RecordedCase* c = run.find(id);
  if (c == nullptr || c->status != Status::ok) return std::nullopt;
  for (const RecordedRun& measured : next)
    if (const RecordedCase* m = measured.find(id))
      for (const FieldDifference& d : differences(fingerprint_of(measured, *m), fingerprint_of(run, *c)))
        if (std::find(allow.begin(), allow.end(), d.field) == allow.end())
          obstacle = "the re-run is not comparable: " + text(d);
  LaunchMedians medians;
  for (const RecordedLaunch& launch : c->launches)
    if (const auto seconds = launch.times.find(metric)) medians.push_back(*seconds);
  if (medians.empty()) return std::nullopt;
  return median(std::move(medians));
}

}  // namespace

std::vector<std::string> suspects(const Comparison& comparison) {
  std::vector<std::string> ids;
  for (const CaseVerdict& c : comparison.cases)
    if (std::any_of(c.metrics.begin(), c.metrics.end(), [](const MetricVerdict& m) { return m.suspect; }))
      ids.push_back(c.id);
  return ids;
}

void confirm(Comparison& comparison, const std::vector<RecordedRun>& next, const std::vector<Turn>& turns) {
  comparison.confirmed = true;
  const bool in_turns = std::any_of(turns.begin(), turns.end(), [](const Turn& t) { return t.base.has_value(); });
  for (CaseVerdict& c : comparison.cases)
    for (MetricVerdict& m : c.metrics) {
      if (!m.suspect) continue;
      std::string obstacle;
      m.base_again.clear();
      m.next_again.clear();
      for (const Turn& turn : turns) {
        const auto in = [&](const RecordedRun& run) {
          return median_of(run, c.id, m.metric, next, comparison.allowed_fields, obstacle);
        };
        const auto before = turn.base ? in(*turn.base) : std::nullopt, now = in(turn.next);
        if (!now || (in_turns && !before)) continue;
        if (before) m.base_again.push_back(*before);
        m.next_again.push_back(*now);
      }
      TimeJudgement j = confirm_times(m.base_launches, m.next_launches, m.base_again, m.next_again, m.rule);
      if (!obstacle.empty()) {
        j.change = Change::ambiguous;
        j.suspect = false;
        j.reason = obstacle;
      }
      take_judgement(m, j);
    }
}

}  // namespace shardbench
