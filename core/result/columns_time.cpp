#include <algorithm>
#include <cmath>

#include "law/collective.hpp"
#include "result/column_tables.hpp"
#include "result/step_times.hpp"

namespace shardbench {
namespace {

Cell launches(const Row& row) { return static_cast<std::uint64_t>(row.result.launches.size()); }

Cell samples(const Row& row) {
  std::uint64_t count = 0;
  for (const auto& times : step_times(row.result)) count += times.size();
  return count;
}

/// NaN is farther from the reference than any number.
Cell reference_difference(const Row& row) {
  const auto& r = row.report();
  Cell largest;
  for (const auto* difference : {&r.loss_difference, &r.parameters_difference, &r.gradients_difference}) {
    if (!difference->compared) continue;
    const auto before = number(largest);
    if (!before || std::isnan(difference->max_abs) || difference->max_abs > *before) largest = difference->max_abs;
  }
  return largest;
}

Bandwidth measured_bandwidth(const Row& row) {
  const auto seconds = median_of_medians(step_times(row.result));
  return seconds ? bandwidth(row.result.spec, *seconds) : Bandwidth{};
}

Column of_case(std::string_view name, std::string_view source, std::string_view meaning, Column::Value value) {
  return {.name = name, .unit = "count", .source = source, .meaning = meaning, .of_case = value};
}

}  // namespace

std::vector<Column> time_columns() {
  return {
      {.name = "step_median_s",
       .unit = "s",
       .source = "clock",
       .meaning =
           "median over launches of each launch's median timed step (or call, or hop of a send); a case's step is "
           "that of the slowest rank",
       .of_rank = [](const Row& r) { return cell(median_of_medians(rank_times(r.result, r.rank, &StepTime::step))); },
       .of_case = [](const Row& r) { return cell(median_of_medians(step_times(r.result))); }},
      {.name = "step_min_s",
       .unit = "s",
       .source = "clock",
       .meaning = "shortest timed step of all launches",
       .of_rank = [](const Row& r) { return cell(smallest(rank_times(r.result, r.rank, &StepTime::step))); },
       .of_case = [](const Row& r) { return cell(smallest(step_times(r.result))); }},
      {.name = "step_p90_s",
       .unit = "s",
       .source = "clock",
       .meaning = "90th percentile of the timed steps of all launches (linear between order statistics)",
       .of_rank =
           [](const Row& r) { return cell(ninetieth_percentile(rank_times(r.result, r.rank, &StepTime::step))); },
       .of_case = [](const Row& r) { return cell(ninetieth_percentile(step_times(r.result))); }},
      {.name = "launches",
       .unit = "count",
       .source = "driver",
       .meaning = "starts of the group of ranks that reported",
       .of_rank = launches,
       .of_case = launches},
      {.name = "samples",
       .unit = "count",
       .source = "driver",
       .meaning = "timed steps of all launches together; those of a launch that failed a check which times need "
                  "(docs/invariants.md) do not count, and are no step times",
       .of_rank = samples,
       .of_case = samples},
      {.name = "algbw_Bps",
       .unit = "B/s",
       .source = "clock",
       .meaning = "array_bytes over step_median_s (collective); empty in a world of 1",
       .of_case = [](const Row& r) { return cell(measured_bandwidth(r).algbw_Bps); }},
      {.name = "busbw_Bps",
       .unit = "B/s",
       .source = "clock",
       .meaning = "algbw_Bps times the share of the array that a rank must move: docs/laws.md (collective)",
       .of_case = [](const Row& r) { return cell(measured_bandwidth(r).busbw_Bps); }},
      {.name = "loss_first",
       .source = "program",
       .meaning = "loss of the first checked step: of the rank's own rows (training), of the whole batch, on the rank "
                  "of the last stage (pipeline); docs/laws.md has its definition",
       .of_rank = [](const Row& r) { return r.report().losses.empty() ? Cell{} : Cell{r.report().losses.front()}; }},
      {.name = "loss_last",
       .source = "program",
       .meaning = "loss of the last checked step, as loss_first",
       .of_rank = [](const Row& r) { return r.report().losses.empty() ? Cell{} : Cell{r.report().losses.back()}; }},
      {.name = "reference_max_diff",
       .source = "reference",
       .meaning = "largest absolute difference of losses, parameters and gradients from the single-process reference",
       .of_rank = reference_difference},
      of_case("invariants_passed", "checks", "invariants that were checked and hold",
              [](const Row& r) -> Cell { return std::uint64_t{count_of(r.result, Verdict::passed)}; }),
      of_case("invariants_failed", "checks", "invariants that were checked and do not hold",
              [](const Row& r) -> Cell { return std::uint64_t{count_of(r.result, Verdict::failed)}; }),
  };
}

}  // namespace shardbench
