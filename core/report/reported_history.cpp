#include "report/reported_history.hpp"

#include <algorithm>
#include <limits>

#include "history/change_points.hpp"
#include "history/record.hpp"
#include "history/series.hpp"

namespace shardbench {
namespace {

constexpr std::size_t most_runs = 365;  ///< a year of nights: what a chart can show, and a page can hold

std::vector<HistoryRun> runs_like(const History& history, const RecordedRun& now) {
  const std::string machine = fingerprint_digest(now);
  std::vector<HistoryRun> runs;
  for (const HistoryRun& run : history.runs)
    if (run.suite == now.suite && run.fingerprint == machine && run.injected.empty()) runs.push_back(run);
  if (runs.size() > most_runs) runs.erase(runs.begin(), runs.end() - most_runs);
  return runs;
}

ReportedSeries reported(const Series& series, std::size_t runs, const std::vector<LastingChange>& changes) {
  ReportedSeries all{series.case_id, series.metric, {}, {}};
  all.values.assign(runs, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < series.runs.size(); ++i) all.values[series.runs[i]] = series.values[i];
  for (const LastingChange& c : changes)
    if (c.case_id == series.case_id && c.metric == series.metric)
      all.change_points.push_back({c.last_before, c.first_after, c.before, c.after});
  return all;
}

}  // namespace

ReportedHistory reported_history(const History& history, const RecordedRun& now) {
  const std::vector<HistoryRun> runs = runs_like(history, now);
  ReportedHistory all;
  for (const HistoryRun& run : runs) all.runs.push_back({run.started, run.commit});
  const std::vector<Series> series = series_of(runs, {});
  const std::vector<LastingChange> changes = lasting_changes(series);
  for (const Series& s : series) {
    ReportedSeries one = reported(s, runs.size(), changes);
    if (s.metric == "step_median_s" || !one.change_points.empty()) all.series.push_back(std::move(one));
  }
  return all;
}

}  // namespace shardbench
