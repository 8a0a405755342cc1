#include "history/history_csv.hpp"

#include <cmath>
#include <regex>

#include "result/cell.hpp"
#include "result/csv.hpp"

namespace shardbench {
namespace {

std::string number_text(double value) {
  const bool whole = value >= 0 && value < 9007199254740992.0 && value == std::floor(value);
  return whole ? text(static_cast<std::uint64_t>(value)) : text(value);
}

}  // namespace

std::string history_csv(const std::vector<HistoryRun>& runs, const HistorySelection& selection) {
  const std::regex wanted = case_pattern(selection);
  std::string lines =
      csv_line({"started", "suite", "commit", "fingerprint", "green", "case", "status", "metric", "launch", "value"});
  for (const HistoryRun& run : runs)
    for (const HistoryCase& c : run.cases) {
      if (!std::regex_search(c.id, wanted)) continue;
      const auto add = [&](const std::string& metric, const std::string& launch, double value) {
        if (std::isnan(value) || (!selection.metric.empty() && metric != selection.metric)) return;
        lines += csv_line({run.started, run.suite, run.commit, run.fingerprint, run.green ? "yes" : "no", c.id,
                           name_of(c.status), metric, launch, number_text(value)});
      };
      for (std::size_t i = 0; i < c.values.size(); ++i) add(c.values.name(i), "", c.values.value(i));
      for (std::size_t i = 0; i < c.step_medians.size(); ++i)
        add("step_median_s", std::to_string(i), c.step_medians[i]);
    }
  return lines;
}

}  // namespace shardbench
