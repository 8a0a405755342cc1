#include <fmt/format.h>
#include <string>

#include "result/launch_ratio.hpp"
#include "result/table_parts.hpp"
#include "result/text_table.hpp"

namespace shardbench {
namespace {

/// To the microsecond.
std::string milliseconds(const CaseResult& result, std::string_view name) {
  const std::string seconds = plain(result, name);
  return seconds.empty() ? "-" : fmt::format("{:.3f}", 1e3 * std::stod(seconds));
}

/// The slowest rank's median time in the backend over the median step.
std::string communication_share(const CaseResult& result) {
  const std::string communication = plain(result, "communication_s"), step = plain(result, "step_median_s");
  if (communication.empty() || step.empty() || !(std::stod(step) > 0)) return "-";
  return fmt::format("{:.0f} %", 100 * std::stod(communication) / std::stod(step));
}

/// The median step over that of the simulated plan; nothing where nothing was simulated.
std::string of_simulated(const CaseResult& result) {
  const std::string ratio = plain(result, "step_over_simulated");
  return ratio.empty() ? std::string{} : fmt::format("{:.2f}", std::stod(ratio));
}

}  // namespace

std::string times_table(const Group& group, TextStyle style) {
  const bool training = group.cases.front()->spec.program == Program::training;
  TextTable table({{.name = training ? "strategy" : "schedule", .align = Align::left},
                   {.name = "world"},
                   {.name = "horizon", .hide_if_empty = true},
                   {.name = "unit", .align = Align::left, .hide_if_empty = true},
                   {.name = "options", .align = Align::left, .hide_if_empty = true},
                   {.name = "backend", .align = Align::left},
                   {.name = "optimizer", .align = Align::left, .hide_if_same = true},
                   {.name = "dtype", .align = Align::left, .hide_if_same = true},
                   {.name = "batch", .hide_if_same = true},
                   {.name = "median ms"},
                   {.name = "min ms"},
                   {.name = "p90 ms"},
                   {.name = "communication"},
                   {.name = "of simulated", .hide_if_empty = true},
                   {.name = "launches"},
                   {.name = "steps"},
                   {.name = "time over the first", .align = Align::left, .hide_if_empty = true},
                   {.name = "status", .align = Align::left, .hide_if_empty = true}});
  bool timed = false;
  TimeOverFirst over_first;
  for (const auto* result : group.cases) {
    timed = timed || !plain(*result, "step_median_s").empty();
    table.add({plain(*result, training ? "strategy" : "schedule"), plain(*result, "world"), plain(*result, "horizon"),
               plain(*result, "unit"), plain(*result, "options"), plain(*result, "backend"),
               plain(*result, "optimizer"), plain(*result, "dtype"), plain(*result, "batch"),
               milliseconds(*result, "step_median_s"), milliseconds(*result, "step_min_s"),
               milliseconds(*result, "step_p90_s"), communication_share(*result), of_simulated(*result),
               plain(*result, "launches"), plain(*result, "samples"), over_first.of(*result), shown_status(*result)},
              is_bad(*result));
  }
  return timed ? table.text(style) : std::string{};
}

}  // namespace shardbench
