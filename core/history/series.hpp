#pragma once
#include <cstddef>
#include <regex>
#include <string>
#include <vector>

#include "history/history.hpp"

namespace shardbench {

/// Which part of a history is asked for; what is empty asks for all.
struct HistorySelection {
  std::string since;       ///< UTC, "2026-07-01" or "2026-07-01T12:00:00Z"
  std::string case_regex;  ///< searched in ids
  std::string metric;      ///< a column
};

/// Of `case_regex`. Throws `Error` where it is no regular expression.
std::regex case_pattern(const HistorySelection& selection);

/// The runs since the time asked for. Throws `Error` where that is no time.
std::vector<HistoryRun> selected_runs(const History& history, const HistorySelection& selection);

/// One metric of one case over runs of one machine.
struct Series {
  std::string case_id, metric, fingerprint;
  bool timed = false;
  std::vector<std::size_t> runs;  ///< indices of the runs in which the case was ok and had the metric
  std::vector<double> values;     ///< as in results.csv, one per run
};

/// All series of the selection, without the runs into which something was injected, in the order of the newest run's
/// cases; runs of other machines are series of their own. Throws `Error` where the regular expression is none.
std::vector<Series> series_of(const std::vector<HistoryRun>& runs, const HistorySelection& selection);

}  // namespace shardbench
