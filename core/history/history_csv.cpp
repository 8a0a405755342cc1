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
  std::string lines = csv_line({"started", "suite", "commit", "fingerprint", "green", "case", "status", "metric",
                                "launch", "value", "injected"});
  for (const HistoryRun& run : runs)
    for (const HistoryCase& c : run.cases) {
      if (!std::regex_search(c.id, wanted)) continue;
      const auto add = [&](const std::string& metric, const std::string& launch, double value) {
        if (std::isnan(value) || (!selection.metric.empty() && metric != selection.metric)) return;
        lines += csv_line({run.started, run.suite, run.commit, run.fingerprint, run.green ? "yes" : "no", c.id,
                           name_of(c.status), metric, launch, number_text(value), run.injected});
      };
      for (std::size_t i = 0; i < c.values.size(); ++i) add(c.values.name(i), "", c.values.value(i));
      for (std::size_t launch = 0; launch < c.launches.size(); ++launch)
        for (std::size_t i = 0; i < c.launches[launch].size(); ++i)
          add(c.launches[launch].name(i), std::to_string(launch), c.launches[launch].value(i));
    }
  return lines;
}

}  // namespace shardbench
