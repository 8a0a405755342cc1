#include "history/series.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <regex>
#include <tuple>

#include "result/quantities.hpp"
#include "shardbench/error.hpp"

namespace shardbench {
namespace {

/// Digits and separators where "2026-07-30T14:05:09Z" has them, from its beginning up to a whole day or more.
bool is_time(const std::string& text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00Z";
  if (text.size() < 10 || text.size() > shape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (shape[i] == '0' ? !digit : text[i] != shape[i]) return false;
  }
  return true;
}

bool is_timed(const std::string& metric) {
  const Column* column = find_column(metric);
  return column != nullptr && column->unit == "s";
}

}  // namespace

std::regex case_pattern(const HistorySelection& selection) {
  try {
    return std::regex(selection.case_regex);
  } catch (const std::regex_error& e) {
    throw Error("'" + selection.case_regex + "' is not a regular expression: " + e.what(), "--case",
                "see ECMAScript's syntax");
  }
}

std::vector<HistoryRun> selected_runs(const History& history, const HistorySelection& selection) {
  if (!selection.since.empty() && !is_time(selection.since))
    throw Error("'" + selection.since + "' is no time", "--since",
                "write it as 2026-07-01 or 2026-07-01T12:00:00Z (UTC)");
  std::vector<HistoryRun> runs;
  for (const HistoryRun& run : history.runs)
    if (run.started >= selection.since) runs.push_back(run);
  return runs;
}

std::vector<Series> series_of(const std::vector<HistoryRun>& runs, const HistorySelection& selection) {
  const std::regex wanted = case_pattern(selection);
  std::vector<Series> all;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (std::size_t back = runs.size(); back-- > 0;) {
    const HistoryRun& run = runs[back];
    if (!run.injected.empty()) continue;
    for (const HistoryCase& c : run.cases) {
      if (c.status != Status::ok || !std::regex_search(c.id, wanted)) continue;
      for (std::size_t i = 0; i < c.values.size(); ++i) {
        const std::string& metric = c.values.name(i);
        if (std::isnan(c.values.value(i)) || (!selection.metric.empty() && metric != selection.metric)) continue;
        const auto [place, fresh] = places.try_emplace({run.fingerprint, c.id, metric}, all.size());
        if (fresh) all.push_back({c.id, metric, run.fingerprint, is_timed(metric), {}, {}});
        all[place->second].runs.push_back(back);
        all[place->second].values.push_back(c.values.value(i));
      }
    }
  }
  for (Series& s : all) {
    std::reverse(s.runs.begin(), s.runs.end());
    std::reverse(s.values.begin(), s.values.end());
  }
  return all;
}

}  // namespace shardbench
