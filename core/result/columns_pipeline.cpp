#include <algorithm>
#include <optional>

#include "result/column_tables.hpp"
#include "result/simulated_step.hpp"
#include "result/step_times.hpp"

namespace shardbench {
namespace {

template <auto value>
Cell of_pipeline(const Row& row) {
  if (row.result.spec.program != Program::pipeline) return {};
  return static_cast<std::uint64_t>(row.report().*value);
}

Cell predicted_until_weight(const Row& row) {
  const auto& law = row.result.schedule.law_in_flight_until_weight;
  if (row.rank >= law.size()) return {};
  return static_cast<std::uint64_t>(law[row.rank]);
}

Cell idle(const Row& row) {
  if (row.result.spec.program != Program::pipeline) return {};
  const auto median = median_of_medians(rank_times(row.result, row.rank, &StepTime::idle));
  return median ? Cell{*median} : Cell{};
}

Cell cell_of(const std::optional<double>& value) { return value ? Cell{*value} : Cell{}; }

Cell simulated_idle(const Row& row) {
  const auto simulation = simulated_step(row.result);
  if (!simulation) return {};
  return simulation->ranks.at(row.rank).idle_in_makespan(simulation->makespan);
}

/// The simulated step and the slowest rank's update.
std::optional<double> simulated_seconds(const CaseResult& result) {
  const auto simulation = simulated_step(result);
  if (!simulation) return std::nullopt;
  double update = 0;
  for (std::size_t rank = 0; rank < simulation->ranks.size(); ++rank)
    update = std::max(update, median_of_medians(rank_times(result, rank, &StepTime::update)).value_or(0));
  return simulation->makespan + update;
}

Cell step_over_simulated(const Row& row) {
  const auto simulated = simulated_seconds(row.result);
  const auto step = median_of_medians(step_times(row.result));
  return simulated && step && *simulated > 0 ? Cell{*step / *simulated} : Cell{};
}

}  // namespace

std::vector<Column> pipeline_columns() {
  return {
      {.name = "in_flight_until_weight",
       .unit = "count",
       .source = "program",
       .meaning = "most microbatches whose forward ran and whose weight gradients did not (pipeline)",
       .of_rank = of_pipeline<&RankReport::executed_in_flight_until_weight>,
       .counted = true},
      {.name = "predicted_in_flight_until_weight",
       .unit = "count",
       .source = "simulator",
       .meaning = "in_flight_until_weight by the schedule's law (pipeline)",
       .of_rank = predicted_until_weight},
      {.name = "activations_bytes",
       .unit = "bytes",
       .source = "allocator",
       .meaning = "most bytes of activations alive between two actions of the audit step (pipeline)",
       .of_rank = of_pipeline<&RankReport::activations_bytes>,
       .counted = true},
      {.name = "predicted_activations_bytes",
       .unit = "bytes",
       .source = "law",
       .meaning = "activations_bytes by the rank's plan (pipeline)",
       .of_rank = of_pipeline<&RankReport::predicted_activations_bytes>},
      {.name = "idle_s",
       .unit = "s",
       .source = "clock",
       .meaning = "the step without F, B, I, W and the update, as step_median_s: waiting and communication (pipeline)",
       .of_rank = idle},
      {.name = "simulated_idle_s",
       .unit = "s",
       .source = "simulator",
       .meaning = "idle time of the rank in the simulated step (pipeline)",
       .of_rank = simulated_idle},
      {.name = "simulated_step_s",
       .unit = "s",
       .source = "simulator",
       .meaning =
           "the plan simulated with the F, B, I, W (medians of each stage) and update of this run; messages take "
           "no time (pipeline)",
       .of_case = [](const Row& r) -> Cell { return cell_of(simulated_seconds(r.result)); }},
      {.name = "step_over_simulated",
       .source = "simulator",
       .meaning = "step_median_s over simulated_step_s: what communication and shared cores cost (pipeline)",
       .of_case = step_over_simulated},
  };
}

}  // namespace shardbench
